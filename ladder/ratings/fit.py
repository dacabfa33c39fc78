"""Fitted Elo: the ratings that explain all results best, with their uncertainty.

Maximises, by Newton's method,
    sum over results g * 3/(k+1) * sum_{i<j} [S ln E + (1-S) ln(1-E)]
    - sum over roots (R-1500)^2 / (2*250^2) - sum over children (R-R_parent)^2 / (2*70^2)
with the anchors fixed. The priors keep every rating finite, and make groups of versions that
never met comparable.

Newton's steps are solved for directly or, for many versions, by conjugate gradients to the same
precision. Up to DENSE_LIMIT free versions the covariances are written out and exact; above it
the standard errors are estimated as covariance.Iterative explains.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from ladder.ratings.comparisons import Comparisons, compare
from ladder.ratings.covariance import Covariance, Dense, dense_pair, iterative_pair
from ladder.ratings.elo import Key, Outcome
from ladder.ratings.intervals import NORMAL, Z95
from ladder.ratings.sparse import Floats, Ints, Sparse, solve, tally

SLOPE = math.log(10) / 400
ROOT_MEAN, ROOT_SPREAD = 1500.0, 250.0
CHILD_SPREAD = 70.0
SANDWICH_SETS = 30
DENSE_LIMIT = 1000
DIRECT_LIMIT = 300  # free versions up to which Newton's steps are solved for directly
CONVERGED = 1e-6  # Elo
FAR = 10.0  # Elo; within it Newton's steps are safe
TOLD_APART = 0.975  # likelihood of superiority at the edge of a two-sided 95% interval


@dataclass(frozen=True, slots=True)
class Fit:
    """Fitted ratings by version, in Elo, and how sure they are.

    The model's own covariance H^-1 serves until a version has 30 sets, then the sandwich, which
    also holds where rounds of one set hang together.
    """

    value: dict[Key, float]
    error: dict[Key, float]  # standard error; 0 for an anchor
    sets: dict[Key, int]
    _free: dict[Key, int] = field(repr=False)
    _plain: Covariance = field(repr=False)
    _robust: Covariance = field(repr=False)

    def interval(self, key: Key) -> tuple[float, float]:
        """The 95% interval of a version's rating."""
        reach = Z95 * self.error[key]
        return self.value[key] - reach, self.value[key] + reach

    def covariance(self, a: Key, b: Key) -> float:
        """The covariance of two ratings; 0 with an anchor."""
        if a not in self._free or b not in self._free:
            return 0.0
        return float(self._matrix(a, b).column(self._free[a])[self._free[b]])

    def superiority(self, a: Key, b: Key) -> float:
        """LOS: the likelihood that a is stronger than b."""
        gap = self.value[a] - self.value[b]
        matrix = self._matrix(a, b)
        spread = 0.0
        if a in self._free:
            column = matrix.column(self._free[a])
            spread += column[self._free[a]]
            if b in self._free:
                spread -= 2 * column[self._free[b]]
        if b in self._free:
            spread += matrix.diagonal[self._free[b]]
        if spread <= 0:
            return 0.5 if not gap else float(gap > 0)
        return NORMAL.cdf(gap / math.sqrt(spread))

    def bands(self) -> list[list[Key]]:
        """Versions from best to worst, cut where one is told apart from its band's first."""
        result: list[list[Key]] = []
        for key in sorted(self.value, key=lambda one: -self.value[one]):
            if result and self.superiority(result[-1][0], key) < TOLD_APART:
                result[-1].append(key)
            else:
                result.append([key])
        return result

    def _matrix(self, *keys: Key) -> Covariance:
        # Variances and covariance of a pair come from one matrix, or their sum may be negative.
        free = (key for key in keys if key in self._free)
        return self._robust if all(self.sets[k] >= SANDWICH_SETS for k in free) else self._plain


def fit(
    outcomes: Iterable[Outcome],
    *,
    parents: Mapping[Key, Key] | None = None,
    anchors: Mapping[Key, float] | None = None,
    versions: Iterable[Key] = (),
    dense_limit: int = DENSE_LIMIT,
) -> Fit:
    """Fit the ratings of all versions in the outcomes, and of `versions` besides.

    `parents` maps a version to the one it grew from; `anchors` gives fixed ratings in Elo.
    """
    outcomes, parents, anchors = list(outcomes), parents or {}, anchors or {}
    keys = list(dict.fromkeys([*versions, *(key for one in outcomes for key in one.entrants)]))
    if not keys:
        return Fit({}, {}, {}, {}, Dense(np.zeros((0, 0))), Dense(np.zeros((0, 0))))
    # Free versions are numbered first, so that a vector of them is a slice of all ratings.
    keys.sort(key=lambda key: key in anchors)
    index = {key: i for i, key in enumerate(keys)}
    free = {key: i for key, i in index.items() if key not in anchors}
    model = _Model(compare(outcomes, index), _Prior.build(free, index, parents), len(free))
    ratings = np.array([float(anchors.get(key, ROOT_MEAN)) for key in keys])
    model.maximise(ratings, is_direct=len(free) <= min(dense_limit, DIRECT_LIMIT))

    hessian = model.hessian(ratings)
    scores = model.comparisons.outer_scores(ratings, SLOPE)
    both = (scores.rows < len(free)) & (scores.cols < len(free))
    scores = Sparse(len(free), scores.rows[both], scores.cols[both], scores.cells[both])
    pair = dense_pair if len(free) <= dense_limit else iterative_pair
    plain, robust = pair(hessian, scores)
    sets = model.comparisons.sets_played()
    variance = np.where(sets[: len(free)] >= SANDWICH_SETS, robust.diagonal, plain.diagonal)
    error = [*np.sqrt(variance).tolist(), *[0.0] * (len(keys) - len(free))]
    return Fit(
        value=dict(zip(keys, ratings.tolist(), strict=True)),
        error=dict(zip(keys, error, strict=True)),
        sets=dict(zip(keys, sets.tolist(), strict=True)),
        _free=free,
        _plain=plain,
        _robust=robust,
    )


@dataclass(frozen=True, slots=True)
class _Prior:
    """Where each free version is expected: near 1500, or near the version it grew from."""

    roots: Ints
    children: Ints
    parents: Ints

    @classmethod
    def build(
        cls, free: Mapping[Key, int], index: Mapping[Key, int], parents: Mapping[Key, Key]
    ) -> "_Prior":
        children = [key for key in free if parents.get(key) in index]
        roots = [i for key, i in free.items() if parents.get(key) not in index]
        return cls(
            np.array(roots, dtype=np.int64),
            np.array([free[key] for key in children], dtype=np.int64),
            np.array([index[parents[key]] for key in children], dtype=np.int64),
        )


@dataclass(frozen=True, slots=True)
class _Model:
    """The function to maximise, with its slope and curvature over the free versions."""

    comparisons: Comparisons
    prior: _Prior
    free: int

    def maximise(self, ratings: Floats, *, is_direct: bool) -> None:
        """Move the free ratings, in place, to the maximum."""
        for _ in range(100):
            hessian, slope = self.hessian(ratings), self.gradient(ratings)
            step = np.linalg.solve(hessian.dense(), slope) if is_direct else solve(hessian, slope)
            reach = np.abs(step).max(initial=0.0)
            # The function is concave, but far from its top a full step may shoot over it.
            if reach > FAR:
                level, moved = self.level(ratings), ratings.copy()
                moved[: self.free] += step
                while self.level(moved) < level:
                    step /= 2
                    moved[: self.free] = ratings[: self.free] + step
            ratings[: self.free] += step
            if reach < CONVERGED:
                return

    def level(self, ratings: Floats) -> float:
        """The penalised log-likelihood."""
        pairs, prior = self.comparisons, self.prior
        gap = SLOPE * (ratings[pairs.first] - ratings[pairs.second])
        # ln E = -ln(1 + e^-gap) and ln(1-E) = ln E - gap.
        likelihood = -pairs.weight * np.logaddexp(0, -gap) - (pairs.weight - pairs.scored) * gap
        root = (ratings[prior.roots] - ROOT_MEAN) / ROOT_SPREAD
        child = (ratings[prior.children] - ratings[prior.parents]) / CHILD_SPREAD
        return float(likelihood.sum() - (root @ root + child @ child) / 2)

    def gradient(self, ratings: Floats) -> Floats:
        """The first derivatives by the free ratings."""
        pairs, prior = self.comparisons, self.prior
        surprise = SLOPE * (pairs.scored - pairs.weight * self._chance(ratings))
        total = tally(pairs.first, surprise, pairs.size)
        total -= tally(pairs.second, surprise, pairs.size)
        pull = (ratings[prior.children] - ratings[prior.parents]) / CHILD_SPREAD**2
        total -= tally(prior.children, pull, pairs.size)
        total += tally(prior.parents, pull, pairs.size)
        total[prior.roots] -= (ratings[prior.roots] - ROOT_MEAN) / ROOT_SPREAD**2
        slope: Floats = total[: self.free]
        return slope

    def hessian(self, ratings: Floats) -> Sparse:
        """The negated second derivatives by the free ratings."""
        pairs, prior = self.comparisons, self.prior
        chance = self._chance(ratings)
        tie = SLOPE**2 * pairs.weight * chance * (1 - chance)
        kinship = np.full(len(prior.children), 1 / CHILD_SPREAD**2)
        one = np.concatenate([pairs.first, prior.children])
        two = np.concatenate([pairs.second, prior.parents])
        bond = np.concatenate([tie, kinship])
        rows = np.concatenate([one, two, one, two, prior.roots])
        cols = np.concatenate([one, two, two, one, prior.roots])
        pins = np.full(len(prior.roots), 1 / ROOT_SPREAD**2)
        cells = np.concatenate([bond, bond, -bond, -bond, pins])
        both = (rows < self.free) & (cols < self.free)
        return Sparse.summed(self.free, rows[both], cols[both], cells[both])

    def _chance(self, ratings: Floats) -> Floats:
        gap = ratings[self.comparisons.first] - ratings[self.comparisons.second]
        chance: Floats = 1.0 / (1.0 + np.exp(-SLOPE * gap))
        return chance
