"""What a theatre draws: the table after every step of a replay, computed, never stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.game import Game
from engine.replay import Replay, Steps


def frames(game: Game, replay: Replay, viewer: int | None = None) -> Iterator[dict[str, Any]]:
    """The table as `viewer` sees it (None sees all): at the start, then after each log step.

    A frame has `step` (how much of the log has been played), `entry` (the decision or fault that
    led here, None at first), `cpu_us`, `events`, `view`, and `text`, the view in words.
    """
    steps = Steps(game, replay)
    steps.state.events = []
    decisions = 0
    yield _frame(game, steps, viewer, None, None)
    for entry in steps:
        cpu_us = None
        if "action" in entry:
            cpu_us = replay.cpu_us[decisions] if decisions < len(replay.cpu_us) else None
            decisions += 1
        yield _frame(game, steps, viewer, entry, cpu_us)


def _frame(
    game: Game, steps: Steps, viewer: int | None, entry: dict[str, Any] | None, cpu_us: int | None
) -> dict[str, Any]:
    view = steps.state.observe(viewer)
    events, steps.state.events = steps.state.events, []
    return {
        "step": steps.step + 1,
        "entry": entry,
        "cpu_us": cpu_us,
        "events": events,
        "view": view,
        "text": game.text(view),
    }
