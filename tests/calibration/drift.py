"""Whether the scale stays where it is while bots come and go."""

from __future__ import annotations

import numpy as np

from tests.calibration.board import SimulatedBoard

CONSTANT, NEWCOMERS, SETS, KNOWN_SETS = 30, 10, 12, 60


def drift(seed: int, shift: float, generations: int = 30) -> float:
    """How far constant bots moved, on average, while newcomers this much stronger came and went."""
    board = SimulatedBoard(2, seed)
    board.seat_house(1400.0, 1000.0, 1750.0)
    constant = [board.add(1500 + board.rng.normal(0, 200)).key for _ in range(CONSTANT)]
    board.play_until(KNOWN_SETS)
    before = np.mean([board.rated[key].value for key in constant])
    for _ in range(generations):
        arrivals = [board.add(1500 + shift + board.rng.normal(0, 100)) for _ in range(NEWCOMERS)]
        board.play_until(SETS)
        for one in arrivals:
            board.retire(one)
    return float(np.mean([board.rated[key].value for key in constant]) - before)
