"""A table laid as a test needs it."""

from random import Random

import pytest

from engine.chance import RandomChance
from engine.games import GAMES
from engine.games.ramen_ramen.cards import CARD_BY_NAME, CARDS, VALUE, types_of

GAME = GAMES["ramen_ramen"]


def cards(names):
    return [CARD_BY_NAME[name] for name in names.split()]


def lay(seats, *, hands=(), bowls=("", "", ""), fridge=None, deck=None, to_act=0, **options):
    """A state with these cards in these places.

    Hands, fridge and deck that are not given are filled from the cards left over; what is left
    when `deck` gives a number goes to the solo player's cards aside, or out as one served packet.
    """
    state = GAME.start(seats, RandomChance(Random(5)), options)
    state.to_act = to_act
    state.bowls = [cards(bowl) for bowl in bowls]
    state.sums = [sum(VALUE[card] for card in bowl) for bowl in state.bowls]
    state.masks = [types_of(bowl) for bowl in state.bowls]
    state.hands = [cards(hand) for hand in hands]
    state.fridge = [] if fridge is None else cards(fridge)
    used = {*state.fridge}.union(*state.bowls, *state.hands)
    left = [card for card in range(CARDS) if card not in used]
    Random(1).shuffle(left)
    for _ in range(seats - len(hands)):
        state.hands.append([left.pop() for _ in range(4)])
    for hand in state.hands:
        hand.sort()
    if fridge is None:
        state.fridge = [left.pop() for _ in range(4)]
    state.aside = [left.pop() for _ in range(4)] if seats == 1 else []
    size = len(left) - len(left) % 2 if deck is None else deck
    state.deck, gone = left[:size], left[size:]
    state.aside += gone
    return state


def do(state, text):
    """Play an action, by its text, and return the events it made."""
    state.events = []
    state.apply(state.parse(text))
    return state.events


@pytest.fixture
def table():
    return lay


@pytest.fixture
def play():
    return do
