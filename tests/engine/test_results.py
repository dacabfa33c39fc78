"""What a set gave: the same whether its entries sit alone, in teams or each for themselves."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from engine.arena import Entry, plan, play_set
from engine.games import GAMES
from engine.local import ScriptPlayer
from engine.results import PlayResult, set_result

BOARDS = [(game, seats) for game in GAMES.values() for seats in game.seats]


@st.composite
def sets(draw: st.DrawFn) -> tuple[list[PlayResult], int]:
    """Any set of any board, with any outcome: partners share a place."""
    game, seats = draw(st.sampled_from(BOARDS))
    sides = game.sides(seats)
    count = len(set(sides))
    entries = draw(st.integers(1, 4)) if count == 1 else count
    plays = []
    for seating in plan(game, seats, entries, seed=draw(st.integers(0, 99))):
        order = draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
        better = {s: sum(order[t] < order[s] for t in sides) for s in set(sides)}
        number = st.integers(0, 50)
        plays.append(
            PlayResult(
                seating,
                [1 + better[side] for side in sides],
                [draw(number)] * seats if count == 1 else [draw(number) for _ in sides],
                {seat: "crash" for seat in range(seats) if draw(st.booleans())},
                {seat: draw(number) for seat in range(seats)},
                {seat: draw(number) for seat in range(seats)},
            )
        )
    return plays, entries


@given(sets())
def test_nothing_is_lost_or_counted_twice(some):
    plays, entries = some

    found = set_result(plays, entries)

    assert sum(e.decisions for e in found.entries) == sum(
        sum(play.decisions.values()) for play in plays
    )
    assert sum(e.cpu_us for e in found.entries) == sum(sum(p.cpu_us.values()) for p in plays)
    assert sum(e.faults.total() for e in found.entries) == sum(len(p.faults) for p in plays)
    assert abs(sum(e.wins for e in found.entries) - 1) < 1e-9


@given(sets())
def test_shares_of_others_beaten_sum_to_half_the_entries(some):
    plays, entries = some

    shares = [entry.share for entry in set_result(plays, entries).entries]

    assert shares == [None] if entries == 1 else sum(shares) == Fraction(entries, 2)


@given(sets())
def test_an_entrys_own_decisions_are_those_of_its_seats(some):
    plays, entries = some

    found = set_result(plays, entries)

    for index, entry in enumerate(found.entries):
        own = [p.decisions[s] for p in plays for s, at in enumerate(p.seating) if at == index]
        assert entry.decisions == sum(own)


def test_two_bots_that_decide_unequally_often_are_told_apart():
    game = GAMES["hot_ramen"]
    bots = game.house_bots()
    names = ["random", *[name for name in bots if name != "random"]]
    entries = [Entry([ScriptPlayer(bots[name].read_text())], name) for name in (names * 4)[:4]]
    plays = list(play_set(game, 4, entries, seed=7))

    found = set_result([PlayResult.of(one.seating, one.played) for one in plays], 4)

    asked = [0, 0, 0, 0]
    for one in plays:
        for step in one.played.replay.log:
            if "action" in step:
                asked[one.seating[step["seat"]]] += 1
    assert [entry.decisions for entry in found.entries] == asked
    assert len(set(asked)) > 1
