"""The decisions of one seat from the inside: what it was asked, what it saw, what it answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import wire
from engine.game import Game
from engine.match import question
from engine.replay import Replay, Steps


def decisions(
    game: Game,
    replay: Replay,
    seat: int,
    *,
    printed: Mapping[int, str],
    fault: Mapping[str, Any] | None,
) -> list[dict[str, Any]]:
    """Each decision that the bot at a seat was asked for, from its own point of view.

    `step` is the step of the log it led to. `view` is what the script's `decide` got, but for the
    CPU time left, which is not stored. `fault` stands where the bot broke off.
    """
    steps = Steps(game, replay)
    state = steps.state
    history: list[dict[str, Any]] = []
    state.events = history
    heard = number = 0
    spent = iter(replay.cpu_us)
    found = []
    while state.to_act is not None and not steps.is_over:
        asked = None
        if state.to_act == seat and seat not in steps.faults:
            put = question(state, seat, history[heard:])
            heard = len(history)
            line = wire.decide(put, id="", cpu_left_ms=0)
            del line["cpu_left_ms"]
            number += 1
            asked = {"decision": number, "kind": put.kind, "view": wire.view_for_script(line)}
        entry = next(steps, None)
        if entry is None:
            break
        cpu_us = next(spent, None) if "action" in entry else None
        if asked is not None:
            data = {"step": steps.step + 1, "action": entry.get("action"), "cpu_us": cpu_us}
            data["printed"] = printed.get(number, "")
            if "fault" in entry:
                data["fault"] = dict(fault or {"sentence": entry["fault"], "detail": ""})
            found.append(asked | data)
    return found
