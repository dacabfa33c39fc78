"""Boards and their ladders."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from ladder.contract import Value, about


class Board(Value, frozen=True, kw_only=True):
    """One ladder: a game at one seat count."""

    game: str
    seats: int
    title: str
    sides: Annotated[int, about("Versions that meet in a match; 1 is solo.")]
    is_solo: bool
    is_team: bool
    ranked: Annotated[int, about("Bots known well enough for a rank.")]
    provisional: Annotated[int, about("Bots with too wide an interval for a rank.")]
    tick: Annotated[int, about("Number of the last tick that was rated; 0: none.")]


class LadderBot(Value, frozen=True, kw_only=True):
    id: int
    name: str
    owner: str
    is_house: bool


class LadderRow(Value, frozen=True, kw_only=True):
    rank: Annotated[int | None, about("Null while provisional.")]
    bot: LadderBot
    version: int
    authorship: Annotated[
        str, about("Of this version, declared: person, assisted or agent; empty: not declared.")
    ]
    elo: float
    low: Annotated[float, about("Of the 95% interval; far off where little is known.")]
    high: float
    band: Annotated[int | None, about("The order within a band is not certain yet.")]
    is_provisional: bool
    sets: int
    plays: int
    win_rate: float | None
    mean_points: float | None
    last_played_at: datetime | None


class Ladder(Value, frozen=True, kw_only=True):
    """A page of a ladder; `tick` is the one it stands at."""

    game: str
    seats: int
    tick: int
    next: str | None
    previous: str | None
    results: list[LadderRow]


class Tick(Value, frozen=True, kw_only=True):
    """Rated matches arranged together; their board is rated once all of them are over."""

    number: int
    created_at: datetime
    applied_at: datetime | None


class Standing(Value, frozen=True, kw_only=True):
    """A row of a ladder with what only the site draws."""

    row: LadderRow
    points_error: float | None  # of the mean points; None before two plays
    trend: list[int]  # the last ratings in thousandths, oldest first


class Podium(Value, frozen=True, kw_only=True):
    """The best of a board."""

    seats: int
    best: list[LadderRow]
