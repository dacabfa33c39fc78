"""Glicko ratings of people and puzzles: an answer is a game between the two."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, pi, sqrt

Q = log(10) / 400
LEAST_DEVIATION = 60.0  # so that nobody's rating stands still


@dataclass(frozen=True, slots=True)
class Strength:
    rating: float
    deviation: float

    def after(self, other: Strength, score: float) -> Strength:
        """The rating after a result against another."""
        weight = 1 / sqrt(1 + 3 * (Q * other.deviation / pi) ** 2)
        expected = 1 / (1 + 10 ** (-weight * (self.rating - other.rating) / 400))
        information = (Q * weight) ** 2 * expected * (1 - expected)
        precision = 1 / self.deviation**2 + information
        return Strength(
            self.rating + Q * weight * (score - expected) / precision,
            max(LEAST_DEVIATION, sqrt(1 / precision)),
        )


def after_answer(solver: Strength, puzzle: Strength, is_right: bool) -> tuple[Strength, Strength]:
    """The ratings of both after an answer; a wrong one is a win of the puzzle."""
    score = 1.0 if is_right else 0.0
    return solver.after(puzzle, score), puzzle.after(solver, 1 - score)
