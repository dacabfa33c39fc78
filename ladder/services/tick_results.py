"""What matches gave, in the form that the rating formulas read."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from ladder.boards import Board
from ladder.models import Entry, Play, Tick
from ladder.models.match import MatchQuerySet
from ladder.ratings.elo import Outcome


@dataclass(slots=True)
class Totals:
    """What a version did in a tick, besides winning and losing."""

    sets: int = 0
    plays: int = 0
    scores: list[float] = field(default_factory=list)
    points: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Results:
    """By version: who beat whom, and the totals."""

    outcomes: list[Outcome]
    matches: dict[int, Outcome]
    totals: dict[int, Totals]
    entries: dict[tuple[int, int], int]  # their ids by match and version


def results_of(tick: Tick) -> Results:
    """What a tick's finished matches gave."""
    return read(tick.matches.finished(), tick.board)


def read(finished: MatchQuerySet, board: Board) -> Results:
    """What finished matches of a board gave, of one tick or of many."""
    versions: dict[int, list[int]] = defaultdict(list)
    ticks: dict[int, int] = {}
    totals: dict[int, Totals] = defaultdict(Totals)
    entries: dict[tuple[int, int], int] = {}
    for entry, match, tick, version, score in (
        Entry.objects.filter(match__in=finished)
        .order_by("match_id", "slot")
        .values_list("pk", "match_id", "match__tick_id", "version_id", "score")
    ):
        versions[match].append(version)
        ticks[match] = tick
        entries[match, version] = entry
        totals[version].sets += 1
        totals[version].scores.append(score or 0.0)
    rows: dict[int, list[list[float]]] = defaultdict(list)
    for match, seating, places, points in (
        Play.objects.filter(match__in=finished)
        .order_by("match_id", "index")
        .values_list("match_id", "seating", "places", "points")
    ):
        by_slot = dict(zip(seating, points if board.is_solo else places, strict=True))
        rows[match].append([by_slot.get(slot) for slot in range(len(versions[match]))])
        for slot, value in dict(zip(seating, points, strict=True)).items():
            totals[versions[match][slot]].plays += 1
            totals[versions[match][slot]].points.append(value)
    if board.is_solo:
        return Results(_solo(ticks, versions, rows), {}, dict(totals), entries)
    by_match = {m: Outcome.from_places(versions[m], rows[m]) for m in rows}
    return Results(list(by_match.values()), by_match, dict(totals), entries)


def _solo(
    ticks: dict[int, int], versions: dict[int, list[int]], rows: dict[int, list[list[float]]]
) -> list[Outcome]:
    """All matches of a solo tick are one result: the same versions, a seed each."""
    by_table: dict[tuple[int, ...], list[list[float]]] = defaultdict(list)
    for match, plays in rows.items():
        # Every play is one version alone: gather the one score each has on this seed.
        scores = [next(v for v in column if v is not None) for column in zip(*plays, strict=True)]
        by_table[ticks[match], *versions[match]].append(scores)
    return [Outcome.from_scores(table, seeds) for (_, *table), seeds in by_table.items()]
