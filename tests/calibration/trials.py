"""Error rates and lengths of trials, compared with Wald's."""

from __future__ import annotations

import math
from random import Random
from statistics import median

from ladder.ratings.intervals import Z95
from ladder.ratings.outcome import expected
from ladder.ratings.trial import BETTER_ELO, BOUND, ERROR_RATE, Trial, TrialVerdict, elo_of, scores

# Shares of the five scores between equals, by the variance of a pair that they come to.
SPREADS = {
    round(
        sum(
            share * (score - 0.5) ** 2 for share, score in zip(shares, scores(shares), strict=True)
        ),
        3,
    ): shares
    for shares in (
        (0.12, 0.24, 0.28, 0.24, 0.12),
        (0.20, 0.20, 0.20, 0.20, 0.20),
        (0.31, 0.12, 0.14, 0.12, 0.31),
    )
}


def tilted(shares: tuple[float, ...], mean: float) -> list[float]:
    """The nearest shares with this mean."""
    low, high = -50.0, 50.0
    for _ in range(200):
        tilt = (low + high) / 2
        raw = [
            share * math.exp(tilt * score)
            for share, score in zip(shares, scores(shares), strict=True)
        ]
        total = sum(raw)
        if sum(r * s for r, s in zip(raw, scores(raw), strict=True)) / total < mean:
            low = tilt
        else:
            high = tilt
    return [one / total for one in raw]


def one_trial(shares: list[float], rng: Random, cap: int) -> Trial:
    counts = [0] * 5
    while True:
        counts[rng.choices(range(5), shares)[0]] += 1
        trial = Trial(tuple(counts), cap)
        if trial.verdict is not TrialVerdict.CONTINUE:
            return trial


def measure(elo: float, variance: float, runs: int, cap: int = 1200) -> dict[str, float]:
    """How trials of a version this much better end, and how long they take."""
    shares = tilted(SPREADS[variance], expected(elo))
    rng = Random(f"{elo} {variance}")
    ends = [one_trial(shares, rng, cap) for _ in range(runs)]
    verdicts = [one.verdict for one in ends]
    return {
        "better": verdicts.count(TrialVerdict.BETTER) / runs,
        "not better": verdicts.count(TrialVerdict.NOT_BETTER) / runs,
        "not proven": verdicts.count(TrialVerdict.NOT_PROVEN) / runs,
        "pairs": sum(one.pairs for one in ends) / runs,
        "elo, median": median(one.elo for one in ends),
        "elo by the mean, median": median(elo_of(one.mean) for one in ends),
        "covered": sum(low <= elo <= high for low, high in (one.elo_interval for one in ends))
        / runs,
        "covered by the mean": sum(_by_the_mean(one, elo) for one in ends) / runs,
    }


def _by_the_mean(trial: Trial, elo: float) -> bool:
    """Whether the interval that forgets when the trial stopped holds the truth."""
    reach = Z95 * math.sqrt(trial.variance / trial.pairs)
    return abs(trial.mean - expected(elo)) <= reach


def wald(variance: float) -> float:
    """Wald's mean length when either hypothesis is true."""
    gap = expected(BETTER_ELO) - 0.5
    drift = gap * gap / (2 * variance)
    return (1 - 2 * ERROR_RATE) * BOUND / drift
