"""How accurate the ratings of this site are, checked against its own matches."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Min

from ladder.boards import Board
from ladder.contract.bots import Share
from ladder.models import BoardFit, Entry, Match, RatingChange
from ladder.queries.figures import share_of
from ladder.ratings.intervals import Z95
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
    bins: dict[int, list[list[tuple[float, float]]]] = defaultdict(list)
    for table in seats.values():
        ratings = [milli for milli, _ in table if milli is not None]
        if len(table) < 2 or len(ratings) < len(table):
            continue
        at_table: dict[int, list[tuple[float, float]]] = defaultdict(list)
        for i, (own, (_, score)) in enumerate(zip(ratings, table, strict=True)):
            others = ratings[:i] + ratings[i + 1 :]
            chance = math.fsum(expected((own - other) / 1000) for other in others) / len(others)
            at_table[min(BINS - 1, int(BINS * chance))].append((chance, score))
        for number, seated in at_table.items():
            bins[number].append(seated)
    return [_bin(number, tables) for number, tables in sorted(bins.items())]


def _bin(number: int, tables: list[list[tuple[float, float]]]) -> Bin:
    """Of seats by table: what one wins there another loses, so that tables are the unit."""
    pairs = [pair for table in tables for pair in table]
    count = len(pairs)
    surprise = math.fsum(score - chance for chance, score in pairs) / count
    squares = math.fsum(
        math.fsum(score - chance - surprise for chance, score in table) ** 2 for table in tables
    )
    freedom = len(tables) / max(1, len(tables) - 1)
    step = 100 // BINS
    return Bin(
        low=step * number,
        high=step * (number + 1),
        predicted=math.fsum(chance for chance, _ in pairs) / count,
        scored=math.fsum(score for _, score in pairs) / count,
        reach=Z95 * math.sqrt(freedom * squares) / count if len(tables) > 1 else 1.0,
        seats=count,
    )


class Held(Share, frozen=True, kw_only=True):
    n: int  # versions


def first_intervals() -> Held | None:
    """How often the rating at a version's first rank agrees with its results since then.

    Today's rating contains the results of then. With variances v then and w now, the results since
    then alone say x = (now/w - then/v) * u with variance u = 1/(1/w - 1/v), and 95 of 100 lie
    within 1.96 sqrt(v + u) of the rating of then. Counted are versions known twice as well since;
    None if there are none.
    """
    firsts = (
        RatingChange.objects.filter(is_provisional=False, rating__is_anchor=False)
        .values("rating")
        .annotate(first=Min("pk"))
        .order_by("-rating")
        .values_list("first", flat=True)[:NEWEST_RATINGS]
    )
    held = total = 0
    for then, low, high, now, low_now, high_now in RatingChange.objects.filter(
        pk__in=list(firsts)
    ).values_list(
        "milli",
        "low_milli",
        "high_milli",
        "rating__milli",
        "rating__low_milli",
        "rating__high_milli",
    ):
        if 2 * (high_now - low_now) <= high - low:
            total += 1
            held += _agrees(then, _variance(low, high), now, _variance(low_now, high_now))
    return Held(n=total, **share_of(held, total)) if total else None


def _variance(low: float, high: float) -> float:
    return max(1.0, ((high - low) / (2 * Z95)) ** 2)


def _agrees(then: float, before: float, now: float, after: float) -> bool:
    """Whether the results since `then` agree with it, given the variances before and after."""
    since = 1 / (1 / after - 1 / before)
    alone = (now / after - then / before) * since
    return abs(alone - then) <= Z95 * math.sqrt(before + since)


def dispersions() -> list[tuple[Board, float]]:
    """How far sets scatter on each board compared with what the formula expects."""
    fits = BoardFit.objects.exclude(fitted_at=None).order_by("game", "seats")
    return [(Board(one.game, one.seats), one.dispersion) for one in fits]
