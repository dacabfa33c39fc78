"""Who beats whom beyond chance, among many pairs at once."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import permutations
from math import comb, sqrt
from statistics import NormalDist
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
FALSE_DISCOVERIES = 0.05  # share of what is called significant that may be chance
MOST_EXACT = 1000


def sign_test(won: int, lost: int) -> float:
    """How often chance alone gives a record as uneven as this; draws say nothing."""
    n, fewer = won + lost, min(won, lost)
    if n == 0 or won == lost:
        return 1.0
    if n > MOST_EXACT:
        return 2 * NormalDist().cdf(-(abs(won - lost) - 1) / sqrt(n))
    return float(min(1.0, 2 * sum(comb(n, k) for k in range(fewer + 1)) / 2**n))


def difference_test(these: Sequence[float], those: Sequence[float]) -> float:
    """How often chance alone gives means as far apart as these; 1 where there are too few."""
    if len(these) < 5 or len(those) < 5:
        return 1.0
    means, spread = [], 0.0
    for values in (these, those):
        mean = sum(values) / len(values)
        means.append(mean)
        spread += sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values)
    if spread == 0:
        return 1.0 if means[0] == means[1] else 0.0
    return 2 * NormalDist().cdf(-abs(means[0] - means[1]) / sqrt(spread))


def significant(chances: Mapping[K, float], rate: float = FALSE_DISCOVERIES) -> set[K]:
    """Those that may be called real (Benjamini and Hochberg): at most `rate` of them by chance."""
    ordered = sorted(chances.items(), key=lambda one: one[1])
    last = 0
    for number, (_, chance) in enumerate(ordered, start=1):
        if chance <= rate * number / len(ordered):
            last = number
    return {key for key, _ in ordered[:last]}


def cycles(beats: Collection[tuple[int, int]], most: int = 10) -> list[tuple[int, int, int]]:
    """Three of whom each beats the next, and the last the first; each circle once."""
    known = set(beats)
    players = sorted({one for pair in known for one in pair})
    found = [
        three
        for three in permutations(players, 3)
        if three[0] == min(three)
        and all((three[at], three[(at + 1) % 3]) in known for at in range(3))
    ]
    return found[:most]
