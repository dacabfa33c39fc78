"""Observations on a common scale: what a network learns from most easily.

The exact encoding divides by the largest value that the rules allow, which most plays never come
near. A scale is measured from plays instead: each number less its mean, in standard deviations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.chance import RandomChance
from engine.game import Game, State
from ladle import policies

FARTHEST = 5.0  # standard deviations; what is farther is cut
DECISIONS = 5_000  # that a scale is measured from
SEED = 20  # always the same plays, so that a board has one scale
EXPLORE = 0.3  # how often the policy of these plays is left for a random move
FEWEST = 1e-6  # a number that varies less is constant

Floats = NDArray[np.float32]
Rows = Callable[[Sequence[tuple[State, int | None]]], Floats]


class Scale:
    """Means and deviations of an observation's numbers; keep them beside a network's weights."""

    def __init__(self, mean: Floats, deviation: Floats) -> None:
        self.mean, self.deviation = mean, deviation

    def __call__(self, rows: Floats) -> Floats:
        """The same observations in standard deviations; numbers that never varied are 0."""
        found: Floats = np.clip((rows - self.mean) / self.deviation, -FARTHEST, FARTHEST)
        found[..., ~np.isfinite(self.deviation)] = 0
        return found

    def save(self, path: str | Path) -> None:
        np.savez(Path(path), allow_pickle=False, mean=self.mean, deviation=self.deviation)

    @classmethod
    def load(cls, path: str | Path) -> Scale:
        with np.load(path) as found:
            return cls(found["mean"], found["deviation"])


def measure(game: Game, seats: int, options: dict[str, Any], rows: Rows) -> Scale:
    """The scale of a board: the same every time, from plays of its quick policy."""
    seen = np.concatenate([rows([pair]) for pair in _decisions(game, seats, options)])
    deviation = seen.std(axis=0, dtype=np.float64)
    deviation[deviation < FEWEST] = np.inf
    return Scale(
        seen.mean(axis=0, dtype=np.float64).astype(np.float32), deviation.astype(np.float32)
    )


def _decisions(game: Game, seats: int, options: dict[str, Any]) -> Iterator[tuple[State, int]]:
    """States with their seat to act, one after the other; read each before the next."""
    rng = Random(SEED)
    policy = policies.quick(game.slug)
    count = 0
    while True:
        state = game.start(seats, RandomChance(Random(rng.getrandbits(53))), options)
        while state.to_act is not None:
            yield state, state.to_act
            count += 1
            if count == DECISIONS:
                return
            explores = rng.random() < EXPLORE
            state.apply(state.sample(rng) if explores else policy(state))
