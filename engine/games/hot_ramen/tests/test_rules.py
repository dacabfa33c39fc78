"""Setting up, leftovers, drawing, and the texts of actions."""

import pytest

from engine.errors import IllegalAction, UnreadableAction
from engine.games.hot_ramen.dice import FACES
from engine.games.hot_ramen.tests.tables import (
    FixedChance,
    act,
    fresh_table,
    laid_table,
    legal,
    stamped,
    texts,
)


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
