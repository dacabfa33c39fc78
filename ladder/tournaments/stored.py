"""A tournament as it is stored, read for its format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from ladder.tournaments.format import Event, Outcome, Score, Table
from ladder.tournaments.record import set_score


class Entered(Protocol):
    """Who took part, and what was known of it at the start."""

    @property
    def rating(self) -> float | None: ...

    @property
    def rating_error(self) -> float | None: ...

    @property
    def left_at_step(self) -> int | None: ...


class Drawn(Protocol):
    """A table of a round, with its result once it is decided."""

    @property
    def round(self) -> int: ...

    @property
    def table(self) -> int: ...

    @property
    def label(self) -> str: ...

    @property
    def entrants(self) -> list[int]: ...

    @property
    def result(self) -> dict[str, Any] | None: ...

    @property
    def finished_at(self) -> Any: ...


def event_of(
    entrants: Mapping[int, Entered],
    tables: Iterable[Drawn],
    options: Mapping[str, int],
    commitment: str,
) -> Event:
    tables = list(tables)
    known = entrants.items()
    return Event(
        entrants=len(entrants),
        finished=tuple(score_of(one) for one in tables if one.result is not None),
        withdrawn=frozenset(seed for seed, one in known if one.left_at_step is not None),
        options=options,
        seated=tuple(table_of(one) for one in tables if one.finished_at is None),
        key=commitment,
        ratings={seed: one.rating for seed, one in known if one.rating is not None},
        errors={seed: one.rating_error for seed, one in known if one.rating_error is not None},
    )


def outcome_of(drawn: Drawn) -> Outcome | None:
    """None while it is open."""
    if drawn.finished_at is None:
        return None
    if drawn.result is None:
        return Outcome.CALLED_OFF
    return Outcome.BYE if len(drawn.entrants) == 1 else Outcome.PLAYED


def table_of(drawn: Drawn) -> Table:
    return Table(drawn.round, drawn.table, drawn.label, tuple(drawn.entrants))


def score_of(drawn: Drawn) -> Score:
    assert drawn.result is not None, "a finished table has its result"
    return Score(table_of(drawn), tuple(set_score(one) for one in drawn.result["sets"]))
