"""Plays what leaves it best off, by a small network that `train.py` has taught."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.games.ramen_ramen import GAME

Floats = NDArray[np.float32]
Weights = Mapping[str, Floats]

# Where each kind of number begins in a row: bowls by sum and number of types, hand and fridge by
# value, and three more.
BOWLS, HAND, FRIDGE, LEAD, DECK, TAKING, SIZE = 0, 112, 120, 128, 129, 130, 131


def outcomes(state: Any) -> Floats:
    """A row for each legal action: the table it leaves, as far as the seat to act can know."""
    seat = state.to_act
    rows = np.zeros((len(state.legal()), SIZE), np.float32)
    for row, action in zip(rows, state.legal(), strict=True):
        if state.kind == "play":
            after = state.copy()
            after.apply(action)
            _write(row, after, seat, after.hands[seat], after.fridge)
            row[TAKING] = after.to_act == seat
        else:  # what is drawn besides is luck, so it is left out
            fridge = [card for card in state.fridge if card != action]
            _write(row, state, seat, [*state.hands[seat], action], fridge)
    return rows


def _write(row: Floats, state: Any, seat: int, hand: list[int], fridge: list[int]) -> None:
    for total, mask in zip(state.sums, state.masks, strict=True):
        row[BOWLS + 8 * total + mask.bit_count()] += 1
    for card in hand:
        row[HAND + card % 8] += 1
    for card in fridge:
        row[FRIDGE + card % 8] += 1
    row[LEAD] = (state.points[seat] - state.points[1 - seat]) / 10
    row[DECK] = len(state.deck) / 56


def hidden(weights: Weights, rows: Floats) -> Floats:
    found: Floats = np.tanh(rows @ weights["inner"] + weights["bias"])
    return found


def values(weights: Weights, rows: Floats) -> Floats:
    """How far ahead one ends up, in tens of points, by the network's estimate."""
    found: Floats = hidden(weights, rows) @ weights["outer"] + rows @ weights["direct"]
    return found


@cache
def learned() -> Weights:
    return dict(np.load(Path(__file__).with_name("weights.npz")))


def decide(view: dict[str, Any]) -> str:
    state: Any = GAME.determinize(view, Random(0))
    best = int(values(learned(), outcomes(state)).argmax())
    return str(state.notation(state.legal()[best]))
