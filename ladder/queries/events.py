"""What happened, as values: for feeds, notices, the stream and webhooks."""

from __future__ import annotations

import msgspec
from django.db.models import Max, Min
from django.urls import reverse

from ladder.boards import Board
from ladder.contract.events import Event, Facts, Kind, sentence
from ladder.models import Event as EventRow
from ladder.models.event import EventQuerySet


def as_value(row: EventRow) -> Event:
    """An event as everybody outside reads it."""
    facts = msgspec.convert(row.facts, Facts)
    kind = Kind(row.kind)
    return Event(
        id=row.pk,
        kind=kind,
        at=row.at,
        text=sentence(kind, facts),
        page=_page(row, facts),
        game=row.game,
        seats=row.seats,
        match=row.match,
        tournament=row.tournament,
        **{name: getattr(facts, name) for name in Facts.__struct_fields__},
    )


def _page(row: EventRow, facts: Facts) -> str:
    """The address that shows what happened."""
    if row.kind == Kind.WEBHOOK_DISABLED:
        return reverse("webhooks")
    if row.kind == Kind.OPERATOR_ACTED:
        return reverse("admin:ladder_auditentry_changelist")
    if facts.trial is not None and row.kind == Kind.TRIAL_DECIDED:
        return reverse("trial", args=[facts.trial])
    if row.match is not None:
        return reverse("match", args=[row.match])
    if row.tournament is not None:
        return reverse("tournament", args=[row.tournament])
    if row.game is not None and row.bot is None:
        return reverse("board", args=[row.game, row.seats])
    return reverse("bot", args=[row.bot]) if row.bot else reverse("home")


def after(last: int, count: int) -> list[Event]:
    """Public events after an id, oldest first."""
    return [as_value(row) for row in EventRow.objects.public().after(last)[:count]]


def ends() -> tuple[int, int]:
    """The ids of the oldest and the newest event that are stored; 0 where there is none."""
    # One at a time: asked for both, SQLite would read the whole table.
    oldest = EventRow.objects.aggregate(pk=Min("pk"))["pk"]
    newest = EventRow.objects.aggregate(pk=Max("pk"))["pk"]
    return oldest or 0, newest or 0


def news(count: int) -> list[Event]:
    """The newest of the whole site."""
    return _read(EventRow.objects.news(), count)


def news_of_bot(bot: int, count: int) -> list[Event]:
    return _read(EventRow.objects.news().filter(bot=bot), count)


def news_of_author(owner: int, count: int) -> list[Event]:
    return _read(EventRow.objects.news().filter(owner=owner), count)


def news_of_board(board: Board, count: int) -> list[Event]:
    found = EventRow.objects.news().filter(game=board.game, seats=board.seats)
    return _read(found, count)


def news_of_tournament(tournament: int, count: int) -> list[Event]:
    return _read(EventRow.objects.news().filter(tournament=tournament), count)


def _read(rows: EventQuerySet, count: int) -> list[Event]:
    return [as_value(row) for row in rows[:count]]
