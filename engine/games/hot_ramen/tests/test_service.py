"""Service: damage, ramen, elimination and the end."""

import pytest

from engine.games.hot_ramen.dice import letters
from engine.games.hot_ramen.tests.tables import (
    act,
    laid_table,
    stamped,
    texts,
)


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


def test_a_play_of_seats_without_any_dice_runs_to_its_last_round():
    """Where dice are removed for good, everyone's turns can become empty."""
    state = laid_table("next", seats=6, cash=0)
    state.pouch, state.trash = [[] for _ in range(6)], [[] for _ in range(6)]

    act(state, "stop")

    assert state.result().reason == "100 rounds are over"
