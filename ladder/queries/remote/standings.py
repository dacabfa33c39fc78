"""The boards of the open class."""

from __future__ import annotations

from typing import Any

from ladder.boards import Board
from ladder.contract.boards import LadderBot
from ladder.contract.remote import OpenRow
from ladder.models import OpenRating, RemoteBot
from ladder.queries.keyset import Cursor, Order, Page

ORDER = Order("-milli", "version_id", int)
FIELDS = (
    *("bot_id", "bot__name", "bot__owner__username", "bot__is_house"),
    *("version_id", "is_remote", "milli", "low_milli", "high_milli", "plays", "is_provisional"),
    *("fair_milli", "fair_low_milli", "fair_high_milli", "fair_plays", "last_played_at"),
)


def page(board: Board, at: Cursor | None, size: int) -> Page[OpenRow]:
    """A page of a board, best first; only remote bots have ranks."""
    found = ORDER.page(
        OpenRating.objects.on(board).listed(),
        at,
        size,
        keys=lambda stored: (stored["milli"], stored["version_id"]),
        read=lambda rows: list(rows.values(*FIELDS)),
    )
    bots = [stored["bot_id"] for stored in found.rows]
    online = set(RemoteBot.objects.online().filter(pk__in=bots).values_list("pk", flat=True))
    rank = _ranked_before(board, found.rows[0]) if found.rows else 0
    for stored in found.rows:
        is_ranked = stored["is_remote"] and not stored["is_provisional"]
        rank += is_ranked
        stored["rank"] = rank if is_ranked else None
        stored["is_online"] = stored["bot_id"] in online
    return found.of(_row)


def of_bot(bot: int) -> list[tuple[Board, OpenRow]]:
    """A remote bot's ratings, by board; without ranks."""
    rows = OpenRating.objects.filter(bot=bot).order_by("game", "seats")
    found = []
    for stored in rows.values(*FIELDS, "game", "seats"):
        board = Board(stored.pop("game"), stored.pop("seats"))
        found.append((board, _row({**stored, "rank": None, "is_online": False})))
    return found


def _ranked_before(board: Board, stored: dict[str, Any]) -> int:
    ahead = OpenRating.objects.on(board).ranked()
    milli, version = stored["milli"], stored["version_id"]
    return (
        ahead.filter(milli__gt=milli).count()
        + ahead.filter(milli=milli, version_id__lt=version).count()
    )


def _row(stored: dict[str, Any]) -> OpenRow:
    return OpenRow(
        rank=stored["rank"],
        bot=LadderBot(
            id=stored["bot_id"],
            name=stored["bot__name"],
            owner=stored["bot__owner__username"],
            is_house=stored["bot__is_house"],
        ),
        is_remote=stored["is_remote"],
        is_online=stored["is_online"],
        elo=stored["milli"] / 1000,
        low=stored["low_milli"] / 1000,
        high=stored["high_milli"] / 1000,
        plays=stored["plays"],
        is_provisional=stored["is_provisional"],
        fair_elo=stored["fair_milli"] / 1000,
        fair_low=stored["fair_low_milli"] / 1000,
        fair_high=stored["fair_high_milli"] / 1000,
        fair_plays=stored["fair_plays"],
        last_played_at=stored["last_played_at"],
    )
