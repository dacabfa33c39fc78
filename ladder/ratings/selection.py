"""Picking the luckiest of many versions must not pay.

Of twenty equal versions the one that shows the most was lucky. So a version is compared with those
of the same owner that cannot be told apart from it, and its rating is drawn towards their mean: the
more, the less the family differs beyond chance and the less the version is known (empirical Bayes,
which does not care how a version was picked). Only downwards: nobody gains by weaker relatives. The
interval keeps its upper end, as the version may be as good as it looks.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ladder.ratings.fit import Rated
from ladder.ratings.intervals import Z95
from ladder.ratings.outcome import Key

USUAL_SPREAD = 100.0  # Elo between versions of one owner, before anything is known of them
USUAL_WEIGHT = 2.0  # in versions: what that counts for
LEAST_SETS = 3  # of a version that was tried
RETEST_SETS = 20  # before a version that is activated again has a rank


def without_luck(rated: Mapping[Key, Rated], key: Key, family: Iterable[Key]) -> Rated:
    """The rating of a version, given the other versions that its owner tried."""
    own = rated[key]
    kin = [rated[other] for other in family if other != key]
    tried = [own, *(one for one in kin if one.sets >= LEAST_SETS and _is_like(own, one))]
    if len(tried) < 2 or own.variance <= 0:
        return own
    spread = _spread(tried)
    weights = [1 / (one.variance + spread) for one in tried]
    mean = sum(w * one.value for w, one in zip(weights, tried, strict=True)) / sum(weights)
    luck = own.variance / (own.variance + spread) * (own.value - mean)
    if luck <= 0:
        return own
    return replace(own, value=own.value - luck, low=own.low - luck, luck=luck)


def _is_like(one: Rated, other: Rated) -> bool:
    """Whether two cannot be told apart; others do not show whether the one was lucky."""
    return abs(one.value - other.value) <= Z95 * math.sqrt(one.variance + other.variance)


def _spread(tried: list[Rated]) -> float:
    """The variance of true strengths within a family, by DerSimonian and Laird, with a prior."""
    weights = [1 / max(1.0, one.variance) for one in tried]
    total = sum(weights)
    mean = sum(w * one.value for w, one in zip(weights, tried, strict=True)) / total
    scatter = sum(w * (one.value - mean) ** 2 for w, one in zip(weights, tried, strict=True))
    freedom = len(tried) - 1
    found = max(0.0, scatter - freedom) / (total - sum(w * w for w in weights) / total)
    return (freedom * found + USUAL_WEIGHT * USUAL_SPREAD**2) / (freedom + USUAL_WEIGHT)
