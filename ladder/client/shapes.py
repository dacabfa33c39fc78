"""What the API answers, as values. Fields that a newer server adds are passed over."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec


class Entry(msgspec.Struct, frozen=True):
    slot: int
    bot: int
    name: str
    version: int
    rank: int | None  # in the match; those level share one
    place: float | None  # the mean over its plays
    points: float | None
    score: float | None
    rating: float | None
    faults: int


class Match(msgspec.Struct, frozen=True):
    id: int
    kind: str
    game: str
    seats: int
    status: str
    why: str
    created_at: datetime
    finished_at: datetime | None
    entries: list[Entry]
    page: str


class Play(msgspec.Struct, frozen=True):
    index: int
    seating: list[int]
    places: list[int]
    points: list[float]
    reason: str
    digest: str
    is_reproduced: bool | None
    replay: str


class Log(msgspec.Struct, frozen=True):
    slot: int
    bot: int
    version: int
    log: str
    faults: list[dict[str, Any]]


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


class Verdict(msgspec.Struct, frozen=True):
    ok: bool
    problem: str | None
    digest: str | None
