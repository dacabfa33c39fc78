"""Results turned into arrays of pairwise comparisons, for the fit."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np

from ladder.ratings.elo import Key, Kind, Outcome
from ladder.ratings.sparse import Floats, Ints, Sparse, sum_by_place


@dataclass(frozen=True, slots=True)
class SameShape:
    """All results of one number of entrants: a row of each array is one set."""

    players: Ints  # (sets, k)
    weight: Floats  # (sets, k, k): how much each pair counts, rounds included
    scored: Floats  # (sets, k, k): weight * S_ij

    def surprise(self, ratings: Floats, slope: float) -> Floats:
        """By set and entrant, the weighted score above what the ratings expect."""
        own = ratings[self.players]
        chance = 1.0 / (1.0 + np.exp(-slope * (own[:, :, None] - own[:, None, :])))
        total: Floats = (self.scored - self.weight * chance).sum(axis=2)
        return total


@dataclass(frozen=True, slots=True)
class Comparisons:
    """Every pair that met, once, with all its results added up; and the sets behind them."""

    size: int
    first: Ints
    second: Ints
    weight: Floats  # sum of g * 3/(k+1)
    scored: Floats  # sum of g * 3/(k+1) * S_ij, for `first`
    shapes: tuple[SameShape, ...]

    def sets_played(self) -> Ints:
        """How many sets each version played."""
        counts = np.zeros(self.size, dtype=np.int64)
        for shape in self.shapes:
            counts += np.bincount(shape.players.ravel(), minlength=self.size)
        return counts

    def outer_scores(self, ratings: Floats, slope: float) -> Sparse:
        """The sum over sets of s s^T, where s is the gradient of one set."""
        rows, cols, cells = [], [], []
        for shape in self.shapes:
            score = slope * shape.surprise(ratings, slope)
            k = shape.players.shape[1]
            rows.append(np.repeat(shape.players, k, axis=1).ravel())
            cols.append(np.tile(shape.players, (1, k)).ravel())
            cells.append((score[:, :, None] * score[:, None, :]).ravel())
        if not rows:
            rows, cols, cells = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0)]
        joined = (np.concatenate(rows), np.concatenate(cols), np.concatenate(cells))
        return Sparse.summed(self.size, *joined)


def compare(outcomes: Iterable[Outcome], index: Mapping[Key, int]) -> Comparisons:
    """Add up the outcomes pair by pair; `index` numbers the versions."""
    groups: dict[tuple[int, bool], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[len(outcome.entrants), outcome.kind is Kind.TEAMS].append(outcome)
    shapes = tuple(
        _same_shape(group, index, k) for (k, _), group in sorted(groups.items()) if k > 1
    )
    size = len(index)
    places, weights, scores = [np.zeros(0, np.int64)], [np.zeros(0)], [np.zeros(0)]
    for shape in shapes:
        for i, j in combinations(range(shape.players.shape[1]), 2):
            one, two = shape.players[:, i], shape.players[:, j]
            places.append(np.minimum(one, two) * size + np.maximum(one, two))
            weights.append(shape.weight[:, i, j])
            scores.append(np.where(one < two, shape.scored[:, i, j], shape.scored[:, j, i]))
    joined = (np.concatenate(places), np.concatenate(weights), np.concatenate(scores))
    met, (weight, scored) = sum_by_place(size, *joined)
    return Comparisons(size, met // max(size, 1), met % max(size, 1), weight, scored, shapes)


def _same_shape(group: list[Outcome], index: Mapping[Key, int], k: int) -> SameShape:
    # Flat iterators fill an array several times faster than nested tuples do.
    keys = chain.from_iterable(one.entrants for one in group)
    players = np.fromiter(map(index.__getitem__, keys), np.int64).reshape(-1, k)
    rows = chain.from_iterable(one.beats for one in group)
    beats = np.fromiter(chain.from_iterable(rows), np.float64).reshape(-1, k, k)
    rounds = np.fromiter((one.rounds for one in group), np.float64)
    if group[0].kind is Kind.TEAMS:
        # Mixed partners: each of the cross pairs carries its share of the one comparison of
        # teams, which is the team formula to first order in the partners' difference.
        sides = np.array([one.sides for one in group])
        counted = (sides[:, :, None] != sides[:, None, :]).astype(float)
        counted /= counted.sum(axis=(1, 2), keepdims=True) / 2
    else:
        counted = np.broadcast_to((1 - np.eye(k)) * 3 / (k + 1), beats.shape)
    return SameShape(players, counted * rounds[:, None, None], counted * beats)
