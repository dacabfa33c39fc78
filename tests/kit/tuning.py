"""`make tuning`: how many plays tuning takes with duplicate sets and without.

Greedy of Ramen! Ramen! plays at random the more often the further its number is from a planted
one. Both ways tune it from the same start, with as many plays a step, on some seeds. What is told
is how far off the number is on average after so many plays, as a share of its range, and after how
many plays it is within a tenth of it for good.
"""

from __future__ import annotations

import sys
from statistics import mean

from engine.games import GAMES
from ladle.tune import tune

GAME = GAMES["ramen_ramen"]
GREEDY = GAME.house_bots()["greedy"].read_text().replace("def decide(", "def greedy(")
PLANTED, START = 0.7, 0.2
SOURCE = f"""{GREEDY}
import random
X = {START}  # tune 0 to 1


def decide(view):
    missed = abs(X - {PLANTED})
    return random.choice(view["legal"]) if random.random() < missed else greedy(view)
"""
STEPS, PLAYS_A_STEP, RUNS = 60, 2, 8
NEAR = 0.1


def errors(*, duplicate: bool, seed: int) -> list[float]:
    """How far off the number is after each step."""
    steps = tune(GAME, 2, SOURCE, steps=STEPS, sets=1, seed=seed, duplicate=duplicate)
    return [abs(step.values["X"] - PLANTED) for step in steps]


def plays_needed(off: list[float]) -> int:
    """After how many plays it is near for good; all of them where it never is."""
    far = [number for number, one in enumerate(off, 1) if one > NEAR]
    return PLAYS_A_STEP * (far[-1] if far else 0)


def main() -> None:
    for duplicate in (True, False):
        runs = [errors(duplicate=duplicate, seed=seed) for seed in range(RUNS)]
        name = "duplicate sets" if duplicate else "luck of its own for every play"
        off = [mean(run[at - 1] for run in runs) for at in (STEPS // 3, 2 * STEPS // 3, STEPS)]
        needed = mean(map(plays_needed, runs))
        figures = ", ".join(f"{one:.3f}" for one in off)
        sys.stdout.write(f"{name}: off by {figures} after a third, two thirds and all of")
        sys.stdout.write(f" {STEPS * PLAYS_A_STEP} plays; near for good after {needed:.0f}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
