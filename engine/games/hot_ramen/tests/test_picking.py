"""Picking dice, and when that ends."""

import pytest

from engine.errors import IllegalAction
from engine.games.hot_ramen.tests.tables import (
    FixedChance,
    act,
    laid_table,
    legal,
    texts,
)


def damage(state):
    return sum(die >> 3 for die in state.pepper)


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
