"""A play without scripts: its moves as a list, and the table at the end in words."""

from __future__ import annotations

from typing import Any

from engine.frames import frames
from engine.game import Game
from engine.replay import Replay
from ladder.theatre.film import FAULT_WORDS, names


def moves(replay: Replay) -> list[dict[str, Any]]:
    """Each decision and fault: `seat`, `name`, `words`, `cpu_us` (None where not measured)."""
    called = names(replay)
    spent = iter(replay.cpu_us)
    told = []
    for entry in replay.log:
        if "chance" in entry:
            continue
        seat = entry["seat"]
        if "fault" in entry:
            words, cpu_us = f"at fault: {FAULT_WORDS.get(entry['fault'], entry['fault'])}", None
        else:
            words, cpu_us = entry["action"], next(spent, None)
        auto = bool(entry.get("auto"))
        told.append(
            {"seat": seat, "name": called[seat], "words": words, "auto": auto, "cpu_us": cpu_us}
        )
    return told


def last_text(game: Game, replay: Replay) -> str:
    """The table at the end, all open; BadReplay when the play is not by the rules."""
    text = ""
    for frame in frames(game, replay):
        text = frame["text"]
    return text
