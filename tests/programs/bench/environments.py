"""`make environments`: how fast environments step, beside the bare engine, game by game.

Both sides do what random play needs: list what the seat to act may do, draw one, apply it, and
begin a new play when one is over. The bare engine is that loop over one state. *Tables* is the
same through `TablesEnv(encoded=False)` with 64 plays side by side; *encoded* adds the observation
and the mask of every decision as numbers. Safranito's throws are listed as suggestions, or free
(*throws*), where the engine draws its own. Steps are players' decisions, per second of CPU time on
one core; medians of interleaved samples.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median
from time import thread_time

import numpy as np

from engine.chance import RandomChance
from engine.games import GAMES
from ladle.rl import TablesEnv

ROUNDS = 31
SAMPLE_S = 0.1
TABLES = 64
SEATS = 2

Sampler = Callable[[], float]


def bare(slug: str, *, throws: bool = False) -> Sampler:
    game = GAMES[slug]
    rng = Random(1)
    luck, uniform = RandomChance(rng), rng.random
    state = game.start(SEATS, luck)

    def sample() -> float:
        nonlocal state
        steps, began = 0, thread_time()
        while (spent := thread_time() - began) < SAMPLE_S:
            for _ in range(TABLES):
                if throws:
                    state.apply(state.sample(rng))
                else:
                    choices = state.suggestions()
                    state.apply(choices[int(uniform() * len(choices))])
                if state.to_act is None:
                    state.result()
                    state = game.start(SEATS, luck)
            steps += TABLES
        return steps / spent

    return sample


def tables(slug: str, *, throws: bool = False) -> Sampler:
    env = TablesEnv(slug, SEATS, TABLES, throws=throws, encoded=False)
    counts, _ = env.reset(seed=1)
    rng = np.random.default_rng(1)

    def sample() -> float:
        nonlocal counts
        steps, began = 0, thread_time()
        while (spent := thread_time() - began) < SAMPLE_S:
            places = (
                rng.random((TABLES, 5)) if throws else (rng.random(TABLES) * counts).astype(int)
            )
            counts, *_ = env.step(places)
            steps += TABLES
        return steps / spent

    return sample


def encoded(slug: str) -> Sampler:
    env = TablesEnv(slug, SEATS, TABLES)
    seen, _ = env.reset(seed=1)
    rng = np.random.default_rng(1)

    def sample() -> float:
        nonlocal seen
        steps, began = 0, thread_time()
        while (spent := thread_time() - began) < SAMPLE_S:
            tables, numbers = seen["action_mask"].view(np.bool_).nonzero()
            counts = np.bincount(tables)
            picked = counts.cumsum() - counts + (rng.random(TABLES) * counts).astype(int)
            seen, *_ = env.step(numbers[picked])
            steps += TABLES
        return steps / spent

    return sample


def main() -> None:
    print(f"{'':24}{'bare':>10}{'tables':>10}{'share':>8}{'encoded':>10}  steps a second")
    for slug in GAMES:
        contestants = [bare(slug), tables(slug), encoded(slug)]
        _show(slug, contestants)
    _show("safranito, throws", [bare("safranito", throws=True), tables("safranito", throws=True)])


def _show(name: str, contestants: list[Sampler]) -> None:
    rounds = [[one() for one in contestants] for _ in range(ROUNDS)]
    plain, many, *rest = (median(column) for column in zip(*rounds, strict=True))
    share = median(row[1] / row[0] for row in rounds)
    more = f"{rest[0]:>10,.0f}" if rest else ""
    print(f"{name:24}{plain:>10,.0f}{many:>10,.0f}{share:>8.0%}{more}")


if __name__ == "__main__":
    main()
