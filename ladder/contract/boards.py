"""Boards and their ladders."""

from __future__ import annotations

from datetime import UTC, datetime
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
    elo: float
    low: Annotated[float, about("Of the 95% interval; far off where little is known.")]
    high: float
    band: Annotated[int | None, about("Bots of equal bands cannot be told apart yet.")]
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


Board.example = Board(
    game="hot_ramen",
    seats=4,
    title="Hot Ramen · 4 players",
    sides=4,
    is_solo=False,
    is_team=False,
    ranked=17,
    provisional=3,
    tick=212,
)
LadderRow.example = LadderRow(
    rank=1,
    bot=LadderBot(id=12, name="Wok", owner="alice", is_house=False),
    version=3,
    elo=1712.4,
    low=1668.1,
    high=1759.0,
    band=1,
    is_provisional=False,
    sets=120,
    plays=480,
    win_rate=0.61,
    mean_points=14.2,
    last_played_at=datetime(2026, 3, 1, 12, tzinfo=UTC),
)
Ladder.example = Ladder(
    game="hot_ramen", seats=4, tick=212, next=None, previous=None, results=[LadderRow.example]
)
Tick.example = Tick(
    number=212,
    created_at=datetime(2026, 3, 1, 11, 58, tzinfo=UTC),
    applied_at=datetime(2026, 3, 1, 12, tzinfo=UTC),
)
