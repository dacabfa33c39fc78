"""The rules, case by case."""

from collections import Counter
from random import Random

import pytest

from engine.chance import RandomChance, SeededChance
from engine.errors import IllegalAction, UnreadableAction
from engine.games.potage_sauvage import GAME
from engine.games.potage_sauvage.cards import CARDS, DECK, TEXT, VALUE, score
from engine.games.potage_sauvage.tests.positions import cards, last_scores, legal, play, position

INSECTS, V, F, T, W = range(5)


def test_the_deck_has_fourteen_cards_of_each_edible_suit_and_ten_trash():
    assert Counter(TEXT[card][0] for card in DECK) == {"I": 14, "V": 14, "F": 14, "T": 10}
    assert Counter(TEXT[card][1:] for card in DECK if TEXT[card][0] == "V") == {
        "R": 1, "H": 2, "1": 2, "2": 2, "3": 2, "4": 2, "5": 2, "10": 1,
    }  # fmt: skip
    assert Counter(TEXT[card][1:] for card in DECK if TEXT[card][0] == "T") == dict.fromkeys(
        "12345", 2
    )


def test_the_values_of_the_deck_add_up_to_150():
    assert sum(VALUE[card] for card in DECK) == 150


@pytest.mark.parametrize(
    ("seats", "size", "aside"), [(2, 13, 26), (3, 13, 13), (4, 13, 0), (5, 10, 2)]
)
def test_each_seat_count_deals_its_hand_size_and_sets_the_rest_aside(seats, size, aside):
    state = GAME.start(seats, SeededChance(1))

    assert [state.hand_size(seat) for seat in range(seats)] == [size] * seats
    assert len(state.aside) == aside


def test_play_starts_left_of_the_dealer_with_five_points_and_all_recipes():
    state = GAME.start(3, SeededChance(4))

    assert state.to_act == (state.dealer + 1) % 3
    assert state.points == [5, 5, 5]
    assert legal(state) == "I V F T W"


def test_the_dealer_is_drawn_by_chance():
    assert {GAME.start(4, SeededChance(seed)).dealer for seed in range(40)} == {0, 1, 2, 3}


# The pot


def test_the_printed_example_gives_the_fruit_cook_two_points():
    state = position("V3 F4", "V1 F3", "T5 F4 I1", "IR I2", recipes="VVFI")

    play(state, "V3 V1 T5")
    assert (state.total, state.demand) == (9, T)
    play(state, "IR")
    assert state.total == 0
    play(state, "F4 F3 F4")

    assert len(state.piles[2]) == 7
    assert score(state.piles[2], F) == 2
    assert state.to_act == 2


def test_one_trash_cancels_one_insect():
    state = position("V3 F4", "V1 F3", "T5 F4", "I1 I2", recipes="VVFI")

    play(state, "V3 V1 T5 I1")

    assert state.to_act == 3
    assert score(state.piles[3], INSECTS) == 0


def test_a_ten_that_leads_counts_nothing_for_the_whole_pot():
    state = position("F10 F5 I2", "F5 I1", recipes="FW")

    play(state, "F10")
    assert state.total == 0
    play(state, "F5 F5")

    assert state.piles[0] == cards("F10 F5 F5")
    assert score(state.piles[0], F) == 3


def test_a_taker_without_cards_ends_the_deal_with_an_empty_pot():
    state = position("F10 F5", "F5 I1", recipes="FW")

    play(state, "F10 F5 F5")

    assert last_scores(state) == [("F", 3), ("W", 5)]
    assert state.deal == 2


def test_a_ten_after_a_reset_counts_ten():
    state = position("V4 VR I1", "V5 V10 I2", recipes="VW")

    play(state, "V4 V5")
    assert state.total == 9
    play(state, "VR")
    assert state.total == 0
    play(state, "V10")

    assert state.piles[1] == cards("V4 V5 VR V10")
    assert state.to_act == 1


def test_a_reset_that_leads_demands_its_suit_and_the_next_ten_counts():
    state = position("VR I1", "V10 I2", recipes="VW")

    play(state, "VR")
    assert (state.total, state.demand) == (0, V)
    play(state, "V10")

    assert score(state.piles[1], W) == 3


def test_a_herb_leaves_the_total_and_costs_the_trash_recipe():
    state = position("I5 I5 F1", "IH F2", recipes="IT")

    play(state, "I5 IH")
    assert state.total == 5
    play(state, "I5")

    assert [score(state.piles[0], recipe) for recipe in (INSECTS, T, W)] == [3, -1, 2]


def test_a_reset_keeps_the_demand():
    state = position("V4 I1", "VR I2", "V1 I3", recipes="VWI")

    play(state, "V4 VR")

    assert legal(state) == "V1"


def test_a_total_of_exactly_ten_is_taken_and_nine_is_not():
    state = position("V5 V1 I1", "V4 V2 I2", recipes="VW")

    play(state, "V5 V4")
    assert (state.to_act, len(state.pot)) == (0, 2)
    play(state, "V1")

    assert (state.to_act, state.pot, state.total) == (0, [], 0)
    assert len(state.piles[0]) == 3


def test_a_pot_can_go_round_more_than_once():
    state = position("V1 V1 V2", "V2 V3 I1", recipes="VW")

    play(state, "V1 V2 V1 V3")

    assert state.pot == cards("V1 V2 V1 V3")
    assert state.to_act == 0


# Following


def test_led_trash_demands_nothing():
    state = position("T3 I1", "V1 I2 T5", recipes="VW")

    play(state, "T3")

    assert legal(state) == "I2 V1 T5"


def test_a_demanded_suit_must_be_followed():
    state = position("V2 I1", "V1 I2 T5", recipes="VW")

    play(state, "V2")

    assert legal(state) == "V1"


def test_a_seat_that_cannot_follow_plays_anything_and_the_demand_stays():
    state = position("V2 I1", "I2 T1", "V3 F1 T2", recipes="VWI")

    play(state, "V2")
    assert legal(state) == "I2 T1"
    play(state, "I2")

    assert legal(state) == "V3"


def test_trash_lifts_the_demand_until_the_pot_is_taken():
    state = position("V2 V5 I3", "T1 F1 F2", "V3 F3", recipes="VWI")

    play(state, "V2 T1")
    assert legal(state) == "V3 F3"
    play(state, "F3")  # no fruit is demanded now
    assert legal(state) == "I3 V5"
    play(state, "V5")  # boils: 2 + 1 + 3 + 5

    assert state.to_act == 0
    play(state, "I3")
    assert state.demand == INSECTS


def test_two_equal_cards_are_one_choice_and_are_played_one_at_a_time():
    state = position("V1 V1", "V2 V2 V3", recipes="VW")

    assert legal(state) == "V1"
    play(state, "V1")
    assert state.hand(0) == cards("V1")
    assert legal(state) == "V2 V3"


# The end of a deal


def test_a_deal_stops_when_the_seat_to_act_is_out_of_cards_and_the_pot_scores_for_nobody():
    state = position("V1", "V2 V5 I1", recipes="VT")

    play(state, "V1 V2")

    assert last_scores(state) == [("V", 0), ("T", 0)]
    assert state.deal == 2


def test_after_a_deal_the_left_neighbour_deals_and_recipes_are_spent():
    state = position("V1", "V2 V5 I1", "V3 I2", recipes="VTW")
    dealer = state.dealer

    play(state, "V1 V2 V3")

    assert state.dealer == (dealer + 1) % 3
    assert state.to_act == (dealer + 2) % 3
    state.to_act = 0
    assert legal(state) == "I F T W"
    assert [state.hand_size(seat) for seat in range(3)] == [13, 13, 13]


def test_points_never_fall_below_zero_and_rise_again_from_there():
    state = position("I5 T5", "I5 I1", recipes="WV")
    state.points = [2, 5]
    state.piles[0] = cards("F1 F1 F2 F2 F3 F3 F4 F4 F5 F5 FR")  # as if taken before
    for card in state.piles[0]:
        state.aside.remove(card)

    play(state, "I5 I5")  # seat 1 takes 2 insects and leads
    play(state, "I1 T5")  # the deal stops: seat 1 has no card

    assert last_scores(state) == [("W", -6), ("V", 0)]
    assert state.points == [0, 5]

    state.piles = [cards("F1 F2 F3"), []]
    state.chosen = [F, INSECTS]
    state._end_deal()
    assert state.points == [3, 5]


@pytest.mark.parametrize(
    ("pile", "recipe", "points"),
    [
        ("VR VH VH V1 V1 V2 V2 V3 V3 V4 V4 V5 V5 V10", V, 14),
        ("VR V10 I3", V, 2),
        ("V1 T1 T2", V, -1),
        ("T1 T2 T3 IH VH FR", T, 1),
        ("V1 F2", T, 0),
        ("", W, 5),
        ("V1 V2 V3 V4 V5", W, 0),
        ("V1 V2 V3 V4 V5 I1 I2 I3 I4", W, -4),
        ("", INSECTS, 0),
    ],
)
def test_a_pile_scores_by_its_recipe(pile, recipe, points):
    assert score(cards(pile), recipe) == points


def test_water_over_the_whole_deck_is_worth_47_below_zero():
    assert score(DECK, W) == -47


def test_a_play_is_five_deals_with_each_recipe_once_and_the_most_points_win():
    rng = Random(3)
    state = GAME.start(4, RandomChance(rng))

    while state.to_act is not None:
        state.apply(state.sample(rng))

    assert len(state.served) == 5
    for seat in range(4):
        assert {deal[seat][0] for deal in state.served} == {INSECTS, V, F, T, W}
    result = state.result()
    assert result.points == tuple(state.points)
    assert all(
        (place == 1) == (points == max(state.points))
        for place, points in zip(result.places, result.points, strict=True)
    )


def test_equal_points_share_a_place_and_the_next_place_is_skipped():
    state = GAME.start(4, SeededChance(0))
    state.points = [7, 9, 9, 3]
    state.to_act = None

    assert state.result().places == (3, 1, 1, 4)


def test_the_fifth_recipe_is_forced():
    state = GAME.start(2, SeededChance(0))
    state.unused = [1 << W, 1 << T]
    state.to_act = 0

    assert legal(state) == "W"


# Options


def test_open_recipes_keep_the_dealer_off_the_first_choosers_recipe():
    state = position("V1", "V2", "V3", open_recipes=True)

    play(state, "V V")

    assert state.to_act == state.dealer
    assert legal(state) == "I F T W"


def test_open_recipes_let_the_dealer_repeat_when_nothing_else_is_left():
    state = position("V1", "V2", "V3", open_recipes=True)
    state.unused[2] = 1 << V

    play(state, "V I")

    assert legal(state) == "V"


def test_secret_recipes_may_repeat():
    state = position("V1", "V2", "V3")

    play(state, "V V")

    assert legal(state) == "I V F T W"


def test_free_trash_may_be_played_instead_of_following_and_shows_no_lack():
    state = position("V2 I1", "V1 I2 T5", "V3 I3", recipes="VWI", free_trash=True)

    play(state, "V2")
    assert legal(state) == "V1 T5"
    play(state, "T5")

    assert state.voids == [0, 0, 0]
    assert legal(state) == "I3 V3"


def test_free_trash_still_refuses_other_suits():
    state = position("V2 I1", "V1 I2 T5", recipes="VW", free_trash=True)
    play(state, "V2")

    with pytest.raises(IllegalAction):
        play(state, "I2")


@pytest.mark.parametrize(("penalty", "points"), [("herb", 1), ("herb+reset", 0)])
def test_the_trash_penalty_option_says_whether_a_reset_costs(penalty, points):
    state = position("T5 V1", "T5 I1", recipes="TW", trash_penalty=penalty)
    state.piles[0] = cards("T4 T4 T3 VR VH VH")
    for card in state.piles[0]:
        state.aside.remove(card)

    play(state, "T5 T5 I1 V1")

    assert last_scores(state)[0] == ("T", points)


# Refusals


@pytest.mark.parametrize("action", ["I2", "T5", "V5", "V"])
def test_a_card_that_may_not_be_played_is_refused_and_nothing_changes(action):
    state = position("V2 I1", "V1 I2 T5", recipes="VW")
    play(state, "V2")
    before = state.observe(None)

    with pytest.raises(IllegalAction, match="is not one of 1 legal actions: V1"):
        play(state, action)

    assert state.observe(None) == before


@pytest.mark.parametrize("action", [True, 1.0, "V1", None, (1,), 24, 31, 37, -1])
def test_a_value_that_is_no_action_is_refused(action):
    state = position("IH V2 I1", "V1 I2 T5", recipes="VW")

    with pytest.raises(IllegalAction):
        state.apply(action)

    assert not state.is_legal(action)


@pytest.mark.parametrize("action", ["V", "V2", "I1"])
def test_a_spent_recipe_or_a_card_is_refused_as_a_recipe(action):
    state = position("V2", "V1")
    state.unused[0] &= ~(1 << V)

    with pytest.raises(IllegalAction, match="4 legal actions: I, F, T, W"):
        play(state, action)


def test_nothing_can_be_played_after_the_end():
    state = position("V2", "V1", recipes="VW")
    state.to_act = None

    with pytest.raises(IllegalAction, match="over"):
        play(state, "V2")
    assert state.legal() == ()


@pytest.mark.parametrize("text", ["TR", "TH", "T10", "v1", "V6", "V", "W1", "10", "I 3", "IV"])
def test_only_canonical_texts_are_read(text):
    state = position("V2", "V1", recipes="VW")

    if text == "V":
        assert state.notation(state.parse(text)) == text
        return
    with pytest.raises(UnreadableAction):
        state.parse(text)


def test_every_card_and_recipe_has_a_text_of_its_own():
    state = position("V2", "V1")
    actions = [*CARDS, *range(32, 37)]

    written = [state.notation(action) for action in actions]

    assert len(set(written)) == len(actions) == 34
    assert [state.parse(text) for text in written] == actions
