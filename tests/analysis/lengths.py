"""How long trials are with and without the luck term, simulated on sets that were measured.

Both kinds of trial use one rule, a normal approximation of the site's own: the scores with the luck
term taken out are no longer among a few values, which the exact test needs. Before simulating, the
measured scores are shifted to a true difference of 0 or of +40 Elo.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ladder.ratings.trial import BETTER_ELO, BOUND, CAP

CLUMSY = 0.03  # of the twin's moves are random: nearly as strong, as versions in trials are
SETS = 120
FEWEST = 16  # sets, before the variance can be estimated
TRIALS, DRAWS = 2000, 200  # simulated of each kind; and times that the measured sets are redrawn
MEANS = {"equal": 0.5, "better": 1 / (1 + 10 ** (-BETTER_ELO / 400))}


def measured(
    rows: np.ndarray, beta: float, *, trials: int = TRIALS, draws: int = DRAWS
) -> dict[str, Any]:
    """Mean lengths, the share of wrong verdicts, and the ratio of lengths with its interval.

    Each row is the score and the luck of one set; `beta` was fixed on other sets.
    """
    rng = np.random.default_rng(1)
    scores = {"plain": rows[:, 0], "luck": rows[:, 0] - beta * rows[:, 1]}
    ratios = []
    for _ in range(draws):
        drawn = rng.integers(len(rows), size=len(rows))
        some = {name: trial(values[drawn], rng, trials // 10) for name, values in scores.items()}
        ratios.append(_length(some["plain"]) / _length(some["luck"]))
    whole = {name: trial(values, rng, trials) for name, values in scores.items()}
    told: dict[str, Any] = {name: _shown(one) for name, one in whole.items()}
    ratio = _length(whole["plain"]) / _length(whole["luck"])
    interval = [round(float(edge), 2) for edge in np.quantile(ratios, [0.025, 0.975])]
    return {"sets": len(rows), "beta": beta, "ratio": round(ratio, 2), "interval": interval} | told


def trial(
    values: np.ndarray, rng: np.random.Generator, trials: int
) -> dict[str, tuple[float, float]]:
    """By the true difference, the mean length of trials and the share of wrong verdicts."""
    found = {}
    for truth, mean in MEANS.items():
        ends, is_better = _run(values - values.mean() + mean, rng, trials)
        wrong = is_better if truth == "equal" else ~is_better
        found[truth] = float(ends.mean()), float(wrong.mean())
    return found


def _run(
    values: np.ndarray, rng: np.random.Generator, trials: int
) -> tuple[np.ndarray, np.ndarray]:
    """When each of some trials ends, and whether it says "better"."""
    drawn = rng.choice(values, size=(trials, CAP))
    count = np.arange(1, CAP + 1)
    mean = drawn.cumsum(axis=1) / count
    variance = (drawn**2).cumsum(axis=1) / count - mean**2
    low, high = MEANS.values()
    llr = count * (high - low) * (mean - (low + high) / 2) / np.maximum(variance, 1e-6)
    is_over = (np.abs(llr) >= BOUND) & (count >= FEWEST)
    is_over[:, -1] = True
    ends = is_over.argmax(axis=1)
    return ends + 1, llr[np.arange(trials), ends] > 0


def _length(trials: dict[str, tuple[float, float]]) -> float:
    """Half of all trials are of equal bots."""
    return sum(length for length, _ in trials.values()) / len(trials)


def _shown(trials: dict[str, tuple[float, float]]) -> dict[str, Any]:
    return {
        truth: {"length": round(length), "wrong": round(wrong, 3)}
        for truth, (length, wrong) in trials.items()
    }
