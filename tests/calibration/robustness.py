"""Coverage where the field is not what the formula has in mind: copies, heavy tails, cycles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ladder.ratings.results import Floats
from tests.calibration.board import Draw, SimulatedBoard, independent
from tests.calibration.coverage import HOUSE

CHECKS = (6, 10, 30)


def copies(
    seats: int, count: int, seed: int, *, are_known: bool = True, bots: int = 20
) -> list[float]:
    """Share of honest bots that are covered, beside `count` copies of the starter."""
    board = SimulatedBoard(seats, seed)
    board.seat_house(*HOUSE)
    field = [board.add(1500 + board.rng.normal(0, 200)).key for _ in range(bots)]
    starter = "starter"
    board.players[0].program = starter
    for _ in range(count):
        board.add(HOUSE[0], program=starter)
    board.are_programs_known = are_known
    found = []
    for sets in CHECKS:
        board.play_until(sets)
        found.append(covered(board, field))
    return found


def covered(board: SimulatedBoard, keys: list[int]) -> float:
    return float(
        np.mean(
            [
                board.rated[key].low <= board.players[key].strength <= board.rated[key].high
                for key in keys
            ]
        )
    )


def heavy_tails(rng: np.random.Generator, sets: int, k: int) -> Floats:
    """Luck of Student's t with three degrees of freedom, as wide as Gumbel's."""
    return rng.standard_t(3, size=(sets, k, k)) * (np.pi / np.sqrt(6) / np.sqrt(3))


LONG_RUN = 500  # sets of each bot, after which its rating is taken for the truth
LATER_CHECKS = (10, 30, 70)


def misfits(
    seats: int, sd: float, seed: int, *, luck: Draw = independent, style_elo: float = 0.0
) -> dict[str, list[float]]:
    """Coverage where no rating explains all results, by the sets that everybody has played.

    "long run": of the rating that the same bots have after LONG_RUN sets each; "latent": of the
    strength that the simulation adds luck to, for all bots and for the best.
    """
    board = SimulatedBoard(seats, seed, luck)
    board.seat_house(*HOUSE)
    board.style_elo = style_elo
    field = [board.add(1500 + board.rng.normal(0, sd), style=i % 3).key for i in range(25)]
    shown = []
    for sets in LATER_CHECKS:
        board.play_until(sets)
        shown.append({key: board.rated[key] for key in field})
    board.play_until(LONG_RUN)
    best = max(field, key=lambda key: board.players[key].strength)

    def share(truth: Callable[[int], float], keys: list[int]) -> list[float]:
        return [
            float(np.mean([now[key].low <= truth(key) <= now[key].high for key in keys]))
            for now in shown
        ]

    return {
        "long run": share(lambda key: board.rated[key].value, field),
        "latent": share(lambda key: board.players[key].strength, field),
        "latent, best": share(lambda key: board.players[key].strength, [best]),
    }


MISFITS: list[tuple[str, int, float, dict[str, Any]]] = [
    ("four seats, luck with heavy tails", 4, 400.0, {"luck": heavy_tails}),
    ("two seats, luck with heavy tails", 2, 400.0, {"luck": heavy_tails}),
    ("four seats, cycles of 100", 4, 200.0, {"style_elo": 100.0}),
    ("four seats, cycles of 200", 4, 200.0, {"style_elo": 200.0}),
    ("two seats, cycles of 100", 2, 200.0, {"style_elo": 100.0}),
]
