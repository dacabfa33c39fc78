"""What the matches of a tick gave, in the form that the rating formulas read."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from ladder.models import Entry, Play, Tick
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
    outcomes: list[Outcome]
    matches: dict[int, Outcome]
    totals: dict[int, Totals]


def results_of(tick: Tick) -> Results:
    """The outcomes of a tick's finished matches, by version."""
    finished = tick.matches.finished()
    versions: dict[int, list[int]] = defaultdict(list)
    totals: dict[int, Totals] = defaultdict(Totals)
    for match, version, score in (
        Entry.objects.filter(match__in=finished)
        .order_by("match", "slot")
        .values_list("match", "version", "score")
    ):
        versions[match].append(version)
        totals[version].sets += 1
        totals[version].scores.append(score or 0.0)
    rows: dict[int, list[list[float]]] = defaultdict(list)
    for match, seating, places, points in (
        Play.objects.filter(match__in=finished)
        .order_by("match", "index")
        .values_list("match", "seating", "places", "points")
    ):
        by_slot = dict(zip(seating, points if tick.board.is_solo else places, strict=True))
        rows[match].append([by_slot.get(slot) for slot in range(len(versions[match]))])
        for slot, value in dict(zip(seating, points, strict=True)).items():
            totals[versions[match][slot]].plays += 1
            totals[versions[match][slot]].points.append(value)
    if tick.board.is_solo:
        return _solo(versions, rows, totals)
    by_match = {m: Outcome.from_places(versions[m], rows[m]) for m in rows}
    return Results(list(by_match.values()), by_match, dict(totals))


def _solo(
    versions: dict[int, list[int]],
    rows: dict[int, list[list[float]]],
    totals: dict[int, Totals],
) -> Results:
    """All matches of a solo tick are one result: the same versions, a seed each."""
    by_table: dict[tuple[int, ...], list[list[float]]] = defaultdict(list)
    for match, plays in rows.items():
        # Every play is one version alone: gather the one score each has on this seed.
        scores = [next(v for v in column if v is not None) for column in zip(*plays, strict=True)]
        by_table[tuple(versions[match])].append(scores)
    outcomes = [Outcome.from_scores(table, seeds) for table, seeds in by_table.items()]
    return Results(outcomes, {}, dict(totals))
