"""What a game teaches by: an example play for its rules page, and a guide for a first play."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from engine.game import Game
from engine.replay import from_json
from ladder.theatre.film import film


@cache
def example(game: Game) -> dict[str, Any] | None:
    """The film of the example and its notes; None where a game has none."""
    data = source(game)
    return data and {"film": film(game, from_json(data["replay"])), "notes": data["notes"]}


def source(game: Game) -> dict[str, Any] | None:
    """`example.json` in the game's folder: a `replay`, and `notes` by number of moves made."""
    return _read(game, "example.json")


@cache
def guide(game: Game) -> dict[str, Any] | None:
    """`guide.json` there: the `seats`, `bot` and `seed` of a first play, `notes` by kind of
    decision, in their order, and what to say at the `end`."""
    return _read(game, "guide.json")


def _read(game: Game, name: str) -> dict[str, Any] | None:
    path = game.folder / name
    found: dict[str, Any] | None = None
    if path.is_file():
        found = json.loads(path.read_text(encoding="utf-8"))
    return found
