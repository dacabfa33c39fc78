"""A view explained: what a bot sees at the first turn of a play, field by field."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine import wire
from engine.chance import SeededChance
from engine.game import Game
from engine.match import question
from engine.shapes import fields


@cache
def explained_view(game: Game) -> list[dict[str, Any]]:
    """Every field of a view in order: its `name`, `kind` and `words`, and the fields of its parts.

    `value` is the real one at the first turn; some fields come later only, and have none.
    """
    first = _first_view(game)
    found: list[dict[str, Any]] = []
    for name, kind, words in fields(game):
        row = {"name": name, "kind": kind, "words": words}
        if name.isidentifier():
            value = {"value": first[name]} if name in first else {}
            found.append(row | value | {"parts": []})
        else:
            found[-1]["parts"].append(row)
    return found


def _first_view(game: Game) -> dict[str, Any]:
    """What a script gets when it is asked first, at the game's smallest table of several."""
    seats = min((seats for seats in game.seats if seats > 1), default=1)
    state = game.start(seats, SeededChance(0))
    assert state.to_act is not None
    bank = game.limits.bank_ms + game.limits.increment_ms
    line = wire.decide(question(state, state.to_act, []), id="", cpu_left_ms=bank)
    return wire.view_for_script(line)
