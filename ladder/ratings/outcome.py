"""One rated result: who finished ahead of whom in the rounds of a set."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Key = Any  # hashable; a mapping from ints is no mapping from Hashables to a type checker

SLOPE = math.log(10) / 400  # of the expected score, by Elo


@dataclass(frozen=True, slots=True)
class Outcome:
    """One set; `beats[i][j]` counts the rounds in which i finished ahead of j, level ones half."""

    entrants: tuple[Key, ...]
    beats: tuple[tuple[float, ...], ...]
    rounds: int

    def __post_init__(self) -> None:
        if len(set(self.entrants)) != len(self.entrants):
            raise ValueError(f"an entrant appears twice in {self.entrants!r}")

    @classmethod
    def from_places(cls, entrants: Sequence[Key], places: Sequence[Sequence[float]]) -> "Outcome":
        """From the places of each round, by entrant; 1 is best, equal is level."""
        return cls(tuple(entrants), _beats(places, len(entrants)), len(places))

    @classmethod
    def from_scores(cls, entrants: Sequence[Key], scores: Sequence[Sequence[float]]) -> "Outcome":
        """Solo versions that all ran the same seeds, from the scores of each seed, by entrant."""
        return cls.from_places(entrants, [[-score for score in seed] for seed in scores])


def expected(delta: float) -> float:
    """E: the score expected of the player rated `delta` Elo above the other."""
    return 1.0 / (1.0 + math.exp(-SLOPE * delta)) if delta > -100_000 else 0.0


def _beats(ranks: Sequence[Sequence[float]], entrants: int) -> tuple[tuple[float, ...], ...]:
    """Rounds in which each finished ahead of each other, level rounds counting half."""
    for row in ranks:
        if len(row) != entrants:
            raise ValueError(f"{row!r} does not place {entrants} entrants")
    return tuple(
        tuple(
            sum((row[i] < row[j]) + 0.5 * (row[i] == row[j]) for row in ranks) if i != j else 0.0
            for j in range(entrants)
        )
        for i in range(entrants)
    )
