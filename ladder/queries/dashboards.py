"""What an author's dashboard shows of each bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from ladder.boards import Board
from ladder.contract.bots import OwnBoard, Rival
from ladder.models import Rating
from ladder.queries import matches
from ladder.queries.ladders import trends


def boards_of(bots: Sequence[int]) -> dict[int, list[OwnBoard]]:
    """Where these bots stand now, by bot, each bot's main board first: where it has played most."""
    ranked: QuerySet[Any] = Rating.objects.filter(bot__in=bots).listed().with_rank()
    rows = list(
        ranked.values(
            "id", "bot", "game", "seats", "version_id", "milli", "rank", "is_provisional", "sets"
        )
    )
    by_rating = trends([row["id"] for row in rows])
    found: dict[int, list[OwnBoard]] = {}
    for row in sorted(rows, key=lambda row: (-row["sets"], row["seats"])):
        line = OwnBoard(
            game=row["game"],
            seats=row["seats"],
            version_id=row["version_id"],
            elo=row["milli"] / 1000,
            rank=row["rank"],
            is_provisional=row["is_provisional"],
            sets=row["sets"],
            trend=by_rating.get(row["id"], []),
        )
        found.setdefault(row["bot"], []).append(line)
    return found


def rival_above(line: OwnBoard, bot: int) -> Rival | None:
    """The bot one rank above on a board; None for the best, and before there is a rank."""
    if line.rank is None or line.rank == 1:
        return None
    board = Board(line.game, line.seats)
    above = Rating.objects.on(board).ahead_of(round(1000 * line.elo), line.version_id)
    nearest = above.order_by("milli", "-version_id").values_list("bot", "bot__name", "milli")
    for other, name, milli in nearest[:2]:
        if other != bot:
            newest = matches.of_bot(other, 1, board)
            match = newest[0].id if newest else None
            return Rival(bot=other, name=name, elo=milli / 1000, match=match)
    return None
