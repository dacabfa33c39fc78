"""A site on which bots played yesterday."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from ladder.boards import Board
from ladder.models import Bot, Match
from ladder.queries.values import midnight
from tests.factories import make_bot, make_match
from tests.local_play import play_and_finish

BOARDS = [Board("ramen_ramen", 2), Board("potage_sauvage", 3), Board("hot_ramen", 2)]
BOARDS += [Board("safranito", 2)]


def noon(days_ago: int = 1) -> datetime:
    return midnight(timezone.now().date()) - timedelta(days=days_ago) + timedelta(hours=12)


def played(board: Board, *bots: Bot, at: datetime | None = None, **fields: object) -> Match:
    """A match that ended at that moment: yesterday at noon unless said otherwise."""
    bots = bots or tuple(make_bot(game=board.game) for _ in range(board.sides))
    match = make_match(*bots, board=board, **fields)
    assert play_and_finish(match)
    moment = at or noon()
    Match.all_objects.filter(pk=match.pk).update(
        started_at=moment - timedelta(seconds=3), finished_at=moment
    )
    return match


@pytest.fixture
def yesterday(db: None) -> dict[Board, Match]:
    return {board: played(board) for board in BOARDS}
