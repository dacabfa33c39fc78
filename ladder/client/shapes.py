"""What the API answers, as values. Fields that a newer server adds are passed over."""

from __future__ import annotations

from datetime import datetime

import msgspec


class Entrant(msgspec.Struct, frozen=True):
    bot: int
    name: str
    owner: str
    version: int | None
    seed: int | None
    status: str
    has_checked_in: bool
    final_rank: int | None


class Tournament(msgspec.Struct, frozen=True):
    id: int
    name: str
    organiser: str
    game: str
    seats: int
    format: str
    sets: int
    entry: str
    max_entrants: int
    status: str
    start_at: datetime | None
    check_in_minutes: int
    page: str
    entrants: list[Entrant] = []


class Preview(msgspec.Struct, frozen=True):
    game: str
    seats: int
    format: str
    entrants: int
    rounds: int
    matches: int
    sets: int
    plays: int
    duration_s: float
    is_measured: bool
    note: str
