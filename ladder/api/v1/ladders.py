"""Ladders as JSON, straight from `.values()`: the most asked-for list is the cheapest one.

Pages seek by (rating, version) along the index rating_ladder. A ladder as of an earlier tick is
put together from the rating changes up to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db import connection
from django.db.models import Max
from rest_framework.exceptions import ValidationError

from ladder.boards import Board
from ladder.models import Rating, RatingChange, Tick
from ladder.ratings.elo import Standing
from ladder.ratings.entry import is_provisional
from ladder.ratings.intervals import Z95

FIELDS = (
    "version_id",
    "bot_id",
    "bot__name",
    "bot__owner__username",
    "bot__is_house",
    "version__number",
    "milli",
    "fitted_error",
    "band",
    "is_provisional",
    "effective_games",
    "sets",
    "plays",
    "score_sum",
    "points_sum",
    "last_played_at",
)
PAST_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page begins: beyond this rating and version, going down or up the ladder."""

    milli: int
    version: int
    is_up: bool = False

    @classmethod
    def parse(cls, text: str) -> Place:
        found = re.fullmatch(r"(after|before)\.(-?[0-9]{1,11})\.([0-9]{1,16})", text)
        if found is None:
            raise ValidationError({"cursor": ["This is not a cursor of this list."]})
        return cls(int(found[2]), int(found[3]), found[1] == "before")


Row = dict[str, Any]


def page(board: Board, place: Place | None, size: int, provisional: bool, search: str = "") -> Row:
    """A page of the present ladder: its rows and where its neighbours begin."""
    listed = Rating.objects.on(board).listed().filter(is_provisional=provisional)
    fields = FIELDS
    if search:
        listed, fields = listed.named(search).with_rank(), (*FIELDS, "rank")
    if place is None:
        found = list(listed.by_rank().values(*fields)[: size + 1])
    elif place.is_up:
        above = listed.filter(milli__gte=place.milli).exclude(
            milli=place.milli, version_id__gte=place.version
        )
        found = list(above.order_by("milli", "-version_id").values(*fields)[: size + 1])
    else:
        below = listed.filter(milli__lte=place.milli).exclude(
            milli=place.milli, version_id__lte=place.version
        )
        found = list(below.by_rank().values(*fields)[: size + 1])
    rows, following, preceding = _cut(found, place, size)
    if rows and not provisional and not search:
        first = rows[0]
        ahead = Rating.objects.on(board).ahead_of(first["milli"], first["version_id"])
        rank = 1 if place is None else ahead.count() + 1
        for row in rows:
            row["rank"], rank = rank, rank + 1
    return {
        "next": following,
        "previous": preceding,
        "results": [told(row, row.get("rank")) for row in rows],
    }


def past_page(
    board: Board, tick: int, place: Place | None, size: int, provisional: bool, search: str = ""
) -> Row:
    """A page of the ladder as it stood after a tick."""
    everyone = cache.get_or_set(
        f"ladder:{board}:{tick}:{_version_of(board)}", lambda: _past(board, tick), PAST_SECONDS
    )
    ladder = [row for row in everyone if row["is_provisional"] == provisional]
    found = [row for row in ladder if _is_named(row, search)]
    if place is not None:
        key = (-place.milli, place.version)
        if place.is_up:
            found = [row for row in found if _key(row) < key][::-1]
        else:
            found = [row for row in found if _key(row) > key]
    rows, following, preceding = _cut(found[: size + 1], place, size)
    ranks = {} if provisional else {_key(row): rank for rank, row in enumerate(ladder, 1)}
    return {
        "next": following,
        "previous": preceding,
        "results": [told(row, ranks.get(_key(row))) for row in rows],
    }


def last_tick(board: Board) -> int:
    """The number of the newest tick that was rated; 0 before the first."""
    # Written out, as every ladder asks it; it enters the index one_tick_per_number at its end.
    sql = (
        f"SELECT number FROM {Tick._meta.db_table} WHERE game = %s AND seats = %s"
        " AND applied_at IS NOT NULL ORDER BY number DESC LIMIT 1"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [board.game, board.seats])
        row = cursor.fetchone()
    return row[0] if row else 0


def told(row: Row, rank: int | None) -> Row:
    error, sets, plays = row["fitted_error"], row["sets"], row["plays"]
    played = row["last_played_at"]
    return {
        "rank": rank,
        "bot": {
            "id": row["bot_id"],
            "name": row["bot__name"],
            "owner": row["bot__owner__username"],
            "is_house": row["bot__is_house"],
        },
        "version": row["version__number"],
        "elo": row["milli"] / 1000,
        "error": error and round(error * Z95, 1),
        "band": row["band"],
        "is_provisional": row["is_provisional"],
        "games": row["effective_games"],
        "sets": sets,
        "plays": plays,
        "win_rate": round(row["score_sum"] / sets, 4) if sets else None,
        "mean_points": round(row["points_sum"] / plays, 3) if plays else None,
        "last_played_at": played and f"{played:%Y-%m-%dT%H:%M:%S.%f}Z",
    }


def _cut(
    found: list[Row], place: Place | None, size: int
) -> tuple[list[Row], str | None, str | None]:
    """The rows to show, in ladder order, and the cursors of the next and previous page."""
    more, rows = len(found) > size, found[:size]
    is_up = place is not None and place.is_up
    if is_up:
        rows.reverse()
    if not rows:
        return rows, None, None
    following = f"after.{rows[-1]['milli']}.{rows[-1]['version_id']}"
    preceding = f"before.{rows[0]['milli']}.{rows[0]['version_id']}"
    if is_up:
        return rows, following, preceding if more else None
    return rows, following if more else None, preceding if place else None


def _is_named(row: Row, text: str) -> bool:
    names = (row["bot__name"], row["bot__owner__username"])
    return any(text.lower() in name.lower() for name in names)


def _key(row: Row) -> tuple[int, int]:
    return -row["milli"], row["version_id"]


def _version_of(board: Board) -> int:
    """Changes whenever a board's history is rated anew, so that no old ladder is kept."""
    changes = RatingChange.objects.filter(tick__game=board.game, tick__seats=board.seats)
    return changes.aggregate(newest=Max("pk"))["newest"] or 0


def _past(board: Board, tick: int) -> list[Row]:
    """All rows after a tick, best first: of each bot the version that was rated last."""
    changes = RatingChange.objects.filter(
        tick__game=board.game, tick__seats=board.seats, tick__number__lte=tick
    ).order_by("tick__number", "rating__version__number")
    rows: dict[int, Row] = {}
    for change in changes.values(
        "before_milli",
        "delta_milli",
        "games_before",
        "games_gained",
        "sets",
        "plays",
        "score_sum",
        "points_sum",
        "fitted_error",
        "tick__applied_at",
        "rating__is_anchor",
        "rating__version_id",
        "rating__version__number",
        "rating__bot_id",
        "rating__bot__name",
        "rating__bot__owner__username",
        "rating__bot__is_house",
    ):
        bot, version = change["rating__bot_id"], change["rating__version_id"]
        row = rows.get(bot)
        if row is None or row["version_id"] != version:
            row = rows[bot] = {
                "version_id": version,
                "bot_id": bot,
                "bot__name": change["rating__bot__name"],
                "bot__owner__username": change["rating__bot__owner__username"],
                "bot__is_house": change["rating__bot__is_house"],
                "version__number": change["rating__version__number"],
                "band": None,
                **dict.fromkeys(("sets", "plays", "score_sum", "points_sum"), 0),
            }
        row["milli"] = change["before_milli"] + change["delta_milli"]
        row["effective_games"] = change["games_before"] + change["games_gained"]
        standing = Standing(row["milli"], row["effective_games"], change["rating__is_anchor"])
        row["is_provisional"] = is_provisional(standing)
        row["fitted_error"] = change["fitted_error"]
        row["last_played_at"] = change["tick__applied_at"]
        for name in ("sets", "plays", "score_sum", "points_sum"):
            row[name] += change[name]
    return sorted(rows.values(), key=_key)
