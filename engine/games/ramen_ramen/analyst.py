"""The analyst of Ramen! Ramen!: House Chef's quick cook plays every table to its end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

from engine.analysis.analyst import Analyst, Settings, bot, copied
from engine.analysis.shares import Shares
from engine.analysis.tape import NoLuck
from engine.chance import Chance
from engine.game import Action, Seat, View
from engine.games.ramen_ramen.cards import BOWLS, CARDS
from engine.games.ramen_ramen.rules import PLAY, RamenState

CHEF = bot("ramen_ramen", "chef")


class RamenAnalyst(Analyst):
    slug = "ramen_ramen"
    name = "Cook, the quick player inside House Chef"
    version = 1
    budgets = {
        "quick": Settings(first=8, pairs=64, worlds=16),
        "standard": Settings(first=24, pairs=512, worlds=64, checks=48),
        "thorough": Settings(first=48, pairs=2048, worlds=256, checks=96),
    }

    def act(self, state: RamenState) -> Action:
        cook = CHEF.cook_for(state.seats)
        return cook.best_play(state) if state.phase == PLAY else cook.best_take(state)

    def play_out(self, state: RamenState, until: int) -> Shares:
        cook = CHEF.cook_for(state.seats)
        best_play, best_take, apply = cook.best_play, cook.best_take, state.apply
        while state.to_act is not None:
            apply(best_play(state) if state.phase == PLAY else best_take(state))
        return self.result(state)

    def candidates(self, state: RamenState) -> Sequence[Action]:
        if state.phase != PLAY:
            return state.legal()
        shortlist: Sequence[Action] = CHEF.cook_for(state.seats).shortlist(state)
        return shortlist

    def luck(self, seed: str) -> Chance:
        return NoLuck()  # it is all in the deck

    def world(self, base: RamenState, view: View, seed: str) -> RamenState:
        return base.hidden_twin(view["seat"], Random(seed))

    def with_other_luck(self, state: Any, number: int, seed: str) -> Any:
        """The deck in another order. Cards that are drawn leave the order of the rest as it is."""
        twin = copied(state, NoLuck())
        twin.deck.sort(key=_order(seed, number).__getitem__)
        return twin

    def reason(self, state: RamenState, seat: Seat, played: Action, best: Action) -> str:
        """What the two actions serve, if that differs."""
        mine, theirs = _served(state, played), _served(state, best)
        if mine == theirs:
            return ""
        if theirs:
            return f"That serves {' and '.join(theirs)}."
        return f"The move played serves {' and '.join(mine)}."


@cache
def _order(seed: str, number: int) -> list[float]:
    uniform = Random(f"{seed}/{number}").random
    return [uniform() for _ in range(CARDS)]


def _served(state: RamenState, action: Action) -> list[str]:
    if state.phase != PLAY:
        return []
    twin = state.copy()
    before = len(twin.served)
    points = sum(twin.points)
    twin.apply(action)
    bowls = [f"bowl {BOWLS[bowl]}" for _, bowl, _ in twin.served[before:]]
    gained = sum(twin.points) - points
    worth = "1 point" if gained == 1 else f"{gained} points"
    return [*bowls[:-1], f"{bowls[-1]} ({worth})"] if bowls else []


ANALYST = RamenAnalyst()
