"""Stirs the pot in its head: guesses the hidden hands many times and plays each guess to its end.

The idea is "determinized Monte Carlo", the classic way to play card games with hidden hands:

1. `determinize(view, rng)` deals the unseen cards anew, in any way that fits what I know.
2. For each action I could take, play that guess to the end of the deal with a simple policy.
3. Add up how well each action did over many guesses, and play the best.

All actions are tried on the same guesses, so luck weighs on them alike.
"""

import random
import time

from engine.games import GAMES

GAME = GAMES["potage_sauvage"]
VALUES = [(0, 0, 1, 2, 3, 4, 5, 10)[card & 7] for card in range(32)]  # cards are suit * 8 + rank
RECIPES = "IVFTW"
# What each recipe brings in an average deal. A recipe is played once, so a hand must beat this.
USUAL = [2.2, 2.2, 2.2, 1.2, -2.0]


def worth(card, recipe):
    """What one card in a pile is worth under a recipe, both as the engine's small ints."""
    suit, rank = card >> 3, card & 7
    if recipe == 4:  # water: every card costs a point
        return -1
    if recipe == 3:  # trash: trash pays, herbs cost
        return 1 if suit == 3 else -1 if rank == 1 else 0
    return 1 if suit == recipe else -1 if suit == 3 else 0


WORTH = [[worth(card, recipe) for card in range(32)] for recipe in range(5)]


class FixedDeck:
    """Luck that never varies: a guess is thrown away before its next deal is played."""

    def shuffle(self, stream, count):
        return list(range(count))

    def fork(self):
        return self


def decide(view):
    if len(view["legal"]) == 1:
        return view["legal"][0]
    # Seeded from the view: the same position gets the same guesses.
    rng = random.Random(str((view["deal"], view["hand"], view["pot"], view["piles"])))
    totals = [0.0] * len(view["legal"])
    stop = time.thread_time() + think_ms(view) / 1000
    while time.thread_time() < stop:
        guess = GAME.determinize(view, rng)
        guess.chance = FixedDeck()
        if view["kind"] == "recipe":
            add_recipes(guess, totals)
        else:
            for at, card in enumerate(guess.legal()):
                twin = guess.copy()
                twin.apply(card)
                totals[at] += finish(twin, view["deal"], view["seat"])
    return view["legal"][totals.index(max(totals))]


def think_ms(view):
    """CPU time for this decision: more for the few recipe choices, never the whole bank."""
    wish = 40 if view["kind"] == "recipe" else 11
    return min(wish, view["cpu_left_ms"] / 10)


def add_recipes(guess, totals):
    """Try each recipe I may choose on one guess, and add what it brings beyond the usual."""
    me = guess.to_act
    actions = guess.legal()
    recipes = [likely_recipe(guess, seat) for seat in range(guess.seats)]
    for at, action in enumerate(actions):
        recipe = action - 32
        twin = guess.copy()
        twin.chosen = recipes.copy()
        twin.chosen[me] = recipe
        twin.waiting = 0
        twin.to_act = twin.leader
        totals[at] += finish(twin, guess.deal, me) - USUAL[recipe]


def likely_recipe(guess, seat):
    """What a sensible cook with this hand would choose, as greedy_bot does."""
    if guess.options["open_recipes"] and guess.chosen[seat] >= 0:
        return guess.chosen[seat]
    hand = guess.hand(seat)

    def promise(recipe):
        if recipe == 4:
            return 6 - sum(VALUES[card] >= 4 for card in hand)
        return sum(card >> 3 == recipe for card in hand) - (2 if recipe == 3 else 2.5)

    return max((r for r in range(5) if guess.unused[seat] >> r & 1), key=promise)


def finish(state, deal, me):
    """Play the deal out with a simple policy; how well I stand after it."""
    worths = [WORTH[recipe] for recipe in state.chosen]
    while len(state.served) < deal:
        cards = state.legal()
        state.apply(cards[0] if len(cards) == 1 else quick_card(state, cards, worths[state.to_act]))
    return standing(state, me)


def quick_card(state, cards, worths):
    """The policy of greedy_bot: take what pays, otherwise shed the biggest card that is safe."""
    total = state.total
    in_pot = sum([worths[card] for card in state.pot])
    best, best_gain = cards[0], -99.0
    for card in cards:
        value = VALUES[card]
        gain = in_pot + worths[card] if total + value >= 10 and state.pot else value / 10
        if gain > best_gain:
            best, best_gain = card, gain
    return best


def standing(state, me):
    """My points against the others', half of it against the best of them."""
    others = state.points[:me] + state.points[me + 1 :]
    margin = state.points[me] - max(others) / 2 - sum(others) / len(others) / 2
    if state.to_act is None:  # the last deal is over: only winning counts now
        return margin / 10 + 10 * (state.points[me] >= max(others))
    return margin
