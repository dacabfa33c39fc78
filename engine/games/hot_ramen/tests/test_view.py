"""What a seat may know: the whole table, and nothing of the luck to come."""

import json
from random import Random

from engine.chance import SeededChance
from engine.frames import seat_names
from engine.games.hot_ramen import GAME
from engine.games.hot_ramen.tests.tables import act, fresh_table, laid_table


def play_on(state, rng):
    shown = []
    while state.to_act is not None:
        state.apply(state.sample(rng))
        shown.append(state.observe(None))
    return shown


def test_views_of_two_seats_differ_only_in_whose_they_are():
    state = fresh_table(4)

    assert state.observe(0) | {"seat": None} == state.observe(None)
    assert state.observe(3) | {"seat": None} == state.observe(None)


def test_a_twin_with_other_luck_looks_the_same_now_and_not_later():
    state = fresh_table(2)
    twin = state.hidden_twin(0, Random(5))

    assert twin.observe(0) == state.observe(0)
    assert play_on(twin, Random(1)) != play_on(state, Random(1))


def test_pouches_and_the_kitchen_are_listed_by_colour_not_by_order_of_draws():
    state = fresh_table(2)

    seen = state.observe(1)

    for letters in (seen["kitchen"], seen["market"], seen["players"][0]["pouch"]):
        assert list(letters) == sorted(letters, key="WGYRBOJ".index)


def test_a_view_is_small():
    state = GAME.start(6, SeededChance(3))
    rng = Random(3)
    sizes = []
    while state.to_act is not None:
        sizes.append(len(json.dumps(state.observe(0), separators=(",", ":"))))
        state.apply(state.sample(rng))

    assert sorted(sizes)[len(sizes) // 2] < 2048


def test_a_rebuilt_table_keeps_the_discards_still_due_and_the_used_multis():
    leftover = laid_table("leftover", seats=3, leftover="W:1 W:2 W:3", pouch="WWWWW")
    leftover.discards = 2
    boosted = laid_table("pick", "R:P2", "J:X2", "W:-", pouch="W")
    act(boosted, "pick P X2")

    for state in (leftover, boosted):
        again = GAME.determinize(json.loads(json.dumps(state.observe(0))), Random(0))
        assert again.observe(0) == state.observe(0)
        assert (again.discards, again.multis) == (state.discards, state.multis)


def test_luck_is_the_same_for_a_seat_whatever_the_others_do():
    """Each seat's draws and rolls come from streams of its own."""
    quick, slow = fresh_table(3, seed=9), fresh_table(3, seed=9)
    first = quick.to_act
    rng = Random(2)

    while quick.to_act == first:
        quick.apply(quick.autopilot())
    while slow.to_act == first:
        slow.apply(slow.sample(rng))

    assert quick.to_act == slow.to_act
    assert quick.table == slow.table


def test_the_text_names_every_seat_and_what_is_asked():
    state = fresh_table(3)

    text = GAME.text(state.observe(None), seat_names(state.seats))

    assert f"> Seat {state.to_act + 1}: 30 HP" in text
    assert text.count("Seat") == 4
    assert "picks from the rolled dice" in text
