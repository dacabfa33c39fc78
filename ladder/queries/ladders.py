"""Ladders: a page of a board now or as of a tick, its podium, and the rank of a version.

Pages seek by (rating, version) along the index rating_ladder; the rank of a page's first row is
one count on that index. A ladder as of an earlier tick is the last change of each rating up to it,
one seek in the index one_change_per_rating.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from django.db import connection
from django.db.models import Count, IntegerField, Q, Value

from ladder.boards import Board
from ladder.contract import boards as contract
from ladder.contract.boards import LadderBot, LadderRow, Podium, Standing
from ladder.models import Rating, RatingChange, Tick
from ladder.models.rating import COUNTERS
from ladder.queries.keyset import Cursor, Order, Page, cut
from ladder.queries.values import Reading, thousandths
from ladder.ratings.intervals import mean_of_sums

ORDER = Order("-milli", "version_id", int)
TICKS = Order("", "-number")
TREND = 20  # changes in a sparkline


def _share(total: float, count: int, digits: int) -> float | None:
    return round(total / count, digits) if count else None


# How a row is read; `_row` fills in the rank.
ROW = Reading(
    LadderRow,
    rank=(lambda: None,),
    bot=(Reading(LadderBot, owner="owner__username"), "bot"),
    version="version__number",
    authorship="version__authorship",
    elo=(thousandths, "milli"),
    low=(thousandths, "low_milli"),
    high=(thousandths, "high_milli"),
    win_rate=(lambda score, sets: round(score / sets, 4) if sets else None, "score_sum", "sets"),
    mean_points=(
        lambda sum, plays: round(sum / plays, 3) if plays else None,
        "points_sum",
        "plays",
    ),
)
# With what cursors, trends and errors of means need besides.
NOW = tuple(dict.fromkeys([*ROW.columns, "id", "version_id", *COUNTERS]))
# The same of a rating change: what was counted up to it, and no band, which is of the newest fit.
OF_CHANGE: dict[str, str | Value] = {
    "id": "rating_id",
    "band": Value(None, output_field=IntegerField()),
    "last_played_at": "tick__applied_at",
    **{name: name for name in ("milli", "low_milli", "high_milli", "is_provisional")},
    **{name: f"total_{name}" for name in COUNTERS},
}
THEN = tuple(OF_CHANGE.get(name, f"rating__{name}") for name in NOW)
# What decides who is shown in a ladder of the past, and where.
PLACE = (
    "tick_id",
    "rating__version__number",
    "milli",
    "rating__version_id",
    "is_provisional",
    "pk",
)
Stored = dict[str, Any]  # by the names of NOW


def _row(stored: Stored) -> LadderRow:
    row = ROW.made(tuple(stored[name] for name in ROW.columns))
    return msgspec.structs.replace(row, rank=stored.get("rank"))


def page(
    board: Board,
    at: Cursor | None,
    size: int,
    *,
    tick: int | None = None,
    provisional: bool = False,
    search: str = "",
    authorship: str = "",
) -> Page[LadderRow]:
    """A page of the ladder now, or as it stood after a tick."""
    if tick is None:
        return _present(board, at, size, provisional, search, authorship).of(_row)
    return _past(board, tick, at, size, provisional, search, authorship).of(_row)


def standings(
    board: Board,
    at: Cursor | None,
    size: int,
    *,
    provisional: bool = False,
    search: str = "",
    authorship: str = "",
) -> Page[Standing]:
    """A page of the present ladder with what the site draws."""
    found = _present(board, at, size, provisional, search, authorship)
    by_rating = trends([stored["id"] for stored in found.rows])
    return found.of(lambda stored: _standing(stored, by_rating.get(stored["id"], [])))


def of_bots(board: Board, bots: Sequence[int]) -> list[LadderRow]:
    """Where these bots stand now, best first, ranked or not; without their ranks."""
    stored = Rating.objects.on(board).listed().filter(bot__in=bots).order_by().values(*NOW)
    return [_row(one) for one in sorted(stored, key=lambda one: (-one["milli"], one["version_id"]))]


def podium(board: Board, count: int = 3) -> Podium:
    best = Rating.objects.on(board).ranked().by_rank()[:count]
    return Podium(seats=board.seats, best=[_row(stored) for stored in best.values(*NOW)])


def ticks(board: Board, at: Cursor | None, size: int) -> Page[contract.Tick]:
    """The ticks of a board, newest first."""
    found = TICKS.page(
        Tick.objects.on(board),
        at,
        size,
        keys=lambda tick: (None, tick["number"]),
        read=lambda rows: list(rows.values("number", "created_at", "applied_at")),
    )
    return found.of(lambda tick: contract.Tick(**tick))


def _standing(stored: Stored, trend: list[int]) -> Standing:
    mean = mean_of_sums(stored["plays"], stored["points_sum"], stored["points_square_sum"])
    return Standing(row=_row(stored), points_error=mean[1] if mean else None, trend=trend)


def _present(
    board: Board, at: Cursor | None, size: int, provisional: bool, search: str, authorship: str
) -> Page[Stored]:
    rows = Rating.objects.on(board)
    rows = rows.provisional() if provisional else rows.ranked()
    if search or authorship:
        rows = rows.named(search) if search else rows
        rows = rows.filter(version__authorship=authorship) if authorship else rows
        fields = NOW if provisional else (*NOW, "rank")
        rows = rows if provisional else rows.with_rank()
        return ORDER.page(rows, at, size, keys=_keys, read=lambda some: list(some.values(*fields)))
    found = ORDER.page(rows, at, size, keys=_keys, read=lambda some: list(some.values(*NOW)))
    if provisional or not found.rows:
        return found
    best = found.rows[0]
    first = 1 if at is None else rank(board, best["milli"], best["version_id"])
    for number, stored in enumerate(found.rows, first):
        stored["rank"] = number
    return found


def _past(
    board: Board,
    tick: int,
    at: Cursor | None,
    size: int,
    provisional: bool,
    search: str,
    authorship: str,
) -> Page[Stored]:
    changes = RatingChange.objects.last_up_to(board, tick).order_by()
    latest: dict[int, tuple[Any, ...]] = {}  # of each bot the version that was rated last
    for bot, *change in changes.values_list("rating__bot_id", *PLACE):
        latest[bot] = max(latest.get(bot, ()), tuple(change))
    places = sorted(
        (-milli, version, pk)
        for _, _, milli, version, is_waiting, pk in latest.values()
        if is_waiting == provisional
    )
    ranks = {pk: None if provisional else rank for rank, (*_, pk) in enumerate(places, 1)}
    if search:
        named = set(changes.named(search).values_list("pk", flat=True))
        places = [place for place in places if place[2] in named]
    if authorship:
        written = changes.filter(rating__version__authorship=authorship)
        written_so = set(written.values_list("pk", flat=True))
        places = [place for place in places if place[2] in written_so]
    if at is not None:
        key = (-at.key, at.id)
        if at.is_back:
            places = [place for place in places if place[:2] < key][::-1]
        else:
            places = [place for place in places if place[:2] > key]
    shown = [pk for *_, pk in places[: size + 1]]
    stored = RatingChange.objects.filter(pk__in=shown).order_by()
    rows = {
        pk: dict(zip(NOW, row, strict=True), rank=ranks[pk])
        for pk, *row in stored.values_list("pk", *THEN)
    }
    return cut([rows[pk] for pk in shown], at, size, keys=_keys)


def rank(board: Board, milli: int, version: int) -> int:
    """The rank of a ranked version."""
    return Rating.objects.on(board).ahead_of(milli, version).count() + 1


def sized(boards: Sequence[Board]) -> list[contract.Board]:
    """Boards, and how many are on them; asked for all at once."""
    of_board = Rating.objects.listed().order_by().values_list("game", "seats")
    is_waiting = Q(is_provisional=True)
    counts = {
        Board(game, seats): (ranked, provisional)
        for game, seats, ranked, provisional in of_board.annotate(
            ranked=Count("pk", filter=~is_waiting), provisional=Count("pk", filter=is_waiting)
        )
    }
    rated = last_ticks(boards)
    return [
        contract.Board(
            game=board.game,
            seats=board.seats,
            title=board.title,
            sides=board.sides,
            is_solo=board.is_solo,
            is_team=board.is_team,
            ranked=counts.get(board, (0, 0))[0],
            provisional=counts.get(board, (0, 0))[1],
            tick=rated.get(board, 0),
        )
        for board in boards
    ]


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


def trends(ratings: Sequence[int]) -> dict[int, list[int]]:
    """The last few values of each rating, oldest first.

    Written out as SQL: one small index walk per rating. A window over all their history would
    read thousands of rows to show twenty.
    """
    if not ratings:
        return {}
    newest = (
        "SELECT * FROM (SELECT rating_id, milli FROM ladder_ratingchange"
        f" WHERE rating_id = %s ORDER BY tick_id DESC LIMIT {TREND}) AS newest"
    )
    values: dict[int, list[int]] = {}
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join([newest] * len(ratings)), ratings)
        for rating, milli in cursor.fetchall():
            values.setdefault(rating, []).append(milli)
    return {rating: values[::-1] for rating, values in values.items()}


def _keys(stored: Stored) -> tuple[int, int]:
    return stored["milli"], stored["version_id"]
