"""Did the new version get better? A sequential test on duplicate pairs.

Each pair is the same seed played once from each seat, and scores 0, 1/4, 1/2, 3/4 or 1 for the
new version; counting pairs rather than games takes the luck of the deal out of the variance.

At larger tables a set has more scores, evenly spaced from 0 to 1: the share of the others' plays
that the first one finished ahead of. All of this holds for any number of scores.

The likelihood ratio is exact for scores of unknown shares: among all distributions of the
mean that a hypothesis asks for, the one that explains the counts best is compared, as fishtest
does it. Errors of one in twenty hold from the first pair on.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from statistics import NormalDist

from ladder.ratings.intervals import NORMAL
from ladder.ratings.outcome import expected
from ladder.ratings.stopping import Walk

PAIR_SCORES = 5  # LL, LD, WL or DD, WD, WW
ERROR_RATE = 0.05  # alpha and beta
BOUND = math.log((1 - ERROR_RATE) / ERROR_RATE)
BETTER_ELO = 40.0
CAP = 1200  # pairs: a verdict takes 150 to 285 on average, and nearly always fewer than this
HINT = 0.001  # of a pair, for a score that was never seen


class TrialVerdict(StrEnum):
    """Where a trial stands."""

    CONTINUE = "continue"
    BETTER = "better"
    NOT_BETTER = "not better"
    NOT_PROVEN = "not proven"  # the cap was reached


@dataclass(frozen=True, slots=True)
class Trial:
    """Counts of pairs by score, in creation order up to now, and the most pairs allowed."""

    counts: tuple[int, ...]  # of evenly spaced scores; five where two sides meet
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
        return (
            math.fsum(c * s for c, s in zip(self.counts, scores(self.counts), strict=True))
            / self.pairs
        )

    @property
    def variance(self) -> float:
        """The variance of a pair's score."""
        if not self.pairs:
            return 0.0
        mean = self.mean
        parts = (c * (s - mean) ** 2 for c, s in zip(self.counts, scores(self.counts), strict=True))
        return math.fsum(parts) / self.pairs

    @property
    def elo(self) -> float:
        """The Elo difference, free of the luck of when the trial stopped; infinite for a sweep."""
        return elo_of(_mean_at(self, 0.5))

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The 95% interval of the Elo difference."""
        if not self.pairs:
            return -math.inf, math.inf
        return elo_of(_mean_at(self, 0.025)), elo_of(_mean_at(self, 0.975))

    @property
    def superiority(self) -> float:
        """LOS: how sure it is that the new version is the stronger."""
        if not self.pairs:
            return 0.5
        if self._is_one_sided:
            return 1 - self._plain().cdf(0.5)
        return 1 - self._walk().further_up((0.5 - MIDDLE) * STEP / self.variance)

    def _walk(self) -> Walk:
        """The LLR's way to where it stands."""
        end = self.pairs * (self.mean - MIDDLE) * STEP / self.variance
        if self.verdict in (TrialVerdict.BETTER, TrialVerdict.NOT_BETTER):
            end = math.copysign(math.inf, self.llr)
        return Walk(self.pairs, STEP / math.sqrt(self.variance), BOUND, end)

    @property
    def _is_one_sided(self) -> bool:
        """Whether a walk with this variance would have left the bounds long before.

        The exact LLR grows by 0.11 a pair at most, so where one side wins nearly always, or pairs
        hardly vary, the trial stops after about 28 pairs whatever happens. Such an end has no luck
        of when it came, and to the walk it would look like that of a close trial.
        """
        return self.pairs * abs(self.mean - MIDDLE) * STEP > FAR * BOUND * self.variance

    def _plain(self) -> NormalDist:
        """The mean score and its error, had the number of pairs been fixed beforehand.

        Two pairs of either extreme are added, as for the win rates of an arena, so that a few
        pairs that all went the same way do not claim certainty.
        """
        padded = self.pairs + 4
        mean = (self.pairs * self.mean + 2) / padded
        squares = self.pairs * (self.variance + (self.mean - mean) ** 2)
        squares += 2 * (mean**2 + (1 - mean) ** 2)
        return NormalDist(mean, math.sqrt(squares / (padded - 1) / padded))

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of +40 Elo against 0."""
        return log_likelihood_ratio(self.counts, expected(0.0), expected(BETTER_ELO))

    @property
    def verdict(self) -> TrialVerdict:
        """Better or not once the LLR leaves its bounds; at the cap, nothing is proven."""
        llr = self.llr
        if llr >= BOUND:
            return TrialVerdict.BETTER
        if llr <= -BOUND:
            return TrialVerdict.NOT_BETTER
        return TrialVerdict.NOT_PROVEN if self.pairs >= self.cap else TrialVerdict.CONTINUE

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


STEP = expected(BETTER_ELO) - expected(0.0)
MIDDLE = (expected(BETTER_ELO) + expected(0.0)) / 2
FAR = 1.5  # times the bounds: no walk is found there that stopped at them
FEW_PAIRS = 16
USUAL_VARIANCE = 0.125
ONE_SIDED = NORMAL.inv_cdf(1 - ERROR_RATE)


def chance_of_a_lucky_pass(trials: int) -> float:
    """The chance that of several trials of equal versions one or more passes."""
    return 1 - (1 - ERROR_RATE) ** trials


@lru_cache(4096)
def _mean_at(trial: Trial, share: float) -> float:
    """The mean score of a pair at which an outcome this good or better has this share."""
    if trial._is_one_sided:
        if share == 0.5:
            return trial.mean
        end = trial._plain().inv_cdf(share)
        return min(end, trial.mean) if share < 0.5 else max(end, trial.mean)
    if not trial.pairs:
        return 0.5
    return MIDDLE + trial._walk().mean_at(share) * trial.variance / STEP


def elo_of(score: float) -> float:
    """The Elo difference at which `score` is expected; infinite at and beyond 0 and 1."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else -400 * math.log10(1 / score - 1)


def scores(counts: Sequence[object]) -> list[float]:
    """The score that each count is of: evenly spaced from 0 to 1."""
    return [step / (len(counts) - 1) for step in range(len(counts))]


def count_pairs(scored: Sequence[float]) -> tuple[int, ...]:
    """Pentanomial counts of pair scores, each one of 0, 1/4, 1/2, 3/4, 1."""
    counts = [0] * PAIR_SCORES
    for score in scored:
        counts[scores(counts).index(score)] += 1
    return tuple(counts)


def log_likelihood_ratio(counts: tuple[int, ...], low: float, high: float) -> float:
    """How much better the mean `high` explains the counts than the mean `low` does."""
    if not sum(counts):
        return 0.0
    pairs = zip(counts, scores(counts), strict=True)
    seen = [(max(float(count), HINT), score) for count, score in pairs]
    tilts = _tilt(seen, low), _tilt(seen, high)
    return math.fsum(
        count * (math.log1p(tilts[0] * (score - low)) - math.log1p(tilts[1] * (score - high)))
        for count, score in seen
    )


def _tilt(seen: list[tuple[float, float]], mean: float) -> float:
    """The theta at which sum c (s-mean) / (1 + theta (s-mean)) is 0; it falls with theta.

    Newton's steps, or halves of the interval that must hold it where they leave that.
    """
    low, high = -1 / (1 - mean), 1 / mean
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
