from dataclasses import replace
from random import Random

import pytest

from ladder.ratings.outcome import expected
from ladder.tournaments import Event
from ladder.tournaments.formats.gauntlet import Gauntlet
from tests.ladder.tournaments.playing import favourites, play_out, random_results

FORMAT = Gauntlet()


@pytest.mark.parametrize(("n", "challengers"), [(2, 1), (7, 1), (7, 3), (4, 9)])
def test_every_challenger_meets_every_reference_once_and_nobody_else(n, challengers):
    event = Event(n, options={"challengers": challengers})

    event, calls = play_out(FORMAT, event, random_results(Random(1)))

    bold = range(1, min(challengers, n - 1) + 1)
    rest = range(len(bold) + 1, n + 1)
    met = [table.entrants for due in calls for table in due]
    assert sorted(met) == [(a, b) for a in bold for b in rest]
    preview = FORMAT.preview(n, event.options)
    assert (preview.rounds, preview.matches) == (len(calls), len(met))
    for due in calls:
        seated = [seed for table in due for seed in table.entrants]
        assert len(set(seated)) == len(seated)


def test_the_challenger_is_placed_among_the_references_by_performance():
    event = Event(4, options={"cycles": 10}, ratings={1: 900.0, 2: 1900.0, 3: 1500.0, 4: 1100.0})

    def beats_only_the_weak(table):
        return (1, 2) if table.entrants[1] > 2 else (2, 1)

    event, _ = play_out(FORMAT, event, beats_only_the_weak)

    fitted = FORMAT.fitted(event)
    assert [row.entrant for row in FORMAT.standings(event)] == [2, 1, 3, 4]
    assert 1500 < fitted.rated[1].value < 1900
    assert fitted.rated[1].variance > 0 == fitted.rated[2].variance


def covered(seed, error, *, is_told):
    """Whether a challenger of 1500 is covered after 80 games against references known to ±error."""
    rng = Random(seed)
    truth = {1: 1500.0, 2: 1650.0, 3: 1550.0, 4: 1450.0, 5: 1350.0}
    shown = {key: elo + rng.gauss(0, error) for key, elo in truth.items() if key > 1}
    event = Event(5, options={"cycles": 10}, ratings=shown)
    if is_told:
        event = replace(event, errors=dict.fromkeys(shown, error))

    def by_strength(table):
        one, other = (truth[key] for key in table.entrants)
        return (1, 2) if rng.random() < expected(one - other) else (2, 1)

    event, _ = play_out(FORMAT, event, by_strength)
    challenger = FORMAT.fitted(event).rated[1]
    return challenger.low <= truth[1] <= challenger.high


def test_the_interval_counts_what_is_not_known_of_the_references():
    told, untold = (
        sum(covered(seed, 147.0, is_told=is_told) for seed in range(100)) for is_told in (1, 0)
    )

    assert told > 90 > untold


def test_nobody_is_champion_and_a_challenger_learns_its_performance():
    event = Event(3, ratings={2: 1600.0, 3: 1400.0})

    event, _ = play_out(FORMAT, event, favourites)

    assert FORMAT.champion(event) is None
    best = FORMAT.standings(event)[0]
    assert best.entrant == 1
    assert best.explanation.startswith("performance ")
    assert "at least" in best.explanation


def test_a_withdrawn_reference_is_passed_over():
    _, calls = play_out(FORMAT, Event(4, withdrawn=frozenset({3})), favourites)

    assert [table.entrants for due in calls for table in due] == [(1, 2), (1, 4)]
