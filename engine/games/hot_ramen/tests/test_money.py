"""What money buys."""

import pytest

from engine.errors import IllegalAction
from engine.games.hot_ramen.dice import JOKER, letters, stamped_text
from engine.games.hot_ramen.tests.tables import FixedChance, act, laid_table, legal

MONEY_VERBS = {"buy", "trash", "draw", "reroll", "heal", "recycle", "joker"}


def verbs(state):
    return {text.split()[0] for text in legal(state)}


def test_change_is_kept_within_the_turn():
    state = laid_table("next", "W", cash=3)

    act(state, f"buy {letters(state.market)[0]}")

    assert state.cash[0] == 1
    assert verbs(state) == {"stop", "roll"}


def test_a_joker_costs_three_and_goes_into_the_pouch():
    state = laid_table("next", "W", cash=3, pouch="WW")
    jokers = state.jokers

    act(state, "joker")

    assert (state.cash[0], letters(state.pouch[0]), state.jokers) == (0, "WWJ", jokers - 1)


@pytest.mark.parametrize(("cash", "offered"), [(1, False), (2, True)])
def test_money_actions_need_two_dollars(cash, offered):
    state = laid_table("next", "W", cash=cash, pouch="W")

    assert ("draw" in legal(state)) == offered


def test_two_dollars_do_not_buy_a_joker():
    assert "joker" not in legal(laid_table("next", "W", cash=2))


def test_a_bought_die_goes_to_the_trash_and_the_market_is_refilled_at_once():
    state = laid_table("next", "W", cash=4)
    state.market, state.kitchen = [1, 3, 4], [5]

    act(state, "buy B")

    assert letters(state.trash[0]) == "B"
    assert (letters(state.market), state.kitchen) == ("GRO", [])


def test_an_empty_market_sells_nothing():
    state = laid_table("next", "W", cash=4)
    state.market, state.kitchen, state.jokers = [], [], 0

    assert not {"buy", "recycle", "joker"} & verbs(state)


def test_recycling_needs_a_kitchen_and_draws_before_the_old_dice_return():
    state = laid_table("next", "W", cash=2)
    state.market, state.kitchen = [1, 1, 1, 1, 1], [5, 5]

    act(state, "recycle")

    assert letters(state.market) == "GGGOO"
    assert letters(state.kitchen) == "GG"


def test_healing_stops_at_the_starting_hp():
    state = laid_table("next", "W", cash=4)
    state.hp[0] = 19

    act(state, "heal")

    assert state.hp[0] == 20
    assert "heal" not in legal(state)


def test_a_drawn_die_is_rolled_at_once_while_picking():
    state = laid_table("pick", "W:-", cash=2, pouch="R")
    state.chance = FixedChance(0, 4)

    act(state, "draw")

    assert state.observe(0)["table"] == ["W:-", "R:P3"]
    assert legal(state) == ["pick P"]


def test_a_drawn_die_waits_for_the_roll_after_a_pick():
    state = laid_table("next", "W", cash=2, pouch="R")

    act(state, "draw")

    assert state.observe(0)["table"] == ["W", "R"]
    assert legal(state) == ["stop", "roll"]


def test_drawing_refills_an_empty_pouch_and_is_illegal_without_any_dice():
    refilled = act(laid_table("next", "W", cash=2, trash="R"), "draw")
    nothing = laid_table("next", "W", cash=2)

    assert refilled.observe(0)["table"] == ["W", "R"]
    assert "draw" not in legal(nothing)


def test_one_die_is_rerolled_and_only_while_picking():
    state = laid_table("pick", "R:-", "W:R1", cash=2)
    state.chance = FixedChance(4)

    act(state, "reroll R:-")

    assert state.observe(0)["table"] == ["R:P3", "W:R1"]
    assert "reroll" not in verbs(laid_table("next", "W", cash=2))


@pytest.mark.parametrize(
    ("action", "zone"),
    [
        ("trash leftover B:2", "leftover"),
        ("trash fresh W:1", "fresh"),
        ("trash pepper R:2", "pepper"),
        ("trash money Y:1", "money"),
        ("trash table G", "table"),
    ],
)
def test_a_die_of_any_own_zone_can_be_trashed(action, zone):
    state = laid_table("next", "G", cash=4, leftover="B:2", fresh="W:1", pepper="R:2", money="Y:1")
    colour = action.split()[2][0]

    act(state, action)

    zones = {
        "leftover": state.leftover[0],
        "fresh": state.fresh[0],
        "pepper": state.pepper,
        "money": state.money,
        "table": state.table,
    }
    assert zones[zone] == []
    assert letters(state.trash[0]) == colour


def test_trashing_a_pepper_die_cancels_its_damage():
    state = laid_table("next", "W", cash=2, pepper="R:2 O:3")

    act(state, "trash pepper O:3", "stop")

    assert state.hp == [20, 18]


@pytest.mark.parametrize(("cash", "left"), [(5, 1), (3, 0)])
def test_trashing_a_money_die_cancels_what_is_not_spent_yet(cash, left):
    state = laid_table("next", "W", cash=cash, money="Y:2")

    act(state, "trash money Y:2")

    assert state.cash[0] == left


def test_an_emptied_pepper_zone_takes_an_ordinary_pick_again():
    state = laid_table("pick", "R:P2", cash=2, pepper="R:1")
    assert "pick P" not in legal(state)

    act(state, "trash pepper R:1")

    assert legal(state) == ["pick P"]


def test_a_trashed_joker_goes_to_the_market():
    state = laid_table("next", "J", "W", cash=2)
    jokers = state.jokers

    act(state, "trash table J")

    assert state.jokers == jokers + 1
    assert JOKER not in state.trash[0]


def test_with_the_remove_option_trashing_takes_the_die_out_of_the_game():
    state = laid_table("next", "J", "W", cash=4)
    state.options = {"trash_action": "remove"}
    jokers = state.jokers

    act(state, "trash table W", "trash table J")

    assert letters(state.removed) == "W"
    assert state.trash[0] == []
    assert state.jokers == jokers + 1


def test_spent_money_leaves_the_dice_in_the_money_zone():
    state = laid_table("next", "W", cash=2, money="Y:2")
    state.hp[0] = 10

    act(state, "heal")

    assert [stamped_text(die) for die in state.money] == ["Y:2"]


def test_money_actions_are_refused_without_money():
    state = laid_table("next", "W", cash=1, pouch="W")
    before = state.observe(None)

    for text in ("draw", "heal", "recycle", "joker"):
        with pytest.raises(IllegalAction):
            act(state, text)

    assert state.observe(None) == before
    assert not MONEY_VERBS & verbs(state)


def test_with_the_remove_option_dice_of_the_own_trash_can_be_removed():
    state = laid_table("next", "W", cash=4, trash="WWR")
    assert "trash trash W" not in legal(state)
    state.options, state._legal = {"trash_action": "remove"}, ()

    act(state, "trash trash W")

    assert (letters(state.trash[0]), letters(state.removed), state.cash[0]) == ("WR", "W", 2)
