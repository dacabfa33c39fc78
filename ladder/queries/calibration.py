"""Whether the ratings of this site come true, by its own matches."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Min

from ladder.boards import Board
from ladder.models import BoardFit, Entry, Match, RatingChange
from ladder.queries.shares import Share
from ladder.ratings.intervals import Z95, wilson
from ladder.ratings.outcome import expected

NEWEST_ENTRIES = 20_000
NEWEST_RATINGS = 2_000
BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Seats for which about the same score was expected, and what they scored."""

    low: int  # per cent
    high: int
    predicted: float
    scored: float
    reach: float  # of the 95% interval of what they scored
    seats: int

    @property
    def is_right(self) -> bool:
        return abs(self.predicted - self.scored) <= self.reach


def predictions() -> list[Bin]:
    """By expected score: what ranked bots were expected to score when seated, and did score.

    What a rating did not know yet when the match was made cannot have helped it.
    """
    seats: dict[int, list[tuple[int | None, float]]] = defaultdict(list)
    newest = Entry.objects.filter(
        match__kind=Match.Kind.LADDER, match__status=Match.Status.FINISHED
    ).order_by("-match_id")
    rows = newest.values_list("match_id", "rating_milli", "score")[:NEWEST_ENTRIES]
    for match, milli, score in rows:
        seats[match].append((milli, score or 0.0))
    if sum(map(len, seats.values())) == NEWEST_ENTRIES:
        seats.popitem()  # the last table may not be whole
    bins: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for table in seats.values():
        ratings = [milli for milli, _ in table if milli is not None]
        if len(table) < 2 or len(ratings) < len(table):
            continue
        for i, (own, (_, score)) in enumerate(zip(ratings, table, strict=True)):
            others = ratings[:i] + ratings[i + 1 :]
            chance = math.fsum(expected((own - other) / 1000) for other in others) / len(others)
            bins[min(BINS - 1, int(BINS * chance))].append((chance, score))
    return [_bin(number, pairs) for number, pairs in sorted(bins.items())]


def _bin(number: int, pairs: list[tuple[float, float]]) -> Bin:
    count = len(pairs)
    scored = math.fsum(score for _, score in pairs) / count
    squares = math.fsum((score - scored) ** 2 for _, score in pairs)
    step = 100 // BINS
    return Bin(
        low=step * number,
        high=step * (number + 1),
        predicted=math.fsum(chance for chance, _ in pairs) / count,
        scored=scored,
        reach=Z95 * math.sqrt(squares / max(1, count - 1) / count) if count > 1 else 1.0,
        seats=count,
    )


def first_intervals() -> Share | None:
    """How often the interval at a version's first rank holds what is known of it by now.

    Counted are versions known twice as well since; None if there are none. Those differ from the
    truth a little too, so about 97 of 100 are expected, not 95.
    """
    firsts = (
        RatingChange.objects.filter(is_provisional=False, rating__is_anchor=False)
        .values("rating")
        .annotate(first=Min("pk"))
        .order_by("-rating")
        .values_list("first", flat=True)[:NEWEST_RATINGS]
    )
    held = total = 0
    for low, high, now, low_now, high_now in RatingChange.objects.filter(
        pk__in=list(firsts)
    ).values_list(
        "low_milli", "high_milli", "rating__milli", "rating__low_milli", "rating__high_milli"
    ):
        if 2 * (high_now - low_now) <= high - low:
            total += 1
            held += low <= now <= high
    return Share(held / total, *wilson(held, total), total) if total else None


def dispersions() -> list[tuple[Board, float]]:
    """How far sets scatter on each board compared with what the formula expects."""
    fits = BoardFit.objects.exclude(fitted_at=None).order_by("game", "seats")
    return [(Board(one.game, one.seats), one.dispersion) for one in fits]
