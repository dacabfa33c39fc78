"""The analyst of Potage Sauvage: House Marmite's quick policy plays each deal to its end."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from engine.analysis.analyst import Analyst, Settings, bot
from engine.analysis.exact import chance_to_beat
from engine.analysis.shares import Shares
from engine.chance import Chance
from engine.game import Action, Seat, View
from engine.games.potage_sauvage.cards import BOIL, DEALS, FIRST_RECIPE, RECIPES, TRASH, score
from engine.games.potage_sauvage.rules import PotageState
from engine.games.potage_sauvage.telling import SUITS

MARMITE = bot("potage_sauvage", "marmite")
# How much a point of lead says, by the deals that are left: fitted to 1500 duels of the policy
# with itself.
STEEPNESS = (0.0, 0.36, 0.26, 0.20, 0.16)


class PotageAnalyst(Analyst):
    slug = "potage_sauvage"
    name = "the quick policy inside House Marmite"
    version = 1
    budgets = {
        "quick": Settings(first=6, pairs=64, worlds=16),
        "standard": Settings(first=16, pairs=128, worlds=64, checks=48),
        "thorough": Settings(first=32, pairs=512, worlds=256, checks=96),
    }

    def act(self, state: PotageState) -> Action:
        seat = state.to_act
        assert seat is not None
        legal = state.legal()
        if state.waiting:
            return _recipe(state, seat, [action - FIRST_RECIPE for action in legal]) + FIRST_RECIPE
        if len(legal) == 1:
            return legal[0]
        return MARMITE.quick_card(state, legal, MARMITE.WORTH[state.chosen[seat]])

    def horizon(self, state: PotageState) -> int:
        return len(state.served) + 1

    def play_out(self, state: PotageState, until: int) -> Shares:
        apply, act = state.apply, self.act
        while len(state.served) < until and state.waiting:
            apply(act(state))
        worths = [MARMITE.WORTH[recipe] for recipe in state.chosen]
        quick_card = MARMITE.quick_card
        while len(state.served) < until:
            cards = state.legal()
            seat: Any = state.to_act
            apply(cards[0] if len(cards) == 1 else quick_card(state, cards, worths[seat]))
        return self.result(state) if state.to_act is None else expectation(state)

    def luck(self, seed: str) -> Chance:
        fixed: Chance = MARMITE.FixedDeck()  # a table is thrown away before its next deal is played
        return fixed

    def world(self, base: PotageState, view: View, seed: str) -> PotageState:
        state = self.game.determinize(view, Random(seed))
        assert isinstance(state, PotageState)
        if state.waiting and not state.options["open_recipes"]:
            # Those who have chosen in secret chose by their hands, not at random.
            for seat, recipe in enumerate(state.chosen):
                if recipe >= 0 and seat != view["seat"]:
                    unused = [r for r in range(len(RECIPES)) if state.unused[seat] >> r & 1]
                    state.chosen[seat] = _recipe(state, seat, unused)
        return state

    def reason(self, state: PotageState, seat: Seat, played: Action, best: Action) -> str:
        """Who takes the pot and what it is worth, or how many cards fit a recipe."""
        if state.waiting:
            mine, theirs = (_suited(state, seat, action) for action in (played, best))
            return f"The hand holds {theirs}, and {mine}." if mine and theirs else ""
        taken = {action: _taken(state, seat, action) for action in (played, best)}
        if taken[best] is not None and taken[played] is None:
            return f"That takes the pot: {taken[best]} for the recipe of this seat."
        if taken[played] is not None and taken[best] is None:
            return f"The move played takes the pot: {taken[played]} for the recipe of this seat."
        totals = [state.total_with(action) for action in (best, played)]
        if taken[best] is None and totals[0] != totals[1]:
            return f"It leaves the pot at {totals[0]} instead of {totals[1]}."
        return ""


def _suited(state: PotageState, seat: int, action: Action) -> str:
    """ "3 fruits" for the recipe of fruits; water wants no suit."""
    suit = action - FIRST_RECIPE
    if suit > TRASH:
        return ""
    count = sum(card >> 3 == suit for card in state.hand(seat))
    return f"{count} {SUITS[RECIPES[suit]]} card{'' if count == 1 else 's'}"


def _taken(state: PotageState, seat: int, card: Action) -> str | None:
    """What the pot brings a seat that makes it boil over with a card; None if it does not."""
    if state.total_with(card) < BOIL:
        return None
    pile, recipe = state.piles[seat], state.chosen[seat]
    reset_costs = state.options["trash_penalty"] == "herb+reset"
    before, after = (
        score(cards, recipe, reset_costs=reset_costs) for cards in (pile, [*pile, *state.pot, card])
    )
    return f"{after - before:+d}".replace("-", "\N{MINUS SIGN}")


def _recipe(state: PotageState, seat: int, recipes: list[int]) -> int:
    return max(recipes, key=partial(MARMITE.promise, state.hand(seat)))


def prospects(state: PotageState, seat: int) -> float:
    """Points, and what the recipes that are left usually bring."""
    total = float(state.points[seat])
    for recipe, usual in enumerate(MARMITE.USUAL):
        if state.unused[seat] >> recipe & 1:
            total += usual
    return total


def expectation(state: PotageState) -> Shares:
    """Between two deals: everyone against everyone, by their points."""
    steepness = STEEPNESS[DEALS - len(state.served)]
    standing = [prospects(state, seat) for seat in range(state.seats)]
    shares = []
    for seat, own in enumerate(standing):
        total = 0.0
        for other, theirs in enumerate(standing):
            if other != seat:
                total += chance_to_beat(steepness * (own - theirs))
        shares.append(total / (state.seats - 1))
    return tuple(shares)


ANALYST = PotageAnalyst()
