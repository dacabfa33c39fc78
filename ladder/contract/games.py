"""Games, and statistics of a whole site's plays."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any

import msgspec

from engine import game as rules
from ladder.contract import Value, about
from ladder.contract.bots import Share


class Option(Value, frozen=True, kw_only=True):
    name: str
    text: str
    default: Any
    choices: list[Any]


class Limits(Value, frozen=True, kw_only=True):
    start_cpu_ms: Annotated[int, about("For loading the bot, in each play.")]
    bank_ms: Annotated[int, about("CPU to begin each play with.")]
    increment_ms: Annotated[int, about("CPU added before each decision.")]
    memory_mb: int
    line_bytes: Annotated[int, about("The longest answer.")]
    log_bytes: Annotated[int, about("Of prints kept per play.")]
    bundle_files: Annotated[int, about("Of a bot of several files, the most.")]
    bundle_bytes: Annotated[int, about("Of all its files, and of their archive.")]


class Game(Value, frozen=True, kw_only=True):
    slug: str
    title: str
    tagline: str
    seats: list[int]
    rules_version: int
    points_name: str
    has_secrets: bool
    options: list[Option]
    limits: Limits
    house_bots: list[str]

    @classmethod
    def of(cls, game: rules.Game) -> Game:
        return cls(
            slug=game.slug,
            title=game.title,
            tagline=game.tagline,
            seats=list(game.seats),
            rules_version=game.rules_version,
            points_name=game.points_name,
            has_secrets=game.has_secrets,
            options=[
                Option(name=name, text=one.text, default=one.default, choices=list(one.choices))
                for name, one in game.options.items()
            ],
            limits=msgspec.convert(dataclasses.asdict(game.limits), Limits),
            house_bots=sorted(game.house_bots()),
        )


class Rules(Value, frozen=True, kw_only=True):
    slug: str
    title: str
    markdown: str


class Starter(Value, frozen=True, kw_only=True):
    """A bot to start from."""

    filename: str
    source: str


class SeatWins(Share, frozen=True, kw_only=True):
    seat: int


class Statistics(Value, frozen=True, kw_only=True):
    """Statistics of a board's newest plays."""

    seats: int
    plays: Annotated[int, about("That were looked at.")]
    decisions: Annotated[float, about("Per play.")]
    by_seat: Annotated[list[SeatWins], about("How often each seat wins; none for solo.")]
    mean_points: Annotated[float | None, about("For solo only.")]
    mean_points_error: Annotated[float | None, about("Its standard error.")]


class MatchCounts(Value, frozen=True, kw_only=True):
    queued: int = 0
    running: int = 0
    finished: int = 0
    void: int = 0
    cancelled: int = 0


class Stats(Value, frozen=True, kw_only=True):
    bots: Annotated[int, about("That play now.")]
    users: int
    matches: MatchCounts
    plays: Annotated[int, about("With a replay.")]
    workers: Annotated[int, about("Heard of in the last minute.")]
    open_tournaments: int
