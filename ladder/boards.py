"""A board is one ladder: a game at one seat count, such as `hot_ramen/4`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.arena import side_count
from engine.errors import BadSetup
from engine.game import Game
from engine.games import GAMES, get


@dataclass(frozen=True, slots=True, order=True)
class Board:
    game: str
    seats: int

    def __str__(self) -> str:
        return f"{self.game}/{self.seats}"

    @property
    def rules(self) -> Game:
        return GAMES[self.game]

    @property
    def sides(self) -> int:
        """How many versions meet in a match; 1 means solo."""
        return side_count(self.rules, self.seats)

    @property
    def is_solo(self) -> bool:
        return self.sides == 1

    def gap(self, own: tuple[float, float], other: tuple[float, float]) -> float:
        """How far one entry finished behind another in a match, from (place, points) of both.

        Solo, everybody comes first at their own table: points decide.
        """
        return other[1] - own[1] if self.is_solo else own[0] - other[0]

    def ranks(self, entries: Sequence[tuple[float | None, float | None]]) -> list[int | None]:
        """By (place, points) of each entry its rank; those level share one, None has no result."""
        behind = [
            None if place is None else self.gap((place, points or 0.0), (0.0, 0.0))
            for place, points in entries
        ]
        known = [gap for gap in behind if gap is not None]
        return [None if gap is None else 1 + sum(other < gap for other in known) for gap in behind]

    @property
    def is_team(self) -> bool:
        return 1 < self.sides < self.seats

    @property
    def title(self) -> str:
        return f"{self.rules.title} · {self.table}"

    @property
    def table(self) -> str:
        """`solo`, `2 players`, `4 players, teams`."""
        how = "solo" if self.is_solo else f"{self.seats} players"
        return f"{how}{', teams' if self.is_team else ''}"

    @classmethod
    def parse(cls, game: str, seats: int) -> Board:
        """A board that exists, or BadSetup with a sentence."""
        rules = get(game)
        if seats not in rules.seats:
            raise BadSetup(f"{rules.title} has no board for {seats} seats")
        return cls(game, seats)


BOARDS = [Board(slug, seats) for slug, game in GAMES.items() for seats in game.seats]


def game_choices() -> list[tuple[str, str]]:
    """For model fields: a callable, so that a new game needs no migration."""
    return [(slug, game.title) for slug, game in GAMES.items()]
