"""The rules, position by position."""

import pytest

from engine.errors import IllegalAction, UnreadableAction
from engine.games.hot_ramen.dice import FACES, letters, stamped_text
from engine.games.hot_ramen.tests.tables import (
    FixedChance,
    act,
    fresh_table,
    laid_table,
    legal,
    stamped,
)


def damage(state):
    return sum(die >> 3 for die in state.pepper)


def texts(dice):
    return [stamped_text(die) for die in dice]


# Picking


@pytest.mark.parametrize(("action", "value"), [("pick P", 3), ("pick P X2", 6)])
def test_a_pick_takes_all_dice_of_its_symbol_and_a_multi_doubles_them(action, value):
    state = laid_table("pick", "R:P1", "O:P2", "W:R1", "J:X2", "W:-")

    act(state, action)

    assert damage(state) == value


def test_multi_dice_add_up_before_they_multiply():
    state = laid_table("pick", "R:P1", "J:X2", "J:X2", "J:X2", "W:-")

    act(state, "pick P X2 X2 X2")

    assert damage(state) == 6


def test_a_wild_counts_as_one_more_dollar():
    state = laid_table("pick", "Y:M2", "J:J", "Y:M1", "W:-")

    act(state, "pick M J")

    assert state.cash[0] == 4


def test_a_multi_is_never_picked_alone():
    assert legal(laid_table("pick", "J:X3", cash=0)) == ["stop"]


def test_a_multi_boosts_a_wild():
    state = laid_table("pick", "J:X3", "J:J", "W:-")

    act(state, "wild P J X3")

    assert damage(state) == 3


def test_an_occupied_pepper_zone_takes_only_wilds():
    state = laid_table("pick", "R:P2", "J:J", pepper="R:1")

    assert legal(state) == ["wild P J", "wild R J", "wild M J"]


def test_an_occupied_fresh_zone_takes_only_wilds_but_leftover_does_not_matter():
    blocked = laid_table("pick", "W:R1", "Y:M1", fresh="W:1")
    open_zone = laid_table("pick", "W:R1", "Y:M1", leftover="W:1")

    assert legal(blocked) == ["pick M"]
    assert legal(open_zone) == ["pick R", "pick M"]


def test_a_wild_in_the_pepper_zone_blocks_the_ordinary_pick():
    state = laid_table("pick", "R:P2", pepper="J:1")

    assert legal(state) == ["stop"]


def test_a_wild_added_to_pepper_multiplies_only_itself():
    state = laid_table("pick", "J:J", "J:X2", "W:-", pepper="R:3")

    act(state, "wild P J X2")

    assert damage(state) == 5


def test_money_can_be_picked_again_and_again():
    state = laid_table("pick", "Y:M2", "W:-", money="Y:1", cash=1)

    act(state, "pick M")

    assert state.cash[0] == 3
    assert texts(state.money) == ["Y:1", "Y:2"]


def test_ramen_is_stamped_with_its_multiplied_count():
    state = laid_table("pick", "B:R2", "W:R1", "J:X2", "W:-")

    act(state, "pick R X2")

    assert texts(state.fresh[0]) == ["W:2", "B:4"]


def test_a_wild_as_ramen_is_stamped_with_the_multiplier():
    state = laid_table("pick", "J:J", "J:X3", "W:-")

    act(state, "wild R J X3")

    assert texts(state.fresh[0]) == ["J:3"]


def test_stopping_is_not_allowed_while_a_pick_is_possible():
    state = laid_table("pick", "W:R1", "W:-", cash=0)

    with pytest.raises(IllegalAction, match="'stop' is not one of 1 legal actions"):
        act(state, "stop")


def test_equal_dice_give_one_action():
    state = laid_table("pick", "W:-", "W:-", "W:-", "G:-", cash=2)

    assert legal(state).count("reroll W:-") == 1
    assert legal(state).count("trash table W:-") == 1
    assert "reroll G:-" in legal(state)


def test_dice_left_after_a_pick_wait_for_a_roll():
    state = laid_table("pick", "W:R1", "G:M1", "W:-")

    act(state, "pick R")

    assert state.observe(0)["table"] == ["W", "G"]
    assert legal(state) == ["stop", "roll"]


def test_cooking_ends_by_itself_when_nothing_can_be_picked_or_paid():
    state = laid_table("next", "W", "W", cash=1)
    state.chance = FixedChance(3, 4)

    act(state, "roll")

    assert state.to_act == 1


def test_a_blank_roll_with_money_leaves_a_choice():
    state = laid_table("next", "W", "W", cash=2)
    state.chance = FixedChance(3, 4)

    act(state, "roll")

    assert (state.to_act, state.kind) == (0, "pick")
    assert legal(state)[0] == "stop"


def test_picking_the_last_die_without_money_ends_the_turn():
    state = laid_table("pick", "R:P2")

    act(state, "pick P")

    assert state.to_act == 1
    assert state.hp == [20, 18]


def test_picking_the_last_die_with_money_offers_actions_but_no_roll():
    state = laid_table("pick", "Y:M2")

    act(state, "pick M")

    assert state.kind == "next"
    assert "roll" not in legal(state)
    assert "heal" not in legal(state)
    assert legal(state)[0] == "stop"


# Leftovers and drawing


def test_fresh_ramen_becomes_leftover_and_one_die_is_discarded_in_a_duel():
    state = laid_table("next")
    state.fresh[1], state.leftover[1] = stamped("B:4"), stamped("W:1")

    act(state, "stop")

    assert (state.to_act, state.kind) == (1, "leftover")
    assert legal(state) == ["discard W:1", "discard B:4"]
    act(state, "discard W:1")
    assert state.kind != "leftover"
    assert texts(state.leftover[1]) == ["B:4"]


def test_two_leftover_dice_are_discarded_at_bigger_tables():
    state = laid_table("next", seats=3)
    state.leftover[1] = stamped("W:1 W:1 B:4")

    act(state, "stop")
    assert legal(state) == ["discard W:1", "discard B:4"]
    act(state, "discard W:1", "discard W:1")

    assert state.kind == "pick"
    assert texts(state.leftover[1]) == ["B:4"]


def test_a_single_leftover_die_is_all_that_is_discarded_at_bigger_tables():
    state = laid_table("next", seats=3)
    state.leftover[1] = stamped("W:1")

    act(state, "stop", "discard W:1")

    assert state.kind == "pick"


def test_a_discarded_joker_goes_to_the_market():
    state = laid_table("leftover", leftover="J:2", pouch="WWWWW")
    state.discards = 1
    jokers = state.jokers

    act(state, "discard J:2")

    assert state.jokers == jokers + 1
    assert state.trash[0] == []


def test_an_empty_pouch_is_refilled_from_the_trash_in_the_middle_of_a_draw():
    state = laid_table("leftover", leftover="W:1", pouch="WG", trash="WGY")
    state.discards = 1

    act(state, "discard W:1")

    assert len(state.table) == 5
    assert (len(state.pouch[0]), state.trash[0]) == (1, [])


def test_fewer_dice_are_drawn_when_there_are_no_more():
    state = laid_table("leftover", leftover="W:1", trash="RR")
    state.discards = 1
    state.chance = FixedChance(0, 0, 0, 0, 0, 0)

    act(state, "discard W:1")

    assert state.observe(0)["table"] == ["R:P1", "R:P1", "W:R1"]


@pytest.mark.parametrize(("cash", "kind", "seat"), [(2, "next", 0), (1, "pick", 1)])
def test_without_any_dice_a_turn_asks_only_whoever_has_money(cash, kind, seat):
    state = laid_table("leftover", leftover="J:1", cash=cash)
    state.discards = 1

    act(state, "discard J:1")

    assert (state.kind, state.to_act) == (kind, seat)


def test_the_starting_player_of_a_duel_draws_four_and_the_other_five():
    state = fresh_table(2)
    first = state.to_act

    assert len(state.table) == 4
    while state.to_act == first:
        state.apply(state.autopilot())
    assert len(state.table) == 5


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_everyone_draws_five_at_bigger_tables(seats):
    assert len(fresh_table(seats).table) == 5


# Service


@pytest.mark.parametrize(
    ("leftover", "fresh", "hit", "left", "lost"),
    [
        ("W:1 B:2", "W:1", 3, ([], ["W:1"]), 0),
        ("W:1 B:2", "W:1", 2, (["W:1"], ["W:1"]), 0),
        ("W:1 B:2", "W:1", 5, ([], []), 1),
        ("B:3", "", 1, ([], []), 0),
        ("W:1 B:3 B:5", "", 4, (["W:1", "B:3"], []), 0),
        ("W:1", "W:1 B:2", 2, ([], ["B:2"]), 0),
        ("W:1 B:1", "", 1, (["B:1"], []), 0),
        ("", "W:1 B:1 B:1", 0, ([], ["W:1", "B:1", "B:1"]), 0),
    ],
)
def test_ramen_soaks_up_damage_leftover_first_and_best_fit(leftover, fresh, hit, left, lost):
    state = laid_table("next", seats=3, pepper=f"O:{hit}" if hit else "")
    state.leftover[2], state.fresh[2] = stamped(leftover), stamped(fresh)

    act(state, "stop")

    assert (texts(state.leftover[2]), texts(state.fresh[2])) == left
    assert state.hp == [30, 30 - hit, 30 - lost]


def test_ramen_that_soaked_goes_to_its_owners_trash_and_jokers_to_the_market():
    state = laid_table("next", seats=3, pepper="R:3")
    state.fresh[2] = stamped("W:1 J:1 B:1")
    jokers = state.jokers

    act(state, "stop")

    assert letters(state.trash[2]) == "WB"
    assert state.jokers == jokers + 1


def test_service_clears_table_money_and_pepper_but_keeps_ramen():
    state = laid_table("next", "W", "J", cash=3, money="Y:2", pepper="R:1", fresh="B:2")
    jokers, state.multis = state.jokers, 1

    act(state, "stop")

    assert letters(state.trash[0]) == "WYR"
    assert state.cash[0] == 0
    assert state.jokers == jokers + 2
    assert texts(state.fresh[0]) == ["B:2"]


def test_everyone_can_be_eliminated_at_once_and_shares_the_last_place():
    state = laid_table("next", seats=4, pepper="O:30")
    state.hp = [12, 5, 9, 30]

    act(state, "stop")

    assert state.to_act is None
    assert state.hp == [12, 0, 0, 0]
    assert state.result().places == (1, 2, 2, 2)


def test_a_later_elimination_earns_a_better_place():
    state = laid_table("next", seats=3, pepper="O:10")
    state.hp = [30, 30, 5]

    act(state, "stop")
    assert state.out[2] == state.turn - 1
    state.pepper, state.phase, state._legal = stamped("O:30"), 2, ()
    act(state, "stop")

    assert state.result().places == (2, 1, 3)


def test_an_eliminated_seat_returns_its_jokers_and_its_other_dice_leave_the_game():
    state = laid_table("next", seats=3, pepper="O:10")
    state.hp[2] = 10
    state.pouch[2], state.trash[2] = [0, 6], [1]
    state.leftover[2], state.fresh[2] = stamped("J:1"), stamped("B:1")
    jokers = state.jokers
    state.hp[2] = 8

    act(state, "stop")

    assert state.jokers == jokers + 2
    assert letters(state.removed) == "WGB"
    assert state.to_act == 1


def test_an_eliminated_seat_gets_no_turn():
    state = laid_table("next", seats=3)
    state.hp[1], state.out[1] = 0, 1

    act(state, "stop")

    assert state.to_act == 2


def test_a_round_ends_when_the_turn_passes_the_place_of_an_eliminated_first_player():
    state = laid_table("next", seats=3)
    state.first, state.hp[1], state.out[1] = 1, 0, 1
    state.round = 4

    act(state, "stop")

    assert (state.to_act, state.round) == (2, 5)


@pytest.mark.parametrize(("first", "over"), [(1, True), (0, False)])
def test_the_hundredth_round_is_played_to_its_end(first, over):
    state = laid_table("next")
    state.first, state.round, state.hp = first, 100, [7, 9]

    act(state, "stop")

    assert (state.to_act is None) == over
    if over:
        assert state.result().places == (2, 1)
        assert state.result().reason == "100 rounds are over"


def test_equal_hp_after_the_last_round_share_the_win():
    state = laid_table("next", seats=3)
    state.first, state.round, state.hp, state.out = 1, 100, [9, 9, 0], [0, 0, 4]

    act(state, "stop")

    assert state.result().places == (1, 1, 3)


# Setup


@pytest.mark.parametrize(("seats", "credits"), [(2, [0, 0]), (6, [0, 2, 4, 6, 6, 6])])
def test_later_players_start_with_credit_at_bigger_tables(seats, credits):
    state = fresh_table(seats)

    assert [state.cash[(state.first + k) % seats] for k in range(seats)] == credits


def test_starting_credit_lapses_after_the_first_turn():
    state = fresh_table(3)
    second = (state.first + 1) % 3
    while state.to_act != second:
        state.apply(state.autopilot())
    assert state.cash[second] >= 2

    while state.to_act == second:
        state.apply(state.autopilot())

    assert state.cash[second] == 0


def test_four_seats_start_with_ninety_two_dice():
    state = fresh_table(4)

    pouches = sum(len(pouch) for pouch in state.pouch) + len(state.table)
    assert len(state.market) + len(state.kitchen) == 48
    assert (len(state.market), state.jokers, pouches) == (5, 4, 40)
    state.audit()


@pytest.mark.parametrize(("seats", "hp"), [(2, 20), (3, 30), (6, 30)])
def test_starting_hp_depends_on_the_seats(seats, hp):
    assert fresh_table(seats).hp == [hp] * seats


def test_the_most_pepper_starts_and_only_tied_players_roll_again():
    state = fresh_table(3)
    # Red rolls of 2, 3 and 3 peppers, then 1 for seat 1 and 2 for seat 2.
    state.chance = FixedChance(0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1)

    assert state._roll_for_first() == 2
    assert state.chance.numbers == []


def test_white_dice_have_no_pepper_and_those_of_the_first_roll_do():
    assert not any(face.startswith("P") for face in FACES["W"])
    assert all(any(face.startswith("P") for face in FACES[die]) for die in "GYR")


# Texts


@pytest.mark.parametrize(
    "text",
    [
        "pick",
        "pick X",
        "pick P X2 J",
        "wild P ",
        "buy J",
        "buy Z",
        "discard W",
        "discard W:0",
        "discard W:64",
        "reroll W:P3",
        "trash pot W:1",
        "trash table W:1",
        "stop now",
        "roll\n",
        "pick P" + " J" * 9,
        "reroll WG:R1",
        "discard W:１",
        "pick P Q",
    ],
)
def test_texts_that_mean_no_action_are_unreadable(text):
    with pytest.raises(UnreadableAction):
        fresh_table().parse(text)


def test_a_refused_action_is_named_and_counted():
    state = laid_table("next", "W")

    with pytest.raises(IllegalAction, match="'buy R' is not one of 2 legal actions"):
        act(state, "buy R")


def test_a_play_of_seats_without_any_dice_runs_to_its_last_round():
    """Where dice are removed for good, everyone's turns can become empty."""
    state = laid_table("next", seats=6, cash=0)
    state.pouch, state.trash = [[] for _ in range(6)], [[] for _ in range(6)]

    act(state, "stop")

    assert state.result().reason == "100 rounds are over"
