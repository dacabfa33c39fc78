"""All games, found by folder: a package here with a `GAME` is a game, nothing else to register."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import BadSetup
from engine.game import Game


class Games(Mapping[str, Game]):
    """The games by slug, the name of their folder, in alphabetical order.

    Each is loaded when it is asked for: who plays one need not wait for the others.
    """

    def __init__(self, folder: Path, package: str) -> None:
        self._package = package
        self._slugs = sorted(found.parent.name for found in folder.glob("*/__init__.py"))
        self._loaded: dict[str, Game] = {}

    def __getitem__(self, slug: str) -> Game:
        if slug not in self._loaded:
            if slug not in self._slugs:
                raise KeyError(slug)
            self._loaded[slug] = import_module(f"{self._package}.{slug}").GAME
        return self._loaded[slug]

    def __iter__(self) -> Iterator[str]:
        return iter(self._slugs)

    def __len__(self) -> int:
        return len(self._slugs)


GAMES = Games(Path(__file__).parent, __name__)


if TYPE_CHECKING:
    MAX_SEATS: int
else:

    def __getattr__(name: str) -> int:
        """MAX_SEATS, the largest table of any game; for it all of them are loaded."""
        if name != "MAX_SEATS":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return max(game.seats[-1] for game in GAMES.values())


def get(slug: str) -> Game:
    """The game of that slug; BadSetup names the known ones."""
    try:
        return GAMES[slug]
    except KeyError:
        raise BadSetup(f"there is no game '{slug}'; the games are {', '.join(GAMES)}") from None
