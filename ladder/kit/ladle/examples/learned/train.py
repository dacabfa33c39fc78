"""Teach the bot beside this file by self play, bundle it, and try it against greedy.

    python -m ladle.examples.learned.train --minutes 3 --output learned
    python -m ladle.examples.learned.train --minutes 2 --generations 3 --output learned

A network guesses from what an action leaves how far ahead its seat will end up. Both seats play
what it likes best, now and then something else, and it is moved towards how the plays went on:
TD(lambda) on afterstates. It begins with no idea at all, not even that points are good.

With generations, only the first one plays against itself: each later one starts from the weights
of the one before, plays against that one, and is then tried against it in the sandbox.
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
from ladle.examples.learned.bot import SIZE, Floats, Weights, hidden, outcomes, values
from ladle.rl import TablesEnv

GAME, SEATS = "ramen_ramen", 2
TABLES = 32
HIDDEN = 32
EXPLORE = 0.05  # how often something else is tried
LAMBDA = 0.7  # how much later guesses count, rather than the next one alone
PACE = 0.003
CALM = 0.3  # of the pace for a generation that has a parent: it refines what that one knows
MEMORY = 20_000  # decisions learned from, the newest
BATCH = 256
LESSONS = 20  # batches for each round of plays

Step = tuple[Floats, float]  # what an action left, and what was thought of it


class Learner:
    """The network and Adam's averages of its gradients."""

    def __init__(self, rng: np.random.Generator, parent: Weights | None = None) -> None:
        inner = rng.standard_normal((SIZE, HIDDEN)) * 0.2
        shapes = {"bias": HIDDEN, "outer": HIDDEN, "direct": SIZE}
        self.weights: dict[str, Floats] = {"inner": inner.astype(np.float32)}
        self.weights |= {name: np.zeros(size, np.float32) for name, size in shapes.items()}
        self.weights |= {name: one.copy() for name, one in (parent or {}).items()}
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


def train(
    seconds: float, seed: int = 0, parent: Weights | None = None
) -> tuple[dict[str, Floats], int]:
    """Learn for that much CPU time, against the parent if there is one; weights, and plays."""
    rng = np.random.default_rng(seed)
    learner = Learner(rng, parent)
    pace = PACE if parent is None else CALM * PACE
    env = TablesEnv(GAME, SEATS, TABLES, encoded=False)
    env.reset(seed=seed)
    paths: list[list[list[Step]]] = [[[] for _ in range(SEATS)] for _ in range(TABLES)]
    rows, targets = np.zeros((0, SIZE), np.float32), np.zeros(0, np.float32)
    plays, began = 0, time.thread_time()
    while (spent := time.thread_time() - began) < seconds:
        seen: list[Floats] = []
        wanted: list[float] = []
        while len(seen) < TABLES * 50:  # about a play at each table
            acting = env.seats
            # The parent has another seat at every other table.
            is_own = [parent is None or seat == at % SEATS for at, seat in enumerate(acting)]
            chosen = [
                _choose(learner.weights if own else parent or {}, state, rng, EXPLORE * own)
                for own, state in zip(is_own, env.states, strict=True)
            ]
            for table, seat, own, (_, step) in zip(paths, acting, is_own, chosen, strict=True):
                if own:
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
            learner.learn(rows[some], targets[some], pace * max(0.01, 1 - spent / seconds))
    return learner.weights, plays


def _choose(
    weights: Weights, state: object, rng: np.random.Generator, explore: float
) -> tuple[int, Step]:
    rows = outcomes(state)
    guesses = values(weights, rows)
    explores = rng.random() < explore
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


def bundle(weights: Weights, folder: Path) -> None:
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
    parser.add_argument("--generations", type=int, default=1, help="each learns from the last")
    given = parser.parse_args()
    say = sys.stdout.write
    weights: Weights | None = None
    previous: Path | None = None
    for generation in range(1, given.generations + 1):
        folder = given.output if given.generations == 1 else given.output / str(generation)
        weights, plays = train(given.minutes * 60, given.seed + generation - 1, weights)
        bundle(weights, folder)
        say(f"{plays:,} plays in {given.minutes:g} minutes; wrote {folder}.\n")
        rivals: list[Path | str] = [previous, "greedy"] if previous else ["greedy"]
        for rival in rivals:
            own, _ = ladle.arena(
                GAME, [folder, rival], sets=given.sets, first_seed=10**6, confined=True
            )
            name = "greedy" if rival == "greedy" else f"generation {generation - 1}"
            say(f"Against {name} it wins {own.win_rate:.1%} ({own.low:.1%} to {own.high:.1%})")
            say(f" of {own.plays} plays, faults {own.faults}.\n")
        previous = folder


if __name__ == "__main__":
    main()
