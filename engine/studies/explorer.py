"""Kinds of positions, and kinds of answers: what an explorer counts.

No position of these games comes twice, so positions are put into kinds by what their seat sees. A
game brings its own in `engine/games/X/explorer.py` as `EXPLORER`; it is found by its place. A game
without one gets kinds by the decision asked and by the lead.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from engine.analysis.shares import shares_of
from engine.game import Game, View
from engine.replay import Replay, Steps

LONGEST = 120


class Explorer:
    """Sorts positions and answers. Words are short and made for people."""

    def kind(self, view: View) -> str:
        """What kind of position a seat is in."""
        return f"{str(view['kind']).capitalize()}, {standing(view)}"

    def answer(self, view: View, action: str) -> str:
        """What kind of answer an action is."""
        words = action.split()
        return words[0].capitalize() if words else "Nothing"


def standing(view: View) -> str:
    """Whether the seat is ahead, by the points that everyone sees."""
    points, seat = view["points"], view["seat"]
    others = [value for at, value in enumerate(points) if at != seat]
    if not others or points[seat] == max(others):
        return "level"
    return "ahead" if points[seat] > max(others) else "behind"


@cache
def explorer_for(game: Game) -> Explorer:
    """That of the game's folder, or the plain one."""
    module = f"engine.games.{game.slug}.explorer"
    if find_spec(module) is None:
        return Explorer()
    explorer: Explorer = import_module(module).EXPLORER
    return explorer


Counted = tuple[str, str]  # kind of position, kind of answer


def counted(game: Game, replay: Replay) -> dict[int, dict[Counted, int]]:
    """By seat, how often it gave each kind of answer in each kind of position."""
    explorer, steps = explorer_for(game), Steps(game, replay)
    found: dict[int, dict[Counted, int]] = {}
    while not steps.is_over:
        seat = steps.state.to_act
        assert seat is not None
        is_choice = len(steps.state.legal()) != 1
        view = steps.state.observe(seat) if is_choice else {}
        entry = next(steps)
        if "fault" in entry:
            break
        if is_choice and not entry.get("auto"):
            what = (explorer.kind(view)[:LONGEST], explorer.answer(view, entry["action"])[:LONGEST])
            own = found.setdefault(seat, {})
            own[what] = own.get(what, 0) + 1
    return found


def kind_at(game: Game, replay: Replay, step: int) -> tuple[str, str] | None:
    """The kind of the position at a step, and of the answer there; None where nobody decides."""
    explorer, steps = explorer_for(game), Steps(game, replay)
    while not steps.is_over:
        seat, before = steps.state.to_act, steps.step + 1
        assert seat is not None
        if before < step:
            next(steps)
            continue
        view = steps.state.observe(seat)
        entry: dict[str, Any] = next(steps)
        answer = explorer.answer(view, entry["action"])[:LONGEST] if "action" in entry else ""
        return explorer.kind(view)[:LONGEST], answer
    return None


def result_of(game: Game, replay: Replay) -> tuple[float, ...]:
    """The share of opponents that each seat beat."""
    assert replay.result is not None
    return shares_of(replay.result.places, game.sides(replay.seats))
