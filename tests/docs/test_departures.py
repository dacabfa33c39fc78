"""Where RULES.md differs from printed rules: every row is held by a test of its game."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from engine.chance import SeededChance
from engine.games import GAMES

HEADING = "## Where this differs from the printed rules"

# How a row begins, and the tests that hold what it says.
HELD: dict[str, dict[str, list[str]]] = {
    "hot_ramen": {
        "Die faces": ["the_faces_in_the_rules_are_the_faces_that_are_rolled"],
        "You end your turn": ["stopping_is_not_allowed_while_a_pick_is_possible"],
        "You may spend money": ["starting_credit_lapses_after_the_first_turn"],
        "A multi is placed": ["ramen_is_stamped_with_its_multiplied_count"],
        "Reroll one": ["one_die_is_rerolled_and_only_while_picking"],
        "Trash a die": ["with_the_remove_option_dice_of_the_own_trash_can_be_removed"],
        "Who chooses": ["ramen_soaks_up_damage_leftover_first_and_best_fit"],
        "Not said": [
            "an_eliminated_seat_returns_its_jokers_and_its_other_dice_leave_the_game",
            "healing_stops_at_the_starting_hp",
            "change_is_kept_within_the_turn",
            "the_most_pepper_starts_and_only_tied_players_roll_again",
        ],
        "No limit of rounds": ["the_hundredth_round_is_played_to_its_end"],
    },
    "potage_sauvage": {
        "How the first dealer": ["the_dealer_is_drawn_by_chance"],
        "Herbs": ["the_deck_has_fourteen_cards_of_each_edible_suit_and_ten_trash"],
        "The trash recipe": ["the_trash_penalty_option_says_whether_a_reset_costs"],
        "The water recipe": ["water_over_the_whole_deck_is_worth_47_below_zero"],
        "A 10 that leads": ["a_ten_after_a_reset_counts_ten"],
        "Piles lie": ["piles_are_remembered_card_by_card"],
        "You say so": ["a_view_has_the_own_hand_and_no_other"],
        "37 point tokens": ["points_are_the_floored_sums_of_the_served_deals"],
    },
    "ramen_ramen": {
        "Whoever ate": ["the_deal_leaves_the_printed_deck"],
        "Nobody may look": ["the_printed_bowls_are_served_for_their_points"],
        "A card taken": ["a_card_taken_from_the_fridge_stays_known_until_it_is_played"],
        "The FAQ says": ["with_an_empty_deck_nothing_is_refilled_or_drawn"],
        "With three players": ["with_three_seats_a_bowl_goes_to_its_owner_whoever_fills_it"],
        "Ties between teams": ["four_seats_are_ranked_by_team_and_partners_share_everything"],
        "Solo results": ["solo_scores_earn_their_stars"],
    },
    "safranito": {
        "The cook who": ["the_chef_of_a_round_sits_in_the_south_and_the_others_follow_clockwise"],
        "Ties go": ["the_chef_wins_ties_unless_the_option_puts_the_chef_last"],
        "Discs land": ["tokens_land_face_up_as_often_as_the_option_says"],
        "42 notes": ["sellers_earn_the_whole_price_and_take_their_tokens_back"],
        "The chef decides": ["every_place_is_in_the_one_region_whose_circle_reaches_it"],
        "Where you sit": ["the_chef_of_a_round_sits_in_the_south_and_the_others_follow_clockwise"],
        "Everybody may sell": ["the_new_chef_leads_market_and_cooking_and_the_next_round"],
        "Declining to buy": ["who_does_not_buy_is_out_of_the_bowl_unless_the_option"],
        "Only the third dish": ["the_cap_compares_dishes_then_money_then_cards"],
    },
}


def rows(slug: str) -> list[list[str]]:
    text = (GAMES[slug].folder / "RULES.md").read_text(encoding="utf-8")
    table = text.split(HEADING)[1].split("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@cache
def source_of(folder: Path) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("tests/test_*.py"))


@pytest.mark.parametrize("slug", GAMES)
def test_every_departure_is_held_by_a_test_of_its_game(slug: str) -> None:
    held = HELD[slug]
    told = {row[0]: row for row in rows(slug)}

    for printed, row in told.items():
        assert len(row) == 3
        assert row[1]
        assert [start for start in held if printed.startswith(start)], f"{printed}: no test"
    assert len(told) == len(held)
    for names in held.values():
        for name in names:
            assert f"def test_{name}" in source_of(GAMES[slug].folder), name


@pytest.mark.parametrize("slug", GAMES)
def test_options_that_departures_name_are_there_and_are_not_the_default(slug: str) -> None:
    options = GAMES[slug].options
    for row in rows(slug):
        words = re.findall(r"`(\w+)`", f"{row[1]} {row[2]}")
        for name, value in pairwise(words):
            if name in options and value in map(str, options[name].choices):
                assert value != options[name].default, row[0]


def test_a_first_seat_and_a_first_chef_are_what_the_tables_say() -> None:
    ramen, safranito = GAMES["ramen_ramen"], GAMES["safranito"]
    seeds = range(12)

    assert {ramen.start(3, SeededChance(seed)).to_act for seed in seeds} == {0}
    chefs = {safranito.start(3, SeededChance(seed)).observe(0)["chef"] for seed in seeds}
    assert chefs == {0, 1, 2}
    view = ramen.start(2, SeededChance(1)).observe(0)
    assert {"served", "known"} <= set(view)
    assert "hand_sizes" in GAMES["potage_sauvage"].start(2, SeededChance(1)).observe(0)
