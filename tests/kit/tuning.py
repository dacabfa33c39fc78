"""`make tuning`: how many plays a step of tuning takes with duplicate sets and without.

Greedy plays at random the more often the further its number is from a planted one. The two bots of
a step, at 0.6 and 0.45 where 0.7 is best, meet in sets. A set has the same luck for each rotation,
or every play has its own; both ways it has as many plays, and its score the same mean in the long
run. So the plays that a step needs to tell which bot is better go by the variance of that score.
"""

from __future__ import annotations

import sys
from random import Random
from statistics import mean, variance

from engine.games import GAMES
from ladle.tune import score, with_values

PLANTED = """
import random
X = 0.5  # tune 0 to 1


def decide(view):
    return random.choice(view["legal"]) if random.random() < abs(X - 0.7) else greedy(view)
"""
BETTER, WORSE = 0.6, 0.45
SETS = 200


def main() -> None:
    for slug in ("hot_ramen", "potage_sauvage", "ramen_ramen"):
        game = GAMES[slug]
        greedy = game.house_bots()["greedy"].read_text().replace("def decide(", "def greedy(")
        bots = [with_values(greedy + PLANTED, {"X": value}) for value in (BETTER, WORSE)]
        rng = Random(1)
        seeds = [rng.getrandbits(50) for _ in range(SETS)]
        needs = []
        for duplicate in (True, False):
            found = [score(game, 2, bots, seed, duplicate=duplicate) for seed in seeds]
            needs.append(variance(found))
            name = "duplicate" if duplicate else "own luck"
            sys.stdout.write(f"{slug}, {name}: mean {mean(found):.3f},")
            sys.stdout.write(f" variance {variance(found):.3f} of {SETS} sets\n")
        sys.stdout.write(f"{slug}: without duplicates {needs[1] / needs[0]:.2f} times the plays\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
