"""Tournaments as calendars show them."""

from __future__ import annotations

from datetime import datetime

from ladder.contract import Value


class CalendarEntry(Value, frozen=True, kw_only=True):
    """A public tournament and its times."""

    id: int
    name: str
    board: str
    format: str
    created_at: datetime
    start_at: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    check_in_from: datetime | None
    is_cancelled: bool
