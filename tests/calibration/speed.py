"""What a fit takes: seconds of CPU from the results, and again after a tick of news."""

from __future__ import annotations

import time

import numpy as np

from ladder.ratings.fit import fit
from ladder.ratings.outcome import SLOPE
from ladder.ratings.results import Results

SEATS = 2
# versions, results, seconds of CPU that were asked for
GOALS = ((500, 100_000, 0.2), (2_000, 100_000, 1.0), (500, 1_000_000, 2.0), (10_000, 100_000, 0.9))


def board(versions: int, count: int, seed: int = 0) -> Results:
    """Duels of neighbours on a field of sd 200, as arrays."""
    rng = np.random.default_rng(seed)
    strength = np.sort(rng.normal(1500, 200, versions))
    one = rng.integers(0, versions, count)
    step = rng.integers(1, max(2, versions // 4), count) * rng.choice((-1, 1), count)
    players = np.stack([one, (one + step) % versions], axis=1)
    chance = 1 / (1 + np.exp(-SLOPE * (strength[players[:, 0]] - strength[players[:, 1]])))
    won = rng.binomial(SEATS, chance).astype(np.float64)
    beats = np.zeros((count, SEATS, SEATS))
    beats[:, 0, 1], beats[:, 1, 0] = won, SEATS - won
    results = Results()
    for key in range(versions):
        results.number(key)
    results.add_arrays(players, beats, np.full(count, float(SEATS)))
    return results


def measure(versions: int, count: int) -> tuple[float, float]:
    """Seconds of CPU of a first fit, and of one that starts from it after four more sets."""
    results = board(versions, count)
    began = time.process_time()
    first = fit(results, fixed={0: 1400.0})
    cold = time.process_time() - began
    news = board(versions, 4, seed=1).sets[SEATS]
    beats = np.zeros((4, SEATS, SEATS))
    beats[:, 0, 1], beats[:, 1, 0] = news.won[:, 0], news.won[:, 1]
    results.add_arrays(news.players, beats, news.rounds)
    due = set(news.players.ravel().tolist())
    began = time.process_time()
    fit(results, fixed={0: 1400.0}, start=first.rated, due=due)
    return cold, time.process_time() - began
