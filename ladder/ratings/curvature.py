"""The curvature of a fit as a list of bonds, its inverse, and what can be had without that."""

from dataclasses import dataclass

import numpy as np

from ladder.ratings.results import AnyFloats, Floats, Ints, tally

PROBES = 64


@dataclass(frozen=True)
class Bonds:
    """A symmetric matrix: a diagonal, and -strength for each bond of two."""

    diagonal: Floats
    one: Ints
    two: Ints
    strength: Floats

    def times(self, vector: Floats) -> Floats:
        """The product with a vector."""
        size = len(vector)
        product: Floats = self.diagonal * vector
        product -= tally(self.one, self.strength * vector[self.two], size)
        product -= tally(self.two, self.strength * vector[self.one], size)
        return product

    def unit(self, i: int) -> Floats:
        """A vector with 1 at one place."""
        vector = np.zeros(len(self.diagonal))
        vector[i] = 1.0
        return vector

    def dense(self) -> Floats:
        """The same matrix, all cells written out."""
        size = len(self.diagonal)
        cells = tally(self.one * size + self.two, self.strength, size * size)
        half = cells.reshape(size, size)
        full: Floats = -(half + half.T)
        full[np.diag_indices(size)] += self.diagonal
        return full


def solve(matrix: Bonds, target: Floats, tolerance: float = 1e-4) -> Floats:
    """Solve a positive definite system by conjugate gradients, scaled by the diagonal."""
    scale = 1.0 / matrix.diagonal
    answer = np.zeros_like(target)
    residual = target.copy()
    direction = scaled = scale * residual
    strength = float(residual @ scaled)
    goal = tolerance**2 * strength
    for _ in range(10 * len(target)):
        if strength <= goal or strength == 0.0:
            break
        moved = matrix.times(direction)
        step = strength / float(direction @ moved)
        answer = answer + step * direction
        residual = residual - step * moved
        scaled = scale * residual
        previous, strength = strength, float(residual @ scaled)
        direction = scaled + strength / previous * direction
    return answer


def inverse_of(matrix: Bonds, *, is_exact: bool) -> Floats:
    """The inverse; where many versions make it dear, to seven digits.

    By Cholesky, with the triangle inverted half by half: nearly all of it is products of large
    matrices, which take a third of the time of `np.linalg.inv`.
    """
    # Scaled to a unit diagonal, so that the few digits serve old hands and newcomers alike.
    scale = 1 / np.sqrt(matrix.diagonal)
    dense = matrix.dense()
    dense *= scale[:, None]
    dense *= scale
    triangle = np.linalg.cholesky(dense if is_exact else dense.astype(np.float32))
    triangle = _triangle_inverse(triangle)
    inverse: Floats = (triangle.T @ triangle).astype(np.float64, copy=False)
    inverse *= scale[:, None]
    inverse *= scale
    return inverse


def _triangle_inverse(lower: AnyFloats) -> AnyFloats:
    if len(lower) <= 128:
        return np.linalg.inv(lower)
    half = len(lower) // 2
    above, below = _triangle_inverse(lower[:half, :half]), _triangle_inverse(lower[half:, half:])
    whole = np.zeros_like(lower)
    whole[:half, :half], whole[half:, half:] = above, below
    whole[half:, :half] = -below @ (lower[half:, :half] @ above)
    return whole


def diagonal_of_inverse(matrix: Bonds) -> Floats:
    """The diagonal of the inverse, estimated: the mean of z * (C z) over random vectors of +-1.

    The part in which all versions move together is exact. The rest is unbiased, and its error
    comes only from covariances between versions, which are small once the common part is gone.
    Never below what a version's own results say if all others stood still.
    """
    size = len(matrix.diagonal)
    common = solve(matrix, np.ones(size)) / size
    rng = np.random.default_rng(0)  # the same results always give the same errors
    total = np.zeros(size)
    for _ in range(PROBES):
        probe = rng.choice((-1.0, 1.0), size)
        answer = solve(matrix, probe - probe.mean(), tolerance=1e-2)
        total += probe * (answer - answer.mean())
    estimate: Floats = total / PROBES + 2 * common - common.mean()
    return np.maximum(estimate, 1 / matrix.diagonal)
