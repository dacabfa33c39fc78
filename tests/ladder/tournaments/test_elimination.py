import re
from dataclasses import replace
from random import Random

import pytest

from ladder.tournaments import Event, Score, SetScore
from ladder.tournaments.bracket import State, bracket_order
from ladder.tournaments.formats.double_elimination import DoubleElimination
from ladder.tournaments.formats.single_elimination import SingleElimination
from tests.ladder.tournaments.playing import favourites, play_out, random_results

SINGLE, DOUBLE = SingleElimination(), DoubleElimination()


def upsets(table):
    return tuple(reversed(favourites(table)))


def test_bracket_orders_are_the_printed_ones():
    assert bracket_order(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    assert bracket_order(16) == [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]


def test_single_elimination_of_six_gives_the_byes_to_the_top_seeds():
    _, calls = play_out(SINGLE, Event(6), favourites)

    assert [[table.entrants for table in due] for due in calls] == [
        [(4, 5), (3, 6)],
        [(1, 4), (2, 3)],
        [(1, 2)],
    ]


def test_the_third_place_match_decides_third_place():
    event, calls = play_out(SINGLE, Event(4, options={"third_place": 1}), favourites)

    assert [table.label for table in calls[-1]] == ["Third place", "Final"]
    rows = SINGLE.standings(event)
    assert [(row.place, row.entrant) for row in rows] == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert [row.explanation for row in rows] == [
        "2 won; won the final",
        "1 won; lost the final",
        "1 won; won the match for third place",
        "0 won; lost the match for third place",
    ]


def test_without_it_the_semi_finalists_share_third_place():
    event, _ = play_out(SINGLE, Event(8), favourites)

    assert [row.place for row in SINGLE.standings(event)] == [1, 2, 3, 3, 5, 5, 5, 5]


@pytest.mark.parametrize("n", range(2, 65))
@pytest.mark.parametrize("third_place", [0, 1])
def test_single_elimination_ends_with_one_champion_who_never_lost(n, third_place):
    event = Event(n, options={"third_place": third_place})

    event, calls = play_out(SINGLE, event, random_results(Random(n)))

    champion = SINGLE.champion(event)
    preview = SINGLE.preview(n, event.options)
    assert len(event.finished) == preview.matches == n - 1 + (third_place and n > 3)
    assert len(calls) == preview.rounds
    rows = SINGLE.standings(event)
    assert [row.entrant for row in rows if row.place == 1] == [champion]
    assert all(one.winner == champion for one in SINGLE.bracket(event).values()
               if champion in one.entrants)  # fmt: skip


def test_double_elimination_of_six_runs_as_printed_when_favourites_win():
    event, _ = play_out(DOUBLE, Event(6), favourites)

    played = {
        label: one.entrants
        for label, one in DOUBLE.bracket(event).items()
        if one.state is State.FINISHED
    }
    assert {label: set(pair) for label, pair in played.items()} == {
        "W1-2": {4, 5}, "W1-4": {3, 6}, "W2-1": {1, 4}, "W2-2": {2, 3},
        "L2-1": {3, 5}, "L2-2": {4, 6}, "L3-1": {3, 4},
        "W3-1": {1, 2}, "L4-1": {2, 3}, "Final": {1, 2},
    }  # fmt: skip
    assert len(event.finished) == 10
    assert [row.entrant for row in DOUBLE.standings(event)][:4] == [1, 2, 3, 4]


@pytest.mark.parametrize("n", range(2, 65))
def test_double_elimination_ends_with_one_champion_and_everyone_else_beaten_twice(n):
    event, _ = play_out(DOUBLE, Event(n), random_results(Random(n)))

    filled = [one for one in DOUBLE.bracket(event).values() if one.state is State.FINISHED]
    champion = DOUBLE.champion(event)
    losses = {seed: sum(one.loser == seed for one in filled) for seed in event.seeds}
    reset = any(one.node.label == "Reset" for one in filled)
    assert len(event.finished) == 2 * n - 2 + reset
    assert losses.pop(champion) == reset
    assert set(losses.values()) == {2}
    assert DOUBLE.standings(event)[0].entrant == champion


@pytest.mark.parametrize("n", [2, 3, 6, 8, 13])
def test_a_beaten_finalist_of_the_winners_gets_a_reset_only_where_it_is_wanted(n):
    def all_but_the_final(table):
        return upsets(table) if table.label == "Final" else favourites(table)

    event, _ = play_out(DOUBLE, Event(n), all_but_the_final)
    short, _ = play_out(DOUBLE, Event(n, options={"reset": 0}), all_but_the_final)

    assert len(event.finished) == 2 * n - 1
    assert DOUBLE.champion(event) == 1
    assert len(short.finished) == 2 * n - 2
    assert DOUBLE.champion(short) == 2


def test_nobody_meets_the_same_opponent_again_in_the_first_losers_rounds():
    event, _ = play_out(DOUBLE, Event(16), favourites)
    met = set()

    for one in DOUBLE.bracket(event).values():
        if one.node.label.startswith(("W", "L1", "L2", "L3")):
            assert frozenset(one.entrants) not in met
            met.add(frozenset(one.entrants))


@pytest.mark.parametrize("format_", [SINGLE, DOUBLE])
@pytest.mark.parametrize("n", [2, 3, 5, 8, 11])
def test_withdrawals_are_walked_over_and_the_event_still_ends(format_, n):
    for seed in range(10):
        rng = Random(seed)
        event = Event(n)
        while not format_.is_over(event):
            tables = format_.tables_due(event)
            assert not any(event.withdrawn.intersection(table.entrants) for table in tables)
            scores = []
            for table in tables:
                if rng.random() < 0.3 and len(event.withdrawn) < n - 1:
                    event = replace(event, withdrawn=event.withdrawn | {table.entrants[0]})
                else:
                    places = (1, 2) if rng.random() < 0.5 else (2, 1)
                    scores.append(Score(table, (SetScore.from_places([places]),)))
            event = replace(event, finished=(*event.finished, *scores))

        rows = format_.standings(event)
        assert sorted(row.entrant for row in rows) == list(event.seeds)
        assert format_.champion(event) == rows[0].entrant


def test_two_withdrawn_finalists_leave_no_champion():
    event, _ = play_out(SINGLE, Event(4, withdrawn=frozenset({1, 2, 3, 4})), favourites)

    assert SINGLE.champion(event) is None
    assert "withdrew before Final" not in {row.explanation for row in SINGLE.standings(event)}
    assert len(SINGLE.standings(event)) == 4


def test_an_undecided_table_stays_due():
    event = Event(2)
    drawn = SetScore((0.5, 0.5))
    table = SINGLE.tables_due(event)[0]

    assert SINGLE.tables_due(replace(event, finished=(Score(table, (drawn,)),))) == [table]
    assert SINGLE.is_over(replace(event, finished=(Score(table, (drawn,) * 21),)))


def test_the_bracket_names_what_feeds_each_match():
    bracket = DOUBLE.bracket(Event(4))

    feeds = {
        label: [(source.take.value, source.label or source.seed) for source in one.node.sources]
        for label, one in bracket.items()
    }
    assert feeds == {
        "W1-1": [("seed", 1), ("seed", 4)],
        "W1-2": [("seed", 2), ("seed", 3)],
        "L1-1": [("loser", "W1-1"), ("loser", "W1-2")],
        "W2-1": [("winner", "W1-1"), ("winner", "W1-2")],
        "L2-1": [("winner", "L1-1"), ("loser", "W2-1")],
        "Final": [("winner", "W2-1"), ("winner", "L2-1")],
        "Reset": [("winner", "Final"), ("loser", "Final")],
    }
    assert len({(one.node.round, one.node.number) for one in bracket.values()}) == len(bracket)


def test_who_leaves_a_double_elimination_is_told_so_in_the_words_of_people():
    def results(table):
        # The second seed comes back from the losers' bracket and wins both finals.
        return (
            upsets(table)
            if set(table.entrants) == {1, 2} and table.label != "W2-1"
            else favourites(table)
        )

    event, calls = play_out(DOUBLE, Event(4), results)

    rows = {row.entrant: row.explanation for row in DOUBLE.standings(event)}
    assert [table.entrants for table in calls[-1]] in ([(1, 2)], [(2, 1)])
    assert rows[2].endswith("won the second final")
    assert rows[1].endswith("lost the second final")
    assert rows[3].endswith("out in losers’ round 2")
    assert rows[4].endswith("out in losers’ round 1")
    assert not [told for told in rows.values() if re.search(r"Reset|\b[WL]\d", told)]
