"""`make tuning`: how many plays `ladle tune` takes with duplicate sets and without.

Greedy plays at random the more often the further its number is from a planted one: in one decision
of ten where tuning begins, in none at 0.7. A run takes the steps and sets that the command takes by
itself. It needs as many plays as it takes until the number is within a tenth of its range of the
planted one and stays there; a run that is not there in the end counts with all its plays. Without
duplicates every play has luck of its own; both ways the bots change places in every set. Means
over the runs have 95% intervals.
"""

from __future__ import annotations

import sys
from math import sqrt
from statistics import mean, stdev

from engine.game import Game
from engine.games import GAMES
from ladle.tune import tune

PLANTED = """
import random
X = 0.2  # tune 0.0 to 1.0


def decide(view):
    return random.choice(view["legal"]) if random.random() < abs(X - 0.7) / 5 else greedy(view)
"""
BEST, NEAR = 0.7, 0.1
RUNS, STEPS, SETS, PLAYS_A_SET = 30, 200, 2, 2


def main() -> None:
    for slug in ("ramen_ramen", "potage_sauvage", "hot_ramen"):
        game = GAMES[slug]
        found = {}
        for duplicate in (True, False):
            found[duplicate] = [plays_needed(game, seed, duplicate) for seed in range(RUNS)]
            name = "duplicate" if duplicate else "own luck"
            there = sum(plays < STEPS * SETS * PLAYS_A_SET for plays in found[duplicate])
            sys.stdout.write(f"{slug}, {name}: {interval(found[duplicate])} plays,")
            sys.stdout.write(f" {there} of {RUNS} runs are there in the end\n")
            sys.stdout.flush()
        saved = [own - same for same, own in zip(found[True], found[False], strict=True)]
        sys.stdout.write(f"{slug}: duplicates save {interval(saved)} plays\n")


def plays_needed(game: Game, seed: int, duplicate: bool) -> int:
    greedy = game.house_bots()["greedy"].read_text().replace("def decide(", "def greedy(")
    last_off = 0
    for step in tune(
        game, 2, greedy + PLANTED, steps=STEPS, sets=SETS, seed=seed, duplicate=duplicate
    ):
        if abs(step.values["X"] - BEST) > NEAR:
            last_off = step.number
    return min(last_off + 1, STEPS) * SETS * PLAYS_A_SET


def interval(values: list[int]) -> str:
    half = 1.96 * stdev(values) / sqrt(len(values))
    return f"{mean(values):.0f} ({mean(values) - half:.0f} to {mean(values) + half:.0f})"


if __name__ == "__main__":
    main()
