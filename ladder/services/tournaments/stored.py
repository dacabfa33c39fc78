"""What is stored of a tournament, as its format reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.results import PlayResult, set_result
from ladder.models import Enrolment, Match, Pairing, Play, Tournament
from ladder.tournaments import FORMATS, Event, Format, Row
from ladder.tournaments.stored import event_of


@dataclass(slots=True)
class Stored:
    """A tournament that has begun, with all its rows, in two queries."""

    tournament: Tournament
    entrants: dict[int, Enrolment]  # by seed
    pairings: list[Pairing]

    @classmethod
    def load(cls, tournament: Tournament) -> Stored:
        frozen = (
            tournament.enrolments.exclude(version=None)
            .select_related("bot__owner", "version")
            .order_by("seed")
        )
        return cls(
            tournament,
            {one.seed: one for one in frozen if one.seed is not None},
            list(tournament.pairings.order_by("round", "table")),
        )

    @property
    def format(self) -> Format:
        return FORMATS[self.tournament.format]

    @property
    def open(self) -> list[Pairing]:
        return [one for one in self.pairings if one.finished_at is None]

    def event(self) -> Event:
        row = self.tournament
        return event_of(self.entrants, self.pairings, row.format_options, row.commitment)

    def standings(self) -> list[Row]:
        return self.format.standings(self.event()) if self.entrants else []

    def champion(self) -> int | None:
        if self.tournament.status != Tournament.Status.FINISHED or not self.entrants:
            return None
        return self.format.champion(self.event())


def set_as_json(match: Match, plays: Sequence[Play], entrants: int) -> dict[str, Any]:
    """A finished set as a record holds it: places and points of each play, by entrant."""
    rows = [PlayResult(one.seating, one.places, one.points, {}, {}, {}) for one in plays]
    found = set_result(rows, entrants)
    return {
        "number": match.number,
        "match": match.pk,
        "seed": match.seed,
        "places": [list(row) for row in found.places],
        "points": [list(row) for row in found.points],
        "digests": [play.digest for play in plays],
    }
