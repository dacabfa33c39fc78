"""What matches gave, in the form that the rating formulas read."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import Any

from ladder.boards import Board
from ladder.models import Entry, Play
from ladder.models.match import MatchQuerySet
from ladder.ratings.outcome import Outcome


@dataclass(slots=True)
class Totals:
    """What a version did in a tick, besides winning and losing."""

    sets: int = 0
    plays: int = 0
    scores: list[float] = field(default_factory=list)
    points: list[float] = field(default_factory=list)

    def counters(self) -> dict[str, float]:
        """As they are added up in ratings and their history."""
        return {
            "sets": self.sets,
            "plays": self.plays,
            "score_sum": math.fsum(self.scores),
            "points_sum": math.fsum(self.points),
            "points_square_sum": math.fsum(value * value for value in self.points),
        }


@dataclass(slots=True)
class Read:
    """Who beat whom, by line of versions; and by version the totals, by tick and all together."""

    outcomes: list[Outcome]
    by_tick: dict[int, dict[int, Totals]]
    plays: list[tuple[list[int], list[list[Any]]]]  # by set: versions, and places of each play

    @property
    def totals(self) -> dict[int, Totals]:
        found: dict[int, Totals] = defaultdict(Totals)
        for versions in self.by_tick.values():
            for version, one in versions.items():
                found[version].sets += one.sets
                found[version].plays += one.plays
                found[version].scores += one.scores
                found[version].points += one.points
        return dict(found)


def read(finished: MatchQuerySet, board: Board) -> Read:
    """What finished matches of a board gave, of one tick or of many."""
    versions: dict[int, list[int]] = defaultdict(list)
    lines: dict[int, int] = {}  # by version, whose rating it has
    ticks: dict[int, int] = {}
    totals: dict[int, dict[int, Totals]] = defaultdict(lambda: defaultdict(Totals))
    for match, tick, version, same_as, score in (
        Entry.objects.filter(match__in=finished)
        .order_by("match_id", "slot")
        .values_list("match_id", "match__tick_id", "version_id", "version__same_as_id", "score")
    ):
        versions[match].append(version)
        lines[version] = same_as or version
        ticks[match] = tick
        totals[tick][version].sets += 1
        totals[tick][version].scores.append(score or 0.0)
    rows: dict[int, list[list[Any]]] = defaultdict(list)  # None: not in this play, which is solo
    for match, seating, places, points in (
        Play.objects.filter(match__in=finished)
        .order_by("match_id", "index")
        .values_list("match_id", "seating", "places", "points")
    ):
        by_slot = dict(zip(seating, points if board.is_solo else places, strict=True))
        rows[match].append([by_slot.get(slot) for slot in range(len(versions[match]))])
        for slot, value in dict(zip(seating, points, strict=True)).items():
            own = totals[ticks[match]][versions[match][slot]]
            own.plays += 1
            own.points.append(value)
    if board.is_solo:
        return Read(_by_line(_solo(ticks, versions, rows), lines), dict(totals), [])
    outcomes = [Outcome.from_places(versions[m], rows[m]) for m in rows]
    plays = [(versions[m], rows[m]) for m in rows]
    return Read(_by_line(outcomes, lines), dict(totals), plays)


def _by_line(outcomes: list[Outcome], lines: dict[int, int]) -> list[Outcome]:
    """The same with versions of one program as one, which never meets itself."""
    return [
        replace(one, entrants=entrants)
        for one in outcomes
        if len(set(entrants := tuple(lines[key] for key in one.entrants))) == len(entrants)
    ]


def _solo(
    ticks: dict[int, int], versions: dict[int, list[int]], rows: dict[int, list[list[Any]]]
) -> list[Outcome]:
    """All matches of a solo tick are one result: the same versions, a seed each."""
    by_table: dict[tuple[int, ...], list[list[float]]] = defaultdict(list)
    for match, plays in rows.items():
        # Every play is one version alone: gather the one score each has on this seed.
        scores = [next(v for v in column if v is not None) for column in zip(*plays, strict=True)]
        by_table[ticks[match], *versions[match]].append(scores)
    return [Outcome.from_scores(table, seeds) for (_, *table), seeds in by_table.items()]
