"""Did the new version get better? A sequential test on duplicate pairs.

Each pair is the same seed played once from each seat, and scores 0, 1/4, 1/2, 3/4 or 1 for the
new version; counting pairs rather than games takes the luck of the deal out of the variance.

The likelihood ratio is exact for five scores of unknown shares: among all distributions of the
mean that a hypothesis asks for, the one that explains the counts best is compared, as fishtest
does it. Errors of one in twenty hold from the first pair on.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from ladder.ratings.intervals import NORMAL, Z95
from ladder.ratings.outcome import expected

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # LL, LD, WL or DD, WD, WW
ERROR_RATE = 0.05  # alpha and beta
BOUND = math.log((1 - ERROR_RATE) / ERROR_RATE)
BETTER_ELO = 40.0
CAP = 1200  # pairs: a verdict takes 150 to 285 on average, and nearly always fewer than this
HINT = 0.001  # of a pair, for a score that was never seen


class Verdict(StrEnum):
    """Where a trial stands."""

    CONTINUE = "continue"
    BETTER = "better"
    NOT_BETTER = "not better"
    NOT_PROVEN = "not proven"  # the cap was reached


@dataclass(frozen=True, slots=True)
class Trial:
    """Pentanomial counts of pairs, in creation order up to now, and the most pairs allowed."""

    counts: tuple[int, int, int, int, int]
    cap: int = CAP

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
        """The log-likelihood ratio of +40 Elo against 0."""
        return log_likelihood_ratio(self.counts, expected(0.0), expected(BETTER_ELO))

    @property
    def verdict(self) -> Verdict:
        """Better or not once the LLR leaves its bounds; at the cap, nothing is proven."""
        llr = self.llr
        if llr >= BOUND:
            return Verdict.BETTER
        if llr <= -BOUND:
            return Verdict.NOT_BETTER
        return Verdict.NOT_PROVEN if self.pairs >= self.cap else Verdict.CONTINUE

    @property
    def provable_elo(self) -> float:
        """The smallest advantage that would show within the cap, in nineteen cases of twenty.

        By the spread of the pairs so far, or the usual one at the beginning. Never less than
        half of the +40 asked for: below that the test tends to "not better", and rightly.
        """
        variance = self.variance if self.pairs >= FEW_PAIRS else USUAL_VARIANCE
        step = (expected(BETTER_ELO) - 0.5) / max(variance, HINT)
        # The LLR drifts by step * (mean - middle) a pair, and scatters by step * sd.
        middle = (expected(BETTER_ELO) + 0.5) / 2
        scatter = ONE_SIDED * math.sqrt(self.cap * variance)
        return elo_of(min(1.0, middle + (BOUND / step + scatter) / self.cap))


FEW_PAIRS = 16
USUAL_VARIANCE = 0.125
ONE_SIDED = NORMAL.inv_cdf(1 - ERROR_RATE)


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


def log_likelihood_ratio(counts: tuple[int, ...], low: float, high: float) -> float:
    """How much better the mean `high` explains the counts than the mean `low` does."""
    if not sum(counts):
        return 0.0
    seen = [(max(float(count), HINT), score) for count, score in zip(counts, SCORES, strict=True)]
    tilts = _tilt(seen, low), _tilt(seen, high)
    return math.fsum(
        count * (math.log1p(tilts[0] * (score - low)) - math.log1p(tilts[1] * (score - high)))
        for count, score in seen
    )


def _tilt(seen: list[tuple[float, float]], mean: float) -> float:
    """The theta at which sum c (s-mean) / (1 + theta (s-mean)) is 0; it falls with theta.

    Newton's steps, or halves of the interval that must hold it where they leave that.
    """
    low, high = -1 / (SCORES[-1] - mean), -1 / (SCORES[0] - mean)
    theta = 0.0
    for _ in range(200):
        parts = [(c, (s - mean) / (1 + theta * (s - mean))) for c, s in seen]
        total = sum(c * part for c, part in parts)
        if total > 0:
            low = theta
        else:
            high = theta
        step = total / sum(c * part * part for c, part in parts)
        if abs(step) < 1e-13:
            break
        theta = theta + step if low < theta + step < high else (low + high) / 2
    return theta
