"""Divisions of a board, marked by its house bots."""

from __future__ import annotations

from ladder.contract import Value


class Boss(Value, frozen=True, kw_only=True):
    """A house bot that marks a division."""

    bot: int
    name: str
    elo: float


class Division(Value, frozen=True, kw_only=True):
    """Part of a board; 1 lies below its weakest house bot."""

    number: int
    below: Boss | None  # the house bot at its upper end


class Rival(Value, frozen=True, kw_only=True):
    """The next house bot to beat, and how far a bot has come with it."""

    boss: Boss
    distance: float | None  # Elo; below 0 the bot is rated above it. None before it is rated
    sets: int  # rated sets in which both sat and that count
    share: float  # of the certainty that is needed, from 0 to 1
    is_closed: bool  # the test says that this version is not better

    @property
    def below(self) -> float | None:
        """How far it is rated below the bot."""
        return None if self.distance is None else -self.distance


class League(Value, frozen=True, kw_only=True):
    """Where a bot stands between the house bots of a board."""

    beaten: list[Boss]  # weakest first
    next: Rival | None  # None: it has beaten the strongest
    divisions: int

    @property
    def best(self) -> Boss | None:
        return self.beaten[-1] if self.beaten else None
