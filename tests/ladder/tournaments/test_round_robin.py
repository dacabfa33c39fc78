from collections import Counter
from dataclasses import replace

import pytest

from ladder.tournaments import Event, Score, SetScore, Table
from ladder.tournaments.formats.round_robin import RoundRobin, berger, schedule
from tests.ladder.tournaments.playing import favourites, play_out, play_round

FORMAT = RoundRobin()


def beat(winner, loser, round_=1, number=1):
    return Score(Table(round_, number, "", (winner, loser)), (SetScore((1, 0)),))


def test_berger_tables_of_six_are_the_printed_ones():
    assert berger(6) == [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ]


@pytest.mark.parametrize("n", range(2, 65))
def test_everyone_meets_everyone_once_and_plays_at_most_once_a_round(n):
    rounds = berger(n)

    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    assert len(met) == n * (n - 1) // 2
    assert set(met.values()) == {1}
    for pairs in rounds:
        seats = [seed for pair in pairs for seed in pair]
        assert len(set(seats)) == len(seats) >= n - 1


@pytest.mark.parametrize("n", range(2, 65, 2))
def test_nobody_is_listed_first_much_more_often_than_second(n):
    first = Counter(a for pairs in berger(n) for a, _ in pairs)

    assert all(abs(2 * first[seed] - (n - 1)) <= 1 for seed in range(1, n + 1))


def test_the_second_cycle_swaps_the_sides():
    rounds = schedule([1, 2, 3, 4], 2)

    assert [(b, a) for a, b in rounds[0]] == rounds[3]


@pytest.mark.parametrize("n", [2, 5, 8])
@pytest.mark.parametrize("cycles", [1, 2])
def test_the_preview_counts_what_is_played(n, cycles):
    event = Event(n, options={"cycles": cycles})

    _, calls = play_out(FORMAT, event, favourites)

    preview = FORMAT.preview(n, event.options)
    assert preview.rounds == len(calls)
    assert preview.matches == sum(map(len, calls))


def test_level_points_are_split_by_the_meeting_of_the_tied():
    # 3 beat 2, both beat 4 and lost to 1.
    event = Event(4, (beat(1, 2), beat(1, 3), beat(1, 4), beat(3, 2), beat(3, 4), beat(2, 4)))
    level = Event(4, (beat(1, 2), beat(1, 3), beat(4, 1), beat(3, 2), beat(3, 4), beat(2, 4)))

    assert [row.entrant for row in FORMAT.standings(event)] == [1, 3, 2, 4]
    rows = FORMAT.standings(level)
    assert [row.entrant for row in rows] == [1, 3, 2, 4]
    assert rows[0].points == rows[1].points == 2
    assert rows[0].explanation == "2 points; ahead of seed 3 on head-to-head (1 v 0)"


def test_a_circle_of_wins_is_split_by_sonneborn_berger():
    # 1, 2 and 3 beat each other in turn and have two points each; 2 has one of them from 5.
    wins = [(1, 2), (2, 3), (3, 1), (1, 4), (2, 5), (3, 4), (5, 1), (5, 3), (5, 4), (4, 2)]
    event = Event(5, tuple(beat(*pair) for pair in wins))

    rows = FORMAT.standings(event)

    assert [row.entrant for row in rows] == [5, 2, 1, 3, 4]
    assert [row.tie_breaks["head-to-head"] for row in rows[1:4]] == [1, 1, 1]
    assert [row.tie_breaks["Sonneborn-Berger"] for row in rows[1:4]] == [5, 3, 3]
    assert "on Sonneborn-Berger (5 v 3)" in rows[1].explanation
    assert "ahead as the better seed" in rows[2].explanation


def withdrawn_after(rounds):
    event = Event(5)
    for _ in range(rounds):
        event, _ = play_round(FORMAT, event, favourites)
    return play_out(FORMAT, replace(event, withdrawn=frozenset({1})), favourites)


def test_who_withdraws_before_half_of_its_matches_is_struck_from_the_table():
    event, calls = withdrawn_after(1)

    rows = FORMAT.standings(event)
    assert not [table for due in calls for table in due if table.is_bye]
    assert [(row.entrant, row.points) for row in rows] == [(2, 3), (3, 2), (4, 1), (5, 0), (1, 0)]
    assert rows[-1].explanation == "0 points; withdrawn"
    assert FORMAT.champion(event) == 2


def test_who_withdraws_later_is_walked_over_by_those_it_did_not_meet():
    event, calls = withdrawn_after(4)

    byes = [table for due in calls for table in due if table.is_bye]
    assert len(byes) == 1
    rows = FORMAT.standings(event)
    assert rows[-1].entrant == 1
    assert sum(row.points for row in rows) == 10


def test_an_option_out_of_range_is_refused():
    with pytest.raises(ValueError, match=r"cycles 9 is not in 1\.\.4"):
        FORMAT.preview(4, {"cycles": 9})
