"""Ladders: a page of a board now or as of a tick, its podium, and the rank of a version.

Pages seek by (rating, version) along the index rating_ladder; the rank of a page's first row is
one count on that index. A ladder as of an earlier tick is put together from the rating changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.db import connection
from django.db.models import Count, Max, Q, QuerySet

from ladder.boards import Board
from ladder.models import Rating, RatingChange, Tick
from ladder.queries.keyset import Cursor, Order, Page, cut
from ladder.ratings.intervals import interval_in_words, mean_of_sums

PAST_SECONDS = 60
ORDER = Order("-milli", "version_id")
FIELDS = (
    "id",
    "version_id",
    "version__number",
    "bot_id",
    "bot__name",
    "bot__owner__username",
    "bot__is_house",
    "milli",
    "low_milli",
    "high_milli",
    "band",
    "is_provisional",
    "sets",
    "plays",
    "score_sum",
    "points_sum",
    "points_square_sum",
    "last_played_at",
)


SUMS = ("sets", "plays", "score_sum", "points_sum", "points_square_sum")
PAST_FIELDS = (
    "rating__version_id",
    "rating__version__number",
    "rating__bot_id",
    "rating__bot__name",
    "rating__bot__owner__username",
    "rating__bot__is_house",
    "milli",
    "low_milli",
    "high_milli",
    "is_provisional",
    *SUMS,
    "tick__applied_at",
)


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A version on a board; the fields are FIELDS in their order, then its rank."""

    id: int | None  # of its rating; None in a ladder of the past
    version_id: int
    version: int
    bot_id: int
    name: str
    owner: str
    is_house: bool
    milli: int
    low_milli: int
    high_milli: int
    band: int | None
    is_provisional: bool
    sets: int
    plays: int
    score_sum: float
    points_sum: float
    points_square_sum: float
    last_played_at: datetime | None
    rank: int | None = None

    @property
    def interval(self) -> str:
        """The 95% interval in words."""
        ends = (self.milli, self.low_milli, self.high_milli)
        return interval_in_words(*(milli / 1000 for milli in ends))

    @property
    def win_rate(self) -> float | None:
        return self.score_sum / self.sets if self.sets else None

    @property
    def mean_points(self) -> tuple[float, float] | None:
        return mean_of_sums(self.plays, self.points_sum, self.points_square_sum)


@dataclass(frozen=True, slots=True)
class Podium:
    """The best of a board."""

    board: Board
    best: list[LadderRow]

    @property
    def seats(self) -> int:
        return self.board.seats


@dataclass(frozen=True, slots=True)
class Size:
    """How many are on a board, and how often it was rated."""

    ranked: int = 0
    provisional: int = 0
    tick: int = 0


def page(
    board: Board, at: Cursor | None, size: int, *, provisional: bool = False, search: str = ""
) -> Page[LadderRow]:
    """A page of the present ladder."""
    rows = Rating.objects.on(board)
    rows = rows.provisional() if provisional else rows.ranked()
    if search:
        rows = rows.named(search)
        fields = FIELDS if provisional else (*FIELDS, "rank")
        return ORDER.page(
            rows if provisional else rows.with_rank(),
            at,
            size,
            keys=_keys,
            read=lambda some: [LadderRow(*row) for row in some.values_list(*fields)],
        )
    found = ORDER.page(rows, at, size, keys=_keys, read=_read)
    if provisional or not found.rows:
        return found
    first = 1 if at is None else rank(board, found.rows[0].milli, found.rows[0].version_id)
    return replace(
        found, rows=[replace(row, rank=number) for number, row in enumerate(found.rows, first)]
    )


def past_page(
    board: Board,
    tick: int,
    at: Cursor | None,
    size: int,
    *,
    provisional: bool = False,
    search: str = "",
) -> Page[LadderRow]:
    """A page of the ladder as it stood after a tick."""
    everyone: Any = cache.get_or_set(
        f"ladder:{board}:{tick}:{_age(board)}", lambda: _past(board, tick), PAST_SECONDS
    )
    found = [row for row in everyone if row.is_provisional == provisional and _named(row, search)]
    if at is not None:
        key = (-at.key, at.id)
        if at.is_back:
            found = [row for row in found if _place(row) < key][::-1]
        else:
            found = [row for row in found if _place(row) > key]
    return cut(found[: size + 1], at, size, keys=_keys)


def podium(board: Board, count: int = 3) -> Podium:
    return Podium(board, _read(Rating.objects.on(board).ranked().by_rank()[:count]))


def rank(board: Board, milli: int, version: int) -> int:
    """The rank of a ranked version."""
    return Rating.objects.on(board).ahead_of(milli, version).count() + 1


def sizes(boards: Sequence[Board]) -> dict[Board, Size]:
    """Of all boards at once."""
    of_board = Rating.objects.listed().order_by().values_list("game", "seats")
    is_waiting = Q(is_provisional=True)
    counts = {
        Board(game, seats): (ranked, provisional)
        for game, seats, ranked, provisional in of_board.annotate(
            ranked=Count("pk", filter=~is_waiting), provisional=Count("pk", filter=is_waiting)
        )
    }
    rated = last_ticks(boards)
    return {board: Size(*counts.get(board, (0, 0)), tick=rated.get(board, 0)) for board in boards}


def last_tick(board: Board) -> int:
    """The number of the newest tick that was rated; 0 before the first."""
    return last_ticks([board]).get(board, 0)


def last_ticks(boards: Sequence[Board]) -> dict[Board, int]:
    """The newest rated tick of each board that has one.

    Written out as SQL: each board enters the index one_tick_per_number at its end, where a
    grouping would read all ticks there are.
    """
    newest = (
        f"SELECT * FROM (SELECT game, seats, number FROM {Tick._meta.db_table} WHERE game = %s"
        " AND seats = %s AND applied_at IS NOT NULL ORDER BY number DESC LIMIT 1) AS newest"
    )
    with connection.cursor() as cursor:
        named = [value for board in boards for value in (board.game, board.seats)]
        cursor.execute(" UNION ALL ".join([newest] * len(boards)), named)
        return {Board(game, seats): number for game, seats, number in cursor.fetchall()}


def ticks(board: Board) -> Any:
    return Tick.objects.on(board)


def trends(ratings: Sequence[int], count: int) -> dict[int, list[int]]:
    """The last few values of each rating, oldest first.

    Written out as SQL: one small index walk per rating. A window over all their history would
    read thousands of rows to show twenty.
    """
    if not ratings:
        return {}
    newest = (
        "SELECT * FROM (SELECT rating_id, milli FROM ladder_ratingchange"
        f" WHERE rating_id = %s ORDER BY id DESC LIMIT {int(count)}) AS newest"
    )
    values: dict[int, list[int]] = {}
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join([newest] * len(ratings)), ratings)
        for rating, milli in cursor.fetchall():
            values.setdefault(rating, []).append(milli)
    return {rating: values[::-1] for rating, values in values.items()}


def _read(rows: QuerySet[Rating]) -> list[LadderRow]:
    return [LadderRow(*row) for row in rows.values_list(*FIELDS)]


def _keys(row: LadderRow) -> tuple[int, int]:
    return row.milli, row.version_id


def _place(row: LadderRow) -> tuple[int, int]:
    return -row.milli, row.version_id


def _named(row: LadderRow, text: str) -> bool:
    return any(text.lower() in name.lower() for name in (row.name, row.owner))


def _age(board: Board) -> int:
    """Changes whenever a board's history is rated anew, so that no old ladder is kept."""
    changes = RatingChange.objects.filter(tick__game=board.game, tick__seats=board.seats)
    return changes.aggregate(newest=Max("pk"))["newest"] or 0


def _past(board: Board, tick: int) -> list[LadderRow]:
    """All rows after a tick, best first: of each bot the version that was rated last."""
    changes = RatingChange.objects.filter(
        tick__game=board.game, tick__seats=board.seats, tick__number__lte=tick
    ).order_by("tick__number", "rating__version__number")
    rows: dict[int, LadderRow] = {}
    for who, rating, is_provisional, sums, at in (
        (row[:6], row[6:9], row[9], row[10:15], row[15])
        for row in changes.values_list(*PAST_FIELDS)
    ):
        version, _, bot, *_ = who
        before = rows.get(bot)
        if before is not None and before.version_id == version:
            sums = [gained + getattr(before, name) for name, gained in zip(SUMS, sums, strict=True)]
        cells: list[Any] = [None, *who, *rating, None, is_provisional, *sums, at]
        rows[bot] = LadderRow(*cells)
    ladder = sorted(rows.values(), key=_place)
    ranked = (row for row in ladder if not row.is_provisional)
    ranks = {row.version_id: number for number, row in enumerate(ranked, 1)}
    return [replace(row, rank=ranks.get(row.version_id)) for row in ladder]
