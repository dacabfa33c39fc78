"""All games, found by folder: a package here with a `GAME` is a game, nothing else to register."""

from importlib import import_module
from pathlib import Path

from engine.errors import BadSetup
from engine.game import Game


def discover(folder: Path, package: str) -> dict[str, Game]:
    """The games whose packages lie in a folder, by slug, in alphabetical order."""
    found = {}
    for entry in sorted(folder.iterdir()):
        if (entry / "__init__.py").is_file():
            game: Game = import_module(f"{package}.{entry.name}").GAME
            found[game.slug] = game
    return found


GAMES: dict[str, Game] = discover(Path(__file__).parent, __name__)
MAX_SEATS = max(game.seats[-1] for game in GAMES.values())


def get(slug: str) -> Game:
    """The game of that slug; BadSetup names the known ones."""
    try:
        return GAMES[slug]
    except KeyError:
        raise BadSetup(f"there is no game '{slug}'; the games are {', '.join(GAMES)}") from None
