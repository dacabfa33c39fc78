"""Stirs the pot in its head: guesses the hidden hands many times and plays each guess to its end.

The idea is "determinized Monte Carlo", the classic way to play card games with hidden hands:

1. `determinize(view, rng)` deals the unseen cards again, in any way that fits what I know.
2. For each action I could take, play that guess to the end of the deal with a simple policy.
3. Add up how well each action did over many guesses, and play the best.

All actions are tried on the same guesses, so luck weighs on them alike.
"""

import random
import time
from functools import partial

from engine.games import GAMES

GAME = GAMES["potage_sauvage"]
VALUES = [(0, 0, 1, 2, 3, 4, 5, 10)[card & 7] for card in range(32)]  # cards are suit * 8 + rank
# What each recipe brings in an average deal. A recipe is played once, so a hand must beat this.
USUAL = [2.2, 2.2, 2.2, 1.2, -2.0]
STAGES = 3  # how often the worse half of the actions is dropped


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
    alive = list(range(len(totals)))  # places in view["legal"] of the actions still in the race
    began = time.thread_time()
    for stage in range(1, STAGES + 1):
        stop = began + think_ms(view) / 1000 * stage / STAGES
        while time.thread_time() < stop:
            guess = GAME.determinize(view, rng)
            guess.chance = FixedDeck()
            likely = likely_recipes(guess) if view["kind"] == "recipe" else None
            for at in alive:
                totals[at] += try_action(guess, guess.legal()[at], likely)
        # The better half goes on, so that most of the time is spent on the close calls.
        alive.sort(key=totals.__getitem__, reverse=True)
        alive = alive[: max(2, (len(alive) + 1) // 2)]
    return view["legal"][alive[0]]


def think_ms(view):
    """CPU time for this decision: more for the few recipe choices, never the whole bank."""
    wish = 40 if view["kind"] == "recipe" else 11
    return min(wish, view["cpu_left_ms"] / 10)


def try_action(guess, action, likely):
    """How well I stand after this action and a quick end of the deal, on one guess.

    `likely` are the recipes the others would choose, when that is the decision.
    """
    me, deal = guess.to_act, guess.deal
    twin = guess.copy()
    if likely is None:
        twin.apply(action)
        return finish(twin, deal, me)
    recipe = action - 32
    twin.chosen = likely.copy()
    twin.chosen[me] = recipe
    twin.waiting = 0
    twin.to_act = twin.leader
    return finish(twin, deal, me) - USUAL[recipe]


def likely_recipes(guess):
    """What sensible cooks with these hands would choose, as greedy_bot does."""
    likely = []
    for seat in range(guess.seats):
        if guess.options["open_recipes"] and guess.chosen[seat] >= 0:
            likely.append(guess.chosen[seat])
        else:
            unused = [recipe for recipe in range(5) if guess.unused[seat] >> recipe & 1]
            likely.append(max(unused, key=partial(promise, guess.hand(seat))))
    return likely


def promise(hand, recipe):
    """How well a hand suits a recipe: a rough guess, in points."""
    if recipe == 4:
        return 6 - sum(VALUES[card] >= 4 for card in hand)
    return sum(card >> 3 == recipe for card in hand) - (2 if recipe == 3 else 2.5)


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
