"""How far results scatter compared with what the rating formula expects, the set as unit.

Rounds of a set are played on the same luck: they may agree more than chance has it (copies of a
deal decide alike) or less (each side wins with the better seat). Both show in how far the score
of a whole set strays from its expectation.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ladder.ratings.outcome import SLOPE
from ladder.ratings.results import Floats, Ints, Sets

PRIOR_SETS = 30.0  # how many sets without a surprise the board, and each version, begins with
LEAST = 0.5
LEAST_PRIOR = 0.8  # of a version: copies that are not known as such cannot narrow an interval more


@dataclass(frozen=True)
class Dispersion:
    """The factor by which variances are stretched: of the board, and by version."""

    board: float
    own: Floats


def disperse(sets: Mapping[int, Sets], ratings: Floats, free: int, programs: Ints) -> Dispersion:
    """Compare every set's score with its expectation at the fitted ratings.

    Sets in which two run the same program are left out: copies split their sets, and many of them
    would make everybody's results look steadier than they are.

    s is a version's surprise in a set, v the variance the formula gives it, and u that variance
    in units of an even set: 1 between equals, near 0 where the winner was plain beforehand.
    """
    size = len(ratings)
    surprise, variance, units, played = (np.zeros(size) for _ in range(4))
    degrees = 0.0
    strength = np.exp(SLOPE * (ratings - ratings.mean())) if size else ratings
    for k, every in ((k, part) for k, whole in sets.items() for part in whole.chunks()):
        one = every.only(_without_copies(programs[every.players]))
        degrees += (k - 1) * len(one.rounds)
        players = np.ascontiguousarray(one.players.T)
        quality = strength[players]
        chance, spread = np.zeros(players.shape), np.zeros(players.shape)
        for i in range(k):
            for j in range(i + 1, k):
                ahead = quality[i] / (quality[i] + quality[j])
                chance[i] += ahead
                chance[j] += 1 - ahead
                ahead *= 1 - ahead
                spread[i] += ahead
                spread[j] += ahead
        for i in range(k):
            s = one.factor * (one.won[:, i] - one.rounds * chance[i])
            v = one.factor * one.rounds * spread[i]
            surprise += np.bincount(players[i], s * s, size)
            variance += np.bincount(players[i], v, size)
            units += np.bincount(players[i], 4 * spread[i] / (k - 1), size)
            played += np.bincount(players[i], minlength=size)
    amount = units.sum() / 2
    total = variance.sum()
    raw = surprise.sum() / total * degrees / max(degrees - free, degrees / 2) if total else 1.0
    board = float((PRIOR_SETS + amount * raw) / (PRIOR_SETS + amount))
    counted = (played >= 2) & (variance > 0)
    ratio = np.divide(surprise, variance, out=np.full(size, board), where=counted)
    ratio = np.where(counted, ratio * played / np.maximum(played - 1, 1), board)
    prior = max(board, LEAST_PRIOR)
    own = (PRIOR_SETS * prior + units * ratio) / (PRIOR_SETS + units)
    return Dispersion(board, np.maximum(LEAST, own))


def _without_copies(programs: Ints) -> NDArray[np.bool_]:
    """By the programs at each table: whether they are all different."""
    k = programs.shape[1]
    different = np.ones(len(programs), np.bool_)
    for i in range(k):
        for j in range(i + 1, k):
            different &= programs[:, i] != programs[:, j]
    return different
