"""A user's notices, and what the user follows."""

from __future__ import annotations

from datetime import datetime

from ladder.contract import Value


class Notice(Value, frozen=True, kw_only=True):
    id: int
    kind: str
    text: str
    page: str
    count: int  # how often it happened since it was last read
    at: datetime
    is_read: bool


class Following(Value, frozen=True, kw_only=True):
    """Something that a user follows."""

    subject: str
    target: str
    title: str


class Choices(Value, frozen=True, kw_only=True):
    """What a user has chosen: how often mail comes, and by kind and bot (0: all) which channel."""

    rhythm: str
    channels: dict[tuple[str, int], str]
