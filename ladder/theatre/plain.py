"""A play without scripts: what happened as a list, and the table at the end in words."""

from __future__ import annotations

from typing import Any

from engine.errors import BadReplay
from engine.frames import frames, names
from engine.game import Game
from engine.replay import Replay
from ladder.theatre.film import FAULT_WORDS


def plain(game: Game, replay: Replay) -> dict[str, Any]:
    """`moves`, each decision and fault, and `text`, the table at the end.

    A move has `seat`, `name`, `words`, `then` (what followed, a sentence each), `notation`, `auto`
    and `cpu_us` (None where not measured). Of a play that is not by the rules only the notation
    can be described.
    """
    called = names(replay)
    try:
        shown = list(frames(game, replay))
    except BadReplay as error:
        lines = [_move(entry, called, "", []) for entry in replay.log if "chance" not in entry]
        return {"moves": lines, "text": f"The table cannot be set up again: {error}."}
    moves = [
        _move(one["entry"], called, one["move"], one["said"]) | {"cpu_us": one["cpu_us"]}
        for one in shown[1:]
    ]
    return {"moves": moves, "text": shown[-1]["text"]}


def _move(entry: dict[str, Any], called: list[str], words: str, said: list[str]) -> dict[str, Any]:
    name = called[entry["seat"]]
    if "fault" in entry:
        words = f"failed: {FAULT_WORDS.get(entry['fault'], entry['fault'])}"
    notation = entry.get("action", "")
    return {
        "seat": entry["seat"],
        "name": name,
        "words": words or notation,
        "then": [one for one in said if one != f"{name} {words}"],
        "notation": notation,
        "auto": bool(entry.get("auto")),
        "cpu_us": None,
    }
