"""A judge that owes nothing to the analyst's shortcuts, to say which planted moves are truly bad.

After the action, the strong house bot itself decides for all seats, on a small budget; then the
quick policy plays to the very end. No table is valued before it is over.
"""

from __future__ import annotations

from functools import cache
from random import Random
from types import ModuleType

from engine import wire
from engine.analysis.analyst import analyst_for, bot, copied
from engine.analysis.sampling import mean_and_error
from engine.analysis.tape import Tape
from engine.game import Action, Game, State
from engine.match import question
from tests.analysis.positions import STRONG

DECISIONS = 8  # that the strong bot makes
EARLY = (12, 24)
CPU_LEFT = {"safranito": 200}  # milliseconds; it rehearses by what is left


class Ticks:
    """A clock that goes on by looking at it, so that a bot that reads one is repeatable."""

    def __init__(self) -> None:
        self._now = 0.0

    def thread_time(self) -> float:
        self._now += 0.002
        return self._now


@cache
def small(slug: str) -> ModuleType:
    """The strong bot of a game, thinking a tenth as long as usual."""
    module = bot.__wrapped__(slug, STRONG[slug])
    if slug == "ramen_ramen":
        module.GUESSES, module.CANDIDATES = dict.fromkeys(range(1, 5), 4), 6
    elif slug == "potage_sauvage":
        module.time = Ticks()
    elif slug == "hot_ramen":
        module.ROLLOUTS = 80
    return module


class Reference:
    def __init__(self, game: Game) -> None:
        self._game = game
        self._analyst = analyst_for(game)

    def gap(
        self, state: State, better: Action, worse: Action, *, pairs: int, seed: str
    ) -> tuple[float, float]:
        """How much better an action is for the seat to act, with its standard error."""
        view = state.observe(state.to_act)
        gaps: list[float] = []
        for number in range(pairs):
            world = self._game.determinize(view, Random(f"{seed}/{number}"))
            good, bad = (
                self.outcome(world, action, f"{seed}/{number}", DECISIONS)
                for action in (better, worse)
            )
            gaps.append(good - bad)
            if len(gaps) in EARLY:
                mean, error = mean_and_error(gaps)
                if mean + error < 0.05:  # no blunder, in all likelihood
                    break
        return mean_and_error(gaps)

    def outcome(self, world: State, action: Action, seed: str, decisions: int) -> float:
        """What the seat to act gets; the strong bot makes so many decisions after it."""
        seat = world.to_act
        state = copied(world, Tape(seed))
        state.apply(action)
        while state.to_act is not None:
            state.apply(self._decided(state) if decisions > 0 else self._analyst.act(state))
            decisions -= 1
        return self._analyst.result(state)[seat]

    def _decided(self, state: State) -> Action:
        left = CPU_LEFT.get(self._game.slug, 1000)
        line = wire.decide(question(state, state.to_act, []), id="", cpu_left_ms=left)
        return state.parse(small(self._game.slug).decide(wire.view_for_script(line)))
