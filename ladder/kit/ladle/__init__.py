"""The author's kit: play, compare and check bots from Python. It needs no Django.

    import ladle

    played = ladle.play("ramen_ramen", ["my_bot.py", "greedy"], seed=7)
    table = ladle.arena("ramen_ramen", ["my_bot.py", "greedy"], sets=100, jobs=2, progress=True)

docs/kit.md shows all of it. What is named here is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.games import GAMES
    from engine.match import Played
    from engine.replay import Replay
    from ladle.analysis import analyse
    from ladle.api import Standing, arena, compare, play, read, verify, walk, write
    from ladle.decided import Comparison
    from ladle.errors import Refusal

_PLACES = {
    "Comparison": "ladle.decided",
    "GAMES": "engine.games",
    "Played": "engine.match",
    "Refusal": "ladle.errors",
    "Replay": "engine.replay",
    "Standing": "ladle.api",
    "analyse": "ladle.analysis",
    "arena": "ladle.api",
    "compare": "ladle.api",
    "play": "ladle.api",
    "read": "ladle.api",
    "verify": "ladle.api",
    "walk": "ladle.api",
    "write": "ladle.api",
}

__all__ = [
    "GAMES",
    "Comparison",
    "Played",
    "Refusal",
    "Replay",
    "Standing",
    "analyse",
    "arena",
    "compare",
    "play",
    "read",
    "verify",
    "walk",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'ladle' has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
