"""The author's kit: play, compare and check bots from Python. It needs no Django.

    import ladle

    played = ladle.play("ramen_ramen", ["my_bot.py", "greedy"], seed=7)
    table = ladle.arena("ramen_ramen", ["my_bot.py", "greedy"], sets=100, jobs=2, progress=True)

docs/kit.md shows all of it. What is named here is loaded when it is first used.
"""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.games import GAMES
    from engine.match import Played
    from engine.replay import Replay
    from ladle.analysis import analyse
    from ladle.api import Standing, arena, compare, play, read, verify, walk, write
    from ladle.decided import Comparison
    from ladle.errors import Refusal

_PARTS = Path(__file__).parent / "_parts"  # in the wheel: engine, sandbox and ladder


def _find_parts() -> None:
    """Make the packages inside this one importable by their names."""
    if str(_PARTS) not in sys.path:  # where ladle.pth is not read, as below `pip install --target`
        sys.path.append(str(_PARTS))
    for name in ("engine", "sandbox", "ladder"):
        spec = find_spec(name)
        if spec is None or not str(spec.origin).startswith(str(_PARTS)):
            where = "missing" if spec is None else f"another one, {spec.origin}"
            raise ImportError(
                f"ladle needs its own package {name!r} and finds {where}."
                " Rename that, or install ladle in an environment of its own."
            )


if _PARTS.is_dir():
    _find_parts()

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
