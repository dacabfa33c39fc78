"""A second opinion on decisions that are to be marked.

A quick policy overlooks what a careful player would do, and then blames strong moves. So before a
decision is marked, the best action and the one played are compared again, and the next decisions
of all seats are searched for, each in worlds guessed from what its seat can see.
"""

from __future__ import annotations

from random import Random

from engine.analysis.analyst import Analyst
from engine.analysis.sampling import Worlds, mean_and_error
from engine.analysis.shares import Shares
from engine.game import Action, State

SEARCHED = 4  # decisions after the action
CANDIDATES = 5  # of each
GUESSES = 2  # worlds that each candidate is tried in
LOOKS = (12, 24)  # pairs after which a clear case is closed
LEAST = 0.05  # the gap that a mark needs


class SecondOpinion:
    """Compares two actions slowly."""

    def __init__(self, analyst: Analyst, worlds: Worlds, state: State) -> None:
        self._analyst = analyst
        self._worlds = worlds
        self._until = analyst.horizon(state)

    def agrees(self, best: Action, played: Action, checks: int) -> bool:
        """Whether the action played looks worse by this judge as well."""
        seat = self._worlds.seat
        gaps: list[float] = []
        for number in range(checks):
            world = self._worlds.guess(f"second/{number}")
            good, bad = (self._outcome(world, action, number)[seat] for action in (best, played))
            gaps.append(good - bad)
            if len(gaps) in LOOKS:
                mean, error = mean_and_error(gaps)
                if mean - LEAST > 2.5 * error or mean < -error:
                    break
        mean, error = mean_and_error(gaps)
        return mean >= LEAST and mean > error

    def _outcome(self, world: State, action: Action, number: int) -> Shares:
        state = world.copy()
        state.apply(action)
        for decision in range(SEARCHED):
            if state.to_act is None:
                break
            state.apply(self._searched(state, f"{number}/{decision}"))
        return self._analyst.play_out(state, self._until)

    def _searched(self, state: State, seed: str) -> Action:
        analyst, seat = self._analyst, state.to_act
        assert seat is not None
        legal = state.legal()
        if len(legal) == 1:
            return legal[0]
        candidates = list(dict.fromkeys([analyst.act(state), *analyst.candidates(state)]))
        candidates = candidates[:CANDIDATES]
        if len(candidates) == 1:
            return candidates[0]
        view, until = state.observe(seat), analyst.horizon(state)
        base = analyst.game.determinize(view, Random(f"{seed}/base"))
        totals = dict.fromkeys(candidates, 0.0)
        for number in range(GUESSES):
            world = analyst.world(base, view, f"{seed}/{number}")
            world.chance = analyst.luck(f"{seed}/{number}")
            for action in candidates:
                twin = world.copy()
                twin.apply(action)
                totals[action] += analyst.play_out(twin, until)[seat]
        return max(candidates, key=totals.__getitem__)
