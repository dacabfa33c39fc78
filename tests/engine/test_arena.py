"""Duplicate sets and their statistics, on a real game."""

import pytest

from engine.arena import Entry, Tally, copies, mean_interval, plan, play_set, tally
from engine.errors import BadSetup
from engine.games import GAMES
from engine.local import ScriptPlayer
from engine.results import PlayResult

GAME = GAMES["ramen_ramen"]
FIRST = "def decide(view):\n    return view['legal'][0]\n"
CRASH = "def decide(view):\n    raise RuntimeError('no soup')\n"


def results_of(plays):
    return [PlayResult.of(one.seating, one.played) for one in plays]


def entries(seats, *sources):
    count = copies(GAME, seats)
    return [Entry([ScriptPlayer(source) for _ in range(count)]) for source in sources]


@pytest.mark.parametrize("seats", [2, 3])
def test_a_set_gives_every_entry_every_seat_once(seats):
    seatings = plan(GAME, seats, seats, seed=5)

    for seat in range(seats):
        assert sorted(seating[seat] for seating in seatings) == list(range(seats))


def test_a_team_keeps_its_seats_together():
    sides = GAME.sides(4)

    for seating in plan(GAME, 4, 2, seed=5):
        assert len({(side, entry) for side, entry in zip(sides, seating, strict=True)}) == 2


def test_a_set_for_the_wrong_number_of_entries_is_refused():
    with pytest.raises(BadSetup, match="for 2 bots, not 3"):
        plan(GAME, 4, 3, seed=5)


def test_all_plays_of_a_set_begin_with_the_same_luck():
    plays = list(play_set(GAME, 2, entries(2, FIRST, FIRST), seed=5))

    first, second = (one.played.replay for one in plays)
    assert first.log[0] == second.log[0]
    assert "chance" in first.log[0]
    assert first.log == second.log  # the same moves too, as both entries play alike


def test_equal_bots_share_every_set_evenly():
    plays = list(play_set(GAME, 2, entries(2, FIRST, FIRST), seed=5))
    tallies = [Tally(), Tally()]

    tally(tallies, results_of(plays))

    assert [record.sets for record in tallies] == [[0.5], [0.5]]


@pytest.mark.parametrize("seats", [2, 4])
def test_an_entry_at_fault_wins_nothing_and_each_fault_is_counted(seats):
    plays = list(play_set(GAME, seats, entries(seats, CRASH, FIRST), seed=5))
    crash, sound = tallies = [Tally(), Tally()]

    tally(tallies, results_of(plays))

    assert (crash.sets, sound.sets) == ([0.0], [1.0])
    assert crash.faults == {"crash": 2}
    assert sound.faults == {}


def test_solo_entries_are_compared_by_points_and_ties_are_shared():
    plays = list(play_set(GAME, 1, entries(1, FIRST, FIRST, CRASH), seed=5))
    tallies = [Tally(), Tally(), Tally()]

    tally(tallies, results_of(plays))

    assert [record.sets for record in tallies] == [[0.5], [0.5], [0.0]]


@pytest.mark.parametrize("values", [[1.0], [1.0] * 5, [0.0] * 5, [0.5] * 20])
def test_a_few_sets_that_all_went_alike_claim_no_certainty(values):
    mean, low, high = mean_interval(values)

    assert 0 <= low <= mean <= high <= 1
    assert high - low > 0.05


def test_more_sets_narrow_the_interval():
    widths = [mean_interval([0.0, 1.0] * count) for count in (5, 50, 500)]

    assert [mean for mean, _, _ in widths] == [0.5] * 3
    assert widths[0][1] < widths[1][1] < widths[2][1] < 0.5


def test_no_sets_say_nothing():
    assert mean_interval([]) == (0.0, 0.0, 1.0)
