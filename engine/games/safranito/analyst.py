"""The analyst of Safranito: a curve by quick play to the end of the round, and no marks yet.

Nobody has measured whether its judgement of throws is true, so it blames nobody.
"""

from __future__ import annotations

from random import Random
from typing import Any

from engine.analysis.analyst import Analyst, Settings, Trust, bot, copied
from engine.analysis.exact import chance_to_beat
from engine.analysis.shares import Shares
from engine.game import Action
from engine.games.safranito.actions import USE
from engine.games.safranito.phases import ACTING, THROWING
from engine.games.safranito.rules import Rules
from engine.games.safranito.table import KNOWN_BY

SAFFRON = bot("safranito", "saffron")
# What a lead says, fitted to 260 duels of House Greedy and House Saffron with themselves: a dish
# cooked, a hundred rupees, and a hundred rupees' worth of cards in hand.
DISH, MONEY, HAND = 1.95, 1.3, 0.78


class SafranitoAnalyst(Analyst):
    slug = "safranito"
    name = "a quick policy with House Saffron's idea of what cards are worth"
    version = 1
    trust = Trust.UNVALIDATED
    budgets = {
        "quick": Settings(first=0, pairs=0, worlds=16),
        "standard": Settings(first=0, pairs=0, worlds=64),
        "thorough": Settings(first=0, pairs=0, worlds=256),
    }

    def act(self, state: Rules) -> Action:
        if state.stage == ACTING:
            return USE
        if state.stage != THROWING:
            return SAFFRON.trade(state, state.kind)
        if not state.can_launch():
            return state.legal()[0]
        return SAFFRON.Rehearsal(state, None).candidates()[0]

    def horizon(self, state: Rules) -> int:
        return state.round + 1

    def play_out(self, state: Rules, until: int) -> Shares:
        while state.to_act is not None and state.round < until:
            state.apply(self.act(state))
        return self.result(state) if state.to_act is None else expectation(state)

    def with_other_luck(self, state: Any, number: int, seed: str) -> Any:
        """Other throws, and other cards where nobody knows which they are."""
        twin = copied(state, self.luck(f"{seed}/{number}"))
        rng = Random(f"{seed}/{number}/piles")
        unknown = [card for card in twin.draw if card < KNOWN_BY]
        rng.shuffle(unknown)
        twin.draw = [card if card >= KNOWN_BY else unknown.pop() for card in twin.draw]
        rng.shuffle(twin.dish_pile)
        return twin


def strength(state: Rules, seat: int) -> float:
    """How well a seat stands between two rounds."""
    dishes = state.face_up + state.reserved[seat]
    cards: float = SAFFRON.worth(state.hands[seat], dishes)
    return DISH * len(state.cooked[seat]) + MONEY * state.money[seat] / 100 + HAND * cards / 100


def expectation(state: Rules) -> Shares:
    """Everyone against everyone, by how well they stand."""
    standing = [strength(state, seat) for seat in range(state.seats)]
    shares = []
    for seat, own in enumerate(standing):
        total = 0.0
        for other, theirs in enumerate(standing):
            if other != seat:
                total += chance_to_beat(own - theirs)
        shares.append(total / (state.seats - 1))
    return tuple(shares)


ANALYST = SafranitoAnalyst()
