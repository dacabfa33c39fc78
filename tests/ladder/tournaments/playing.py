"""Running a tournament to its end with made-up results."""

from collections.abc import Callable
from dataclasses import replace

from ladder.tournaments import Event, Format, Score, SetScore, Table
from ladder.tournaments.knockout import knockout_winner

Decide = Callable[[Table], tuple[int, ...]]


def favourites(table: Table) -> tuple[int, ...]:
    """Places by seed."""
    return tuple(sorted(table.entrants).index(seed) + 1 for seed in table.entrants)


def random_results(rng) -> Decide:
    """Places at random, level ones included."""
    return lambda table: tuple(rng.randint(1, len(table.entrants)) for _ in table.entrants)


def play(format_: Format, table: Table, decide: Decide) -> Score:
    """One table, with as many sets as it takes."""
    if table.is_bye:
        return Score(table)
    sets = [SetScore.from_places([decide(table)])]
    while format_.is_knockout and knockout_winner(table.entrants, sets).needs_set:
        sets.append(SetScore.from_places([decide(table)]))
    return Score(table, tuple(sets))


def play_round(format_: Format, event: Event, decide: Decide) -> tuple[Event, list[Table]]:
    """Everything due now, and the tables it was."""
    due = format_.tables_due(event)
    scores = tuple(play(format_, table, decide) for table in due)
    return replace(event, finished=event.finished + scores), due


def play_out(format_: Format, event: Event, decide: Decide) -> tuple[Event, list[list[Table]]]:
    """The event at its end, and the tables of each call in turn."""
    calls = []
    while not format_.is_over(event):
        event, due = play_round(format_, event, decide)
        calls.append(due)
        assert len(calls) < 1000
    return event, calls
