"""Error rates and lengths of trials, compared with Wald's."""

from __future__ import annotations

import math
from random import Random

from ladder.ratings.outcome import expected
from ladder.ratings.trial import BETTER_ELO, BOUND, ERROR_RATE, SCORES, Trial, Verdict

# Shares of the five scores between equals, by the variance of a pair that they come to.
SPREADS = {
    round(
        sum(share * (score - 0.5) ** 2 for share, score in zip(shares, SCORES, strict=True)), 3
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
        raw = [share * math.exp(tilt * score) for share, score in zip(shares, SCORES, strict=True)]
        total = sum(raw)
        if sum(r * s for r, s in zip(raw, SCORES, strict=True)) / total < mean:
            low = tilt
        else:
            high = tilt
    return [one / total for one in raw]


def one_trial(shares: list[float], rng: Random, cap: int) -> tuple[Verdict, int]:
    counts = [0] * 5
    while True:
        counts[rng.choices(range(5), shares)[0]] += 1
        trial = Trial(tuple(counts), cap)  # type: ignore[arg-type]
        verdict = trial.verdict
        if verdict is not Verdict.CONTINUE:
            return verdict, trial.pairs


def measure(elo: float, variance: float, runs: int, cap: int = 1200) -> dict[str, float]:
    """How trials of a version this much better end, and how long they take."""
    shares = tilted(SPREADS[variance], expected(elo))
    rng = Random(f"{elo} {variance}")
    ends = [one_trial(shares, rng, cap) for _ in range(runs)]
    return {
        "better": sum(v is Verdict.BETTER for v, _ in ends) / runs,
        "not better": sum(v is Verdict.NOT_BETTER for v, _ in ends) / runs,
        "not proven": sum(v is Verdict.NOT_PROVEN for v, _ in ends) / runs,
        "pairs": sum(pairs for _, pairs in ends) / runs,
    }


def wald(variance: float) -> float:
    """Wald's mean length when either hypothesis is true."""
    gap = expected(BETTER_ELO) - 0.5
    drift = gap * gap / (2 * variance)
    return (1 - 2 * ERROR_RATE) * BOUND / drift
