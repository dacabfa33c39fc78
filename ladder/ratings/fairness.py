"""What honest play would hardly give: surplus beside a certain bot, and better later plays.

Pure arithmetic for operators to look at. It says where to look, never what to do.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import fmean, median

from ladder.ratings.intervals import NORMAL
from ladder.ratings.outcome import Key, Outcome, expected

FALSE_DISCOVERIES = 0.01  # of what is shown, the share that may be chance
LEAST_TOGETHER = 5  # sets that two must have played together
LEAST_SETS = 10  # that a version must have played for its plays to be compared
ENOUGH = 30  # pairs or versions to tell their scatter from
MAD = 1.4826  # of a normal distribution, what makes its median deviation the standard one
FARTHEST = 38.0  # standard deviations; beyond it a float is no chance any more


@dataclass(frozen=True, slots=True)
class Surplus:
    """How much better than expected `who` did in the sets that `beside` sat at the table."""

    who: Key
    beside: Key
    sets: int
    scored: float  # comparisons won, of these sets
    expected: float
    z: float


@dataclass(frozen=True, slots=True)
class LaterGap:
    """How much better a version did in later plays of its sets than in the first ones."""

    who: Key
    sets: int
    first: float  # share of the others beaten in first plays
    later: float
    z: float


def surpluses(
    outcomes: Iterable[Outcome],
    ratings: Mapping[Key, float],
    groups: Mapping[Key, Key] | None = None,
) -> list[Surplus]:
    """For every two who met, the surplus of the first beside the second, over all their sets.

    Whoever is made king by a bot does better while it is at the table, and whoever throws games to
    a bot does worse.
    `groups` puts versions together, those of an owner or of accounts that are linked.
    """
    names = groups or {}
    sums: dict[tuple[Key, Key], list[float]] = defaultdict(lambda: [0, 0.0, 0.0, 0.0])
    for one in outcomes:
        keys = one.entrants
        parts = [_part(one, i, ratings) for i in range(len(keys))]
        seen = set()
        for i, j in permutations(range(len(keys)), 2):
            pair = names.get(keys[i], keys[i]), names.get(keys[j], keys[j])
            if pair[0] == pair[1] or (i, pair[1]) in seen:
                continue
            seen.add((i, pair[1]))  # two of a group at the table are one reason, not two
            row = sums[pair]
            row[0] += 1
            for at, amount in enumerate(parts[i], 1):
                row[at] += amount
    raw = [
        (who, beside, int(row[0]), row[1], row[2], (row[1] - row[2]) / math.sqrt(row[3]))
        for (who, beside), row in sums.items()
        if row[0] >= LEAST_TOGETHER and row[3] > 0
    ]
    scale = _scatter([one[-1] for one in raw])
    return [Surplus(*one[:-1], one[-1] / scale) for one in raw]


def _part(one: Outcome, i: int, ratings: Mapping[Key, float]) -> tuple[float, float, float]:
    """What a version won in a set, what was expected, and the variance of that."""
    own = ratings[one.entrants[i]]
    odds = [expected(own - ratings[key]) for j, key in enumerate(one.entrants) if j != i]
    # Comparisons of a round hang together: all of them move with the luck of the one.
    spread = sum(odd * (1 - odd) for odd in odds) * (len(odds) + 1) / 2
    return sum(one.beats[i]), one.rounds * sum(odds), one.rounds * spread


def later_gaps(plays: Iterable[tuple[Sequence[Key], Sequence[Sequence[float]]]]) -> list[LaterGap]:
    """By version: how it did in the first play of its sets and in the later ones.

    `plays` has the versions of each set and the places of each play. Seats are drawn, so that
    without a memory both are the same; whoever knows the deal from the first play does better.
    """
    sums: dict[Key, list[tuple[float, float]]] = defaultdict(list)
    for keys, rounds in plays:
        if len(rounds) < 2 or len(keys) < 2:
            continue
        for i, key in enumerate(keys):
            shares = [_beaten(row, i) for row in rounds]
            sums[key].append((shares[0], fmean(shares[1:])))
    found = []
    for key, pairs in sums.items():
        if len(pairs) < LEAST_SETS:
            continue
        gaps = [later - first for first, later in pairs]
        mean = fmean(gaps)
        variance = math.fsum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1)
        # A few even sets have no scatter of their own: never less than of one play in four.
        error = math.sqrt(max(variance, 0.0625) / len(gaps))
        first, later = (fmean(column) for column in zip(*pairs, strict=True))
        found.append(LaterGap(key, len(pairs), first, later, mean / error))
    return found


def _beaten(places: Sequence[float], i: int) -> float:
    others = [place for j, place in enumerate(places) if j != i]
    return fmean((places[i] < place) + (places[i] == place) / 2 for place in others)


def beyond_others(
    gaps: Mapping[Key, tuple[float, float]],
) -> dict[Key, float]:
    """By key of (difference, its error): how far it lies above the median, in deviations.

    For a version's rating at team tables less its rating with a seat of its own: where nobody
    talks, they differ by what all differ by, and by how suited each is.
    """
    if len(gaps) < LEAST_SETS:
        return {}
    middle = median(gap for gap, _ in gaps.values())
    raw = {key: (gap - middle) / error for key, (gap, error) in gaps.items() if error > 0}
    scale = _scatter(list(raw.values()))
    return {key: z / scale for key, z in raw.items()}


def _scatter(zs: Collection[float]) -> float:
    """The standard deviation of what chance alone gives, by the middle half; 1 at least."""
    return max(1.0, MAD * median(abs(z) for z in zs)) if len(zs) >= ENOUGH else 1.0


def significant(zs: Sequence[float], rate: float = FALSE_DISCOVERIES) -> dict[int, float]:
    """Those too far out for chance, by place, with their q-values (Benjamini and Hochberg)."""
    order = sorted(range(len(zs)), key=lambda i: -abs(zs[i]))
    chances = [2 * NORMAL.cdf(-min(abs(zs[i]), FARTHEST)) for i in order]
    found: dict[int, float] = {}
    q = 1.0
    for rank in range(len(order), 0, -1):
        q = min(q, chances[rank - 1] * len(order) / rank)
        if q <= rate:
            found[order[rank - 1]] = q
    return found
