"""Writing events. Call `record` last in a transaction: on PostgreSQL writers take turns from there
to the commit, and whoever then waited for another row could wait in a circle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any

import msgspec
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from ladder.boards import Board
from ladder.contract.events import Audience, Facts, Kind
from ladder.models import Event

COLUMNS = (
    *("kind", "audience", "at", "game", "seats", "bot", "owner", "tournament", "match"),
    *("is_news", "facts"),
)


@dataclass(frozen=True, slots=True)
class Draft:
    """An event before it has its id."""

    kind: Kind
    facts: Facts
    audience: Audience = Audience.PUBLIC
    board: Board | None = None
    owner: int | None = None  # whom it is for
    tournament: int | None = None
    match: int | None = None
    is_news: bool = True

    @property
    def bot(self) -> int | None:
        """The one bot it is about; a match is about several."""
        is_of_match = self.kind == Kind.MATCH_FINISHED
        return self.facts.bots[0].id if self.facts.bots and not is_of_match else None


def record(drafts: Iterable[Draft]) -> None:
    """Store events in one statement, in the transaction of what caused them.

    Written as SQL: this runs for every match, and the ORM takes ten times the CPU.
    """
    drafts = list(drafts)
    if not drafts:
        return
    assert connection.in_atomic_block, "an event belongs to the transaction that causes it"
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    values = [value for draft in drafts for value in _row(draft, now)]
    with connection.cursor() as cursor:
        cursor.execute(_sql(connection.vendor, len(drafts)), values)


def _row(draft: Draft, now: Any) -> tuple[Any, ...]:
    board = draft.board
    return (
        *(draft.kind.value, draft.audience.value, now),
        *((board.game, board.seats) if board else (None, None)),
        *(draft.bot, draft.owner, draft.tournament, draft.match, draft.is_news),
        _ENCODER.encode(draft.facts).decode(),
    )


_ENCODER = msgspec.json.Encoder()


@cache
def _sql(vendor: str, count: int) -> str:
    row = f"({', '.join(['%s'] * len(COLUMNS))})"
    names = ", ".join(f'"{name}"' for name in COLUMNS)
    return f"INSERT INTO {Event._meta.db_table} ({names}) VALUES {', '.join([row] * count)}"


def forget_old(batch: int = 5000) -> int:
    """Drop events past this site's retention, in batches; how many went."""
    if not settings.KEEP_EVENTS_DAYS:
        return 0
    too_old = timezone.now() - timedelta(days=settings.KEEP_EVENTS_DAYS)
    with transaction.atomic():
        oldest = list(Event.objects.order_by("pk").values_list("pk", "at")[:batch])
        gone = [pk for pk, at in oldest if at < too_old]
        if gone:
            Event.objects.filter(pk__lte=gone[-1]).delete()
    return len(gone)
