"""Positions for tests: a deal with the hands that a case needs."""

from collections import Counter
from random import Random

from engine.chance import RandomChance
from engine.games.potage_sauvage import GAME
from engine.games.potage_sauvage.cards import CARD, DECK, RECIPES
from engine.games.potage_sauvage.rules import PotageState


def cards(text: str) -> list[int]:
    return [CARD[each] for each in text.split()]


def position(*hands: str, recipes: str | None = None, **options: object) -> PotageState:
    """A first deal where seat 0 leads with these hands; all other cards are set aside.

    With `recipes` ("VVFI", by seat) they are chosen already.
    """
    state = GAME.start(len(hands), RandomChance(Random(0)), options)
    rest = Counter(DECK)
    state.once = [0] * len(hands)
    state.twice = [0] * len(hands)
    for seat, hand in enumerate(hands):
        state.give(seat, cards(hand))
        rest.subtract(cards(hand))
    assert min(rest.values()) >= 0, "more cards than the deck has"
    state.aside = sorted(rest.elements())
    state.dealer = len(hands) - 1
    state.leader = state.to_act = 0
    if recipes is not None:
        play(state, " ".join(recipes))
    return state


def play(state: PotageState, text: str) -> PotageState:
    """Play actions given in notation, one after the other."""
    for action in text.split():
        state.apply(state.parse(action))
    return state


def legal(state: PotageState) -> str:
    return " ".join(state.notation(action) for action in state.legal())


def last_scores(state: PotageState) -> list[tuple[str, int]]:
    """Recipe and score by seat in the deal served last."""
    return [(RECIPES[recipe], gained) for recipe, gained in state.served[-1]]
