"""Public tournaments as a calendar (RFC 5545): when they start, and when check-in opens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from ladder.contract.calendars import CalendarEntry
from ladder.queries import calendars

MOST = 200
FRESH = cache_control(public=True, max_age=300)
SHOWN = timedelta(hours=1)  # nobody knows how long a tournament takes


@FRESH
@require_safe
def all_tournaments(request: HttpRequest) -> HttpResponse:
    return _calendar(calendars.calendar(MOST))


@FRESH
@require_safe
def one_tournament(request: HttpRequest, pk: int) -> HttpResponse:
    found = calendars.calendar_entry(pk)
    if found is None:
        raise Http404
    return _calendar([found])


def _calendar(entries: Iterable[CalendarEntry]) -> HttpResponse:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Ladle//Tournaments//EN"]
    lines += ["X-WR-CALNAME:Ladle tournaments"]
    for entry in entries:
        lines += _event(entry)
    lines.append("END:VCALENDAR")
    text = "".join(f"{part}\r\n" for line in lines for part in _folded(line))
    return HttpResponse(text, content_type="text/calendar; charset=utf-8")


def _event(entry: CalendarEntry) -> Iterator[str]:
    start = entry.started_at or entry.start_at
    if start is None:
        return  # it starts when its organiser says so
    end = entry.ended_at or start + SHOWN
    host = urlsplit(settings.SITE_URL).hostname
    note = f"{entry.format}, {entry.board}."
    if entry.check_in_from:
        note += f" Check-in opens {entry.check_in_from.astimezone(UTC):%d %b %Y, %H:%M} UTC."
    yield "BEGIN:VEVENT"
    yield f"UID:tournament-{entry.id}@{host}"
    yield f"DTSTAMP:{_moment(entry.created_at)}"
    yield f"DTSTART:{_moment(start)}"
    yield f"DTEND:{_moment(max(end, start))}"
    yield f"SUMMARY:{_text(entry.name)}"
    yield f"DESCRIPTION:{_text(note)}"
    yield f"URL:{settings.SITE_URL}{reverse('tournament', args=[entry.id])}"
    yield f"STATUS:{'CANCELLED' if entry.is_cancelled else 'CONFIRMED'}"
    yield "END:VEVENT"


def _moment(when: datetime) -> str:
    return f"{when.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(words: str) -> str:
    for mark in ("\\", ";", ","):
        words = words.replace(mark, f"\\{mark}")
    return words.replace("\r", "").replace("\n", "\\n")


def _folded(line: str) -> Iterator[str]:
    """Lines of at most 75 bytes; one that goes on begins with a space."""
    part, length = "", 0
    for letter in line:
        size = len(letter.encode())
        if length + size > 75:
            yield part
            part, length = " ", 1
        part, length = part + letter, length + size
    yield part
