"""Covariances of fitted ratings, written out in full or solved for column by column."""

from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

import numpy as np

from ladder.ratings.sparse import Floats, Sparse, solve

PROBES = 32


class Covariance(Protocol):
    """A covariance matrix that may be too large to write out."""

    diagonal: Floats

    def column(self, i: int) -> Floats:
        """One column of the matrix."""
        ...


class Dense:
    """A covariance matrix written out."""

    def __init__(self, matrix: Floats) -> None:
        self._matrix = matrix
        self.diagonal: Floats = np.diagonal(matrix)

    def column(self, i: int) -> Floats:
        column: Floats = self._matrix[:, i]
        return column


class Iterative:
    """A covariance matrix known by its products with vectors.

    Columns are solved for. The diagonal is estimated: the part in which all versions move
    together is exact, the rest is the mean of z * (C z) over random vectors z of +-1. That is
    unbiased, and its error comes only from covariances between versions, which are small once
    the common part is gone.
    """

    def __init__(self, size: int, product: Callable[[Floats], Floats]) -> None:
        self._size = size
        self._product = product
        self.column = lru_cache(maxsize=64)(self._column)
        common = product(np.ones(size)) / size
        rng = np.random.default_rng(0)  # the same results always give the same errors
        total = np.zeros(size)
        for _ in range(PROBES):
            probe = rng.choice((-1.0, 1.0), size)
            answer = product(probe - probe.mean())
            total += probe * (answer - answer.mean())
        self.diagonal: Floats = np.maximum(total / PROBES + 2 * common - common.mean(), 0.0)

    def _column(self, i: int) -> Floats:
        unit = np.zeros(self._size)
        unit[i] = 1.0
        return self._product(unit)


def dense_pair(hessian: Sparse, scores: Sparse) -> tuple[Covariance, Covariance]:
    """H^-1, and the sandwich H^-1 (sum of s s^T) H^-1."""
    inverse: Floats = np.linalg.inv(hessian.dense()).astype(np.float64, copy=False)
    return Dense(inverse), Dense(inverse @ scores.dense() @ inverse)


def iterative_pair(hessian: Sparse, scores: Sparse) -> tuple[Covariance, Covariance]:
    """The same two matrices without writing them out."""

    def inverse(vector: Floats) -> Floats:
        return solve(hessian, vector, tolerance=1e-4)

    def sandwich(vector: Floats) -> Floats:
        return inverse(scores.times(inverse(vector)))

    return Iterative(hessian.size, inverse), Iterative(hessian.size, sandwich)
