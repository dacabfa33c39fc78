"""Bots and their ratings."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from ladder.contract import Value, about


class Change(Value, frozen=True, kw_only=True):
    tick: int
    at: datetime | None
    version: int
    elo: Annotated[float, about("After this tick, as it was known then.")]
    low: float
    high: float
    is_provisional: bool
    sets: Annotated[int, about("Played in this tick.")]
    plays: int


Change.example = Change(
    tick=212,
    at=datetime(2026, 3, 1, 12, tzinfo=UTC),
    version=3,
    elo=1712.4,
    low=1660.3,
    high=1768.8,
    is_provisional=False,
    sets=2,
    plays=8,
)
