"""Teach the bot beside this file by self play, bundle it, and try it against greedy.

    python -m ladle.examples.learned.train --minutes 3 --output learned

A network guesses from what an action leaves how far ahead its seat will end up. Both seats play
what it likes best, now and then something else, and it is moved towards how the plays went on:
TD(lambda) on afterstates. It begins with no idea at all, not even that points are good.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one core; numpy reads it when it is loaded

import numpy as np

import ladle
from ladle.examples.learned.bot import SIZE, Floats, hidden, outcomes, values
from ladle.rl import TablesEnv

GAME, SEATS = "ramen_ramen", 2
TABLES = 32
HIDDEN = 32
EXPLORE = 0.05  # how often something else is tried
LAMBDA = 0.7  # how much later guesses count, rather than the next one alone
PACE = 0.003
MEMORY = 20_000  # decisions learned from, the newest
BATCH = 256
LESSONS = 20  # batches for each round of plays

Step = tuple[Floats, float]  # what an action left, and what was thought of it


class Learner:
    """The network and Adam's averages of its gradients."""

    def __init__(self, rng: np.random.Generator) -> None:
        inner = rng.standard_normal((SIZE, HIDDEN)) * 0.2
        shapes = {"bias": HIDDEN, "outer": HIDDEN, "direct": SIZE}
        self.weights: dict[str, Floats] = {"inner": inner.astype(np.float32)}
        self.weights |= {name: np.zeros(size, np.float32) for name, size in shapes.items()}
        self._mean = {name: np.zeros_like(one) for name, one in self.weights.items()}
        self._square = {name: np.zeros_like(one) for name, one in self.weights.items()}
        self._lessons = 0

    def learn(self, rows: Floats, targets: Floats, pace: float) -> None:
        """Move the guesses for these rows towards the targets."""
        inside = hidden(self.weights, rows)
        error = (values(self.weights, rows) - targets) / len(rows)
        back = error[:, None] * self.weights["outer"] * (1 - inside**2)
        gradient = {"inner": rows.T @ back, "bias": back.sum(0)}
        gradient |= {"outer": inside.T @ error, "direct": rows.T @ error}
        self._lessons += 1
        for name, slope in gradient.items():
            self._mean[name] += 0.1 * (slope - self._mean[name])
            self._square[name] += 0.001 * (slope**2 - self._square[name])
            mean = self._mean[name] / (1 - 0.9**self._lessons)
            square = self._square[name] / (1 - 0.999**self._lessons)
            self.weights[name] -= pace * mean / (np.sqrt(square) + 1e-8)


def train(seconds: float, seed: int = 0) -> tuple[dict[str, Floats], int]:
    """Learn for so much CPU time; the weights, and how many plays it took."""
    rng = np.random.default_rng(seed)
    learner = Learner(rng)
    env = TablesEnv(GAME, SEATS, TABLES, encoded=False)
    env.reset(seed=seed)
    paths: list[list[list[Step]]] = [[[] for _ in range(SEATS)] for _ in range(TABLES)]
    rows, targets = np.zeros((0, SIZE), np.float32), np.zeros(0, np.float32)
    plays, began = 0, time.thread_time()
    while (spent := time.thread_time() - began) < seconds:
        seen: list[Floats] = []
        wanted: list[float] = []
        while len(seen) < TABLES * 50:  # about a play at each table
            chosen = [_choose(learner, state, rng) for state in env.states]
            for table, seat, (_, step) in zip(paths, env.seats, chosen, strict=True):
                table[seat].append(step)
            _, _, ended, _, info = env.step([number for number, _ in chosen])
            for place in np.flatnonzero(ended):
                points = info["points"][place]
                for seat, path in enumerate(paths[place]):
                    lead = float(points[seat] - points[1 - seat]) / 10
                    seen += [row for row, _ in path]
                    wanted += _targets(path, lead)
                paths[place] = [[] for _ in range(SEATS)]
                plays += 1
        rows = np.concatenate([rows, np.array(seen)])[-MEMORY:]
        targets = np.concatenate([targets, np.array(wanted, np.float32)])[-MEMORY:]
        for _ in range(LESSONS):
            some = rng.integers(len(rows), size=BATCH)
            learner.learn(rows[some], targets[some], PACE * max(0.01, 1 - spent / seconds))
    return learner.weights, plays


def _choose(learner: Learner, state: object, rng: np.random.Generator) -> tuple[int, Step]:
    rows = outcomes(state)
    guesses = values(learner.weights, rows)
    explores = rng.random() < EXPLORE
    number = int(rng.integers(len(rows)) if explores else guesses.argmax())
    return number, (rows[number], float(guesses[number]))


def _targets(path: list[Step], lead: float) -> list[float]:
    """What each decision of a seat led to: the end, and on the way the guesses that followed."""
    found = []
    target = lead
    for _, guess in reversed(path):
        found.append(target)
        target = LAMBDA * target + (1 - LAMBDA) * guess
    return found[::-1]


def bundle(weights: dict[str, Floats], folder: Path) -> None:
    """A folder that `ladle play`, `check` and `submit` take."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(Path(__file__).with_name("bot.py"), folder / "bot.py")
    np.savez(folder / "weights.npz", allow_pickle=False, **weights)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=3.0, help="CPU time to learn for")
    parser.add_argument("--output", type=Path, default=Path("learned"), help="the bot's folder")
    parser.add_argument("--sets", type=int, default=100, help="sets to try it for")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    weights, plays = train(given.minutes * 60, given.seed)
    bundle(weights, given.output)
    say = sys.stdout.write
    say(f"{plays:,} plays in {given.minutes:g} minutes; wrote {given.output}.\n")
    own, _ = ladle.arena(
        GAME, [given.output, "greedy"], sets=given.sets, first_seed=10**6, confined=True
    )
    say(f"Against greedy it wins {own.win_rate:.1%} ({own.low:.1%} to {own.high:.1%})")
    say(f" of {own.plays} plays, faults {own.faults}.\n")


if __name__ == "__main__":
    main()
