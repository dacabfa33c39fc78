"""What happened, as values: for feeds, notices, the stream and webhooks."""

from __future__ import annotations

import msgspec
from django.db.models import Max, Min

from ladder.boards import Board
from ladder.contract.events import Facts, Happening, Kind
from ladder.models import Event as EventRow
from ladder.models.event import EventQuerySet


def as_value(row: EventRow) -> Happening:
    """What happened, with its facts."""
    facts = msgspec.convert(row.facts, Facts)
    return Happening(
        id=row.pk,
        kind=Kind(row.kind),
        at=row.at,
        game=row.game,
        seats=row.seats,
        match=row.match,
        tournament=row.tournament,
        bot=row.bot,
        **{name: getattr(facts, name) for name in Facts.__struct_fields__},
    )


def after(last: int, count: int) -> list[Happening]:
    """Public events after an id, oldest first."""
    return [as_value(row) for row in EventRow.objects.public().after(last)[:count]]


def ends() -> tuple[int, int]:
    """The ids of the oldest and the newest event that are stored; 0 where there is none."""
    # One at a time: asked for both, SQLite would read the whole table.
    oldest = EventRow.objects.aggregate(pk=Min("pk"))["pk"]
    newest = EventRow.objects.aggregate(pk=Max("pk"))["pk"]
    return oldest or 0, newest or 0


def news(count: int) -> list[Happening]:
    """The newest of the whole site."""
    return _read(EventRow.objects.news(), count)


def news_of_bot(bot: int, count: int) -> list[Happening]:
    return _read(EventRow.objects.news().filter(bot=bot), count)


def news_of_author(owner: int, count: int) -> list[Happening]:
    return _read(EventRow.objects.news().filter(owner=owner), count)


def news_of_board(board: Board, count: int) -> list[Happening]:
    found = EventRow.objects.news().filter(game=board.game, seats=board.seats)
    return _read(found, count)


def news_of_tournament(tournament: int, count: int) -> list[Happening]:
    return _read(EventRow.objects.news().filter(tournament=tournament), count)


def _read(rows: EventQuerySet, count: int) -> list[Happening]:
    return [as_value(row) for row in rows[:count]]
