"""A game's example: the first moves of a play, with notes, played in place by its rules page."""

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
    path = game.folder / "example.json"
    found: dict[str, Any] | None = None
    if path.is_file():
        found = json.loads(path.read_text(encoding="utf-8"))
    return found
