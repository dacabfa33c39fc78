"""Public tournaments and their times, and names of what has a feed."""

from __future__ import annotations

from ladder.contract.calendars import CalendarEntry
from ladder.models import Bot, Tournament
from ladder.tournaments import FORMATS


def calendar(count: int) -> list[CalendarEntry]:
    """The newest public tournaments with a time."""
    found = Tournament.objects.visible_to(None).order_by("-id")[:count]
    return [_as_value(row) for row in found if row.started_at or row.start_at]


def calendar_entry(tournament: int) -> CalendarEntry | None:
    """A public tournament; None for a private one, as for one that does not exist."""
    row = Tournament.objects.visible_to(None).filter(pk=tournament).first()
    return None if row is None else _as_value(row)


def public_bot_name(bot: int) -> str | None:
    """A public bot's name; None for any other."""
    found = Bot.objects.visible_to(None).filter(pk=bot)
    return found.values_list("name", flat=True).first()


def _as_value(row: Tournament) -> CalendarEntry:
    return CalendarEntry(
        id=row.pk,
        name=row.name,
        board=row.board.title,
        format=FORMATS[row.format].title,
        created_at=row.created_at,
        start_at=row.start_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        check_in_from=row.check_in_from,
        is_cancelled=row.status == Tournament.Status.CANCELLED,
    )
