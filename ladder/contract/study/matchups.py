"""Who beats whom among the best of a board."""

from __future__ import annotations

from typing import Annotated

from ladder.contract import Value, about


class MatchUp(Value, frozen=True, kw_only=True):
    """A bot's record against another, by sets."""

    sets: int
    share: Annotated[float, about("Of the sets in which it finished ahead; level ones half.")]
    low: Annotated[float, about("Of the share's 95% interval.")]
    high: float
    is_significant: Annotated[bool, about("Beyond chance, with 5% false discoveries.")]


class Company(Value, frozen=True, kw_only=True):
    """How a bot does when another one is at the table."""

    sets: int
    score: Annotated[float, about("Share of opponents beaten with the other at the table.")]
    difference: Annotated[float, about("From its score at tables without the other.")]
    is_significant: bool


class MatchUpRow(Value, frozen=True, kw_only=True):
    rank: int
    bot: int
    name: str
    version: int
    against: Annotated[list[MatchUp | None], about("By rank; null: itself, or never met.")]
    company: Annotated[list[Company | None], about("By rank; empty on boards of two seats.")]


class MatchUps(Value, frozen=True, kw_only=True):
    """The best of a board against each other, in their newest ladder matches."""

    game: str
    seats: int
    rows: list[MatchUpRow]
    cycles: Annotated[
        list[list[str]], about("Three bots of which each beats the next, beyond chance.")
    ]
    upsets: Annotated[
        list[list[str]], about("Winner and loser where the lower-ranked bot wins, beyond chance.")
    ]
