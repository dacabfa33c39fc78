"""Symmetric sparse matrices as coordinate lists: just enough for the fit."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

COUNTED_CELLS = 4_000_000


@dataclass(frozen=True, slots=True)
class Sparse:
    """A square matrix of `size` given by its non-zero cells."""

    size: int
    rows: Ints
    cols: Ints
    cells: Floats

    @classmethod
    def summed(cls, size: int, rows: Ints, cols: Ints, cells: Floats) -> "Sparse":
        """Build a matrix, adding up the cells given for one place."""
        places, (totals,) = sum_by_place(size, rows * size + cols, cells)
        return cls(size, places // size, places % size, totals)

    def times(self, vector: Floats) -> Floats:
        """The product with a vector."""
        product = self.cells * vector[self.cols]
        return tally(self.rows, product, self.size)

    def diagonal(self) -> Floats:
        """The diagonal as a vector."""
        on = self.rows == self.cols
        return tally(self.rows[on], self.cells[on], self.size)

    def dense(self) -> Floats:
        """The same matrix, all cells written out."""
        full = np.zeros((self.size, self.size))
        full[self.rows, self.cols] = self.cells
        return full


def tally(places: Ints, amounts: Floats, size: int) -> Floats:
    """The sum of the amounts at each place 0..size-1."""
    return np.bincount(places, amounts, size).astype(np.float64, copy=False)


def sum_by_place(size: int, places: Ints, *columns: Floats) -> tuple[Ints, list[Floats]]:
    """The distinct places (row * size + column), sorted, and each column's sums over them."""
    if size * size <= COUNTED_CELLS:  # counting all cells beats sorting the given ones
        present = np.flatnonzero(np.bincount(places, minlength=size * size))
        return present, [tally(places, one, size * size)[present] for one in columns]
    unique, where = np.unique(places, return_inverse=True)
    return unique, [tally(where, one, len(unique)) for one in columns]


def solve(matrix: Sparse, target: Floats, tolerance: float = 1e-10) -> Floats:
    """Solve a positive definite system by conjugate gradients, scaled by the diagonal."""
    scale = 1.0 / matrix.diagonal()
    answer = np.zeros_like(target)
    residual = target.copy()
    direction = scaled = scale * residual
    strength = float(residual @ scaled)
    goal = tolerance**2 * strength
    for _ in range(10 * matrix.size):
        if strength <= goal:
            break
        moved = matrix.times(direction)
        step = strength / float(direction @ moved)
        answer = answer + step * direction
        residual = residual - step * moved
        scaled = scale * residual
        previous, strength = strength, float(residual @ scaled)
        direction = scaled + strength / previous * direction
    return answer
