"""A table laid as a test needs it."""

from random import Random

import pytest

from engine.chance import RandomChance
from engine.games import GAMES
from engine.games.safranito.actions import DISH_NAMES
from engine.games.safranito.board import CENTRES, REGION_NAMES, SPICES
from engine.games.safranito.phases import THROWS
from engine.games.safranito.table import BIT

GAME = GAMES["safranito"]


def lay(seats, *, chef=0, discs=(), display="", hands=(), money=(), dishes=None, **options):
    """A table before the last throw of phase 1.

    `discs` are (seat, value, region name); hands and display are spices, space-separated. The
    cards come out of the draw pile, the dishes out of theirs.
    """
    state = GAME.start(seats, RandomChance(Random(5)), {"skill": 0, **options})
    for spice, count in enumerate(state.display):
        state.draw += [spice] * count
    state.display = [0] * 9
    state.chef = chef
    for name in display.split():
        state.draw.remove(SPICES.index(name))
        state.display[SPICES.index(name)] += 1
    for seat, hand in enumerate(hands):
        for name in hand.split():
            give(state, seat, name)
    for seat, value, region in discs:
        at = REGION_NAMES.index(region)
        x, y = CENTRES[at] if at < len(CENTRES) else (140, 380)
        state.xs.append(float(x))
        state.ys.append(float(y))
        state.owners.append(seat)
        state.values.append(value)
        state.shown.append(False)
        state.regions.append(at if at < len(CENTRES) else -1)
        state.holding[seat] &= ~BIT[value]
    state.money = list(money) or state.money
    if dishes is not None:
        state.dish_pile += state.face_up
        state.face_up = [DISH_NAMES.index(name) for name in dishes]
        for dish in state.face_up:
            state.dish_pile.remove(dish)
    state.turn = THROWS[seats] * seats - 1
    state.to_act = (chef + state.turn) % seats
    return state


def give(state, seat, name, *, openly=True):
    """A card from the draw pile to a hand."""
    spice = SPICES.index(name)
    state.draw.remove(spice)
    state.hands[seat][spice] += 1
    state.known[seat][spice] += openly


def do(state, *texts):
    """Play actions, by their texts, and return the events they made."""
    state.events = []
    for text in texts:
        state.apply(state.parse(text))
    return state.events


def end_throws(state):
    """The last throw of phase 1, one that touches nothing and lies nowhere."""
    state.apply(state.autopilot())
    state.audit()
    return state


@pytest.fixture
def table():
    return lay


@pytest.fixture
def play():
    return do
