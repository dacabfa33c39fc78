"""Did the new version get better? A sequential test on duplicate pairs.

Each pair is the same seed played once from each seat, and scores 0, 1/4, 1/2, 3/4 or 1 for the
new version; counting pairs rather than games takes the luck of the deal out of the variance.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from ladder.ratings.elo import expected
from ladder.ratings.intervals import NORMAL, Z95

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # LL, LD, WL or DD, WD, WW
ERROR_RATE = 0.05  # alpha and beta
BOUND = math.log((1 - ERROR_RATE) / ERROR_RATE)
BETTER_ELO = 20.0
# The normal form trusts the measured spread, which a few pairs do not give: judged from the first
# pair on, simulated equal versions passed in 10% to 15% of trials, judged from here on in 5%.
FEWEST_PAIRS = 16


class Verdict(StrEnum):
    """Where a trial stands."""

    CONTINUE = "continue"
    BETTER = "better"
    NOT_BETTER = "not better"


@dataclass(frozen=True, slots=True)
class Trial:
    """Pentanomial counts of pairs, in creation order up to now, and the most pairs allowed."""

    counts: tuple[int, int, int, int, int]
    cap: int = 1000

    @property
    def pairs(self) -> int:
        """How many pairs have been counted."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """The mean score of a pair; one half when none was played."""
        if not self.pairs:
            return 0.5
        return math.fsum(c * s for c, s in zip(self.counts, SCORES, strict=True)) / self.pairs

    @property
    def variance(self) -> float:
        """The variance of a pair's score."""
        if not self.pairs:
            return 0.0
        mean = self.mean
        parts = (c * (s - mean) ** 2 for c, s in zip(self.counts, SCORES, strict=True))
        return math.fsum(parts) / self.pairs

    @property
    def elo(self) -> float:
        """The Elo difference the mean score stands for; infinite for a clean sweep."""
        return elo_of(self.mean)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The 95% interval of the Elo difference."""
        if not self.pairs:
            return -math.inf, math.inf
        reach = Z95 * math.sqrt(self.variance / self.pairs)
        return elo_of(self.mean - reach), elo_of(self.mean + reach)

    @property
    def superiority(self) -> float:
        """LOS: the likelihood that the new version is the stronger."""
        gap = self.mean - 0.5
        if not self.variance:
            return 0.5 if not gap else float(gap > 0)
        return NORMAL.cdf(gap / math.sqrt(self.variance / self.pairs))

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of +20 Elo against 0, by the GSPRT's normal form."""
        if not self.pairs:
            return 0.0
        low, high = expected(0.0), expected(BETTER_ELO)
        # Pairs that all scored alike have no spread to judge by: a hint of every score is added.
        variance = self.variance or Trial(_hinted(self.counts)).variance
        return self.pairs * (high - low) * (2 * self.mean - low - high) / (2 * variance)

    @property
    def verdict(self) -> Verdict:
        """Better or not once the LLR leaves its bounds; at the cap, what is unproven fails."""
        if self.pairs < min(FEWEST_PAIRS, self.cap):
            return Verdict.CONTINUE
        if self.llr >= BOUND:
            return Verdict.BETTER
        if self.llr <= -BOUND or self.pairs >= self.cap:
            return Verdict.NOT_BETTER
        return Verdict.CONTINUE


def elo_of(score: float) -> float:
    """The Elo difference at which `score` is expected; infinite at and beyond 0 and 1."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else -400 * math.log10(1 / score - 1)


def count_pairs(scores: list[float]) -> tuple[int, int, int, int, int]:
    """Pentanomial counts of pair scores, each one of 0, 1/4, 1/2, 3/4, 1."""
    counts = [0] * 5
    for score in scores:
        counts[SCORES.index(score)] += 1
    return counts[0], counts[1], counts[2], counts[3], counts[4]


def _hinted(counts: tuple[int, ...]) -> tuple[int, int, int, int, int]:
    a, b, c, d, e = (100 * count + 1 for count in counts)
    return a, b, c, d, e
