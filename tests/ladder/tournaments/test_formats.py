"""What holds for every format there is."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.tournaments import FORMATS, Event
from tests.ladder.tournaments.playing import play, play_out, random_results

every_format = pytest.mark.parametrize("format_", FORMATS.values(), ids=list(FORMATS))


@every_format
@settings(max_examples=8, deadline=None)
@given(n=st.integers(2, 20), seed=st.integers(0, 10**6))
def test_what_is_due_depends_on_nothing_but_the_stored_results(format_, n, seed):
    rng = Random(seed)
    event = Event(n, key="soup")
    while not format_.is_over(event):
        due = format_.tables_due(event)
        stored = tuple(due) if rng.random() < 0.5 else ()
        shuffled = rng.sample(event.finished, len(event.finished))
        again = replace(event, finished=tuple(shuffled), seated=stored)
        assert format_.tables_due(again) == due
        assert len({(table.round, table.number) for table in due}) == len(due)
        scores = [play(format_, table, random_results(rng)) for table in due]
        event = replace(event, finished=(*event.finished, *scores))


@every_format
@settings(max_examples=8, deadline=None)
@given(n=st.integers(2, 20), seed=st.integers(0, 10**6))
def test_no_table_is_given_twice_and_labels_are_unique(format_, n, seed):
    event, _ = play_out(format_, Event(n), random_results(Random(seed)))

    tables = [score.table for score in event.finished]
    assert len({(table.round, table.number) for table in tables}) == len(tables)
    assert len({table.label for table in tables}) == len(tables)


@every_format
@pytest.mark.parametrize("n", [2, 3, 7, 16, 31, 64])
def test_the_standings_hold_everyone_once_with_a_reason_and_a_champion(format_, n):
    event, _ = play_out(format_, Event(n), random_results(Random(n)))

    rows = format_.standings(event)
    assert sorted(row.entrant for row in rows) == list(event.seeds)
    assert all(row.explanation for row in rows)
    assert [row.place for row in rows] == sorted(row.place for row in rows)
    if format_.name == "gauntlet":  # which measures and does not crown
        assert format_.champion(event) is None
    else:
        assert format_.champion(event) in event.seeds


@every_format
@settings(max_examples=8, deadline=None)
@given(n=st.integers(2, 12), seed=st.integers(0, 10**6))
def test_withdrawals_never_stop_an_event_and_never_play_again(format_, n, seed):
    rng = Random(seed)
    event = Event(n)
    while not format_.is_over(event):
        due = format_.tables_due(event)
        assert all(table.entrants for table in due)
        assert not any(event.withdrawn.intersection(table.entrants) for table in due)
        played = [table for table in due if rng.random() < 0.7]
        scores = [play(format_, table, random_results(rng)) for table in played]
        seated = tuple(table for table in due if table not in played)
        event = replace(event, finished=(*event.finished, *scores), seated=seated)
        if rng.random() < 0.3:
            event = replace(event, withdrawn=event.withdrawn | {rng.randint(1, n)})

    assert len(format_.standings(event)) == n


@every_format
def test_before_the_first_result_there_is_a_preview_but_no_champion(format_):
    event = Event(6)

    assert format_.champion(event) is None
    assert format_.preview(6).matches > 0
    assert len(format_.standings(event)) == 6


@every_format
def test_every_option_accepts_its_default(format_):
    for option in format_.options:
        assert option.lowest <= option.default <= option.highest
        assert format_.option({}, option.name) == option.default
