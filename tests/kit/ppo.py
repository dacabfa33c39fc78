"""sb3-contrib's MaskablePPO on our environments as they are, with figures.

    pip install 'ladle[rl]' sb3-contrib && python -m tests.kit.ppo

It is no part of the suite: it needs PyTorch, which is larger than everything else together.
Trains for a number of steps on each form of an environment and prints the share of opponents
beaten in fresh plays against `random`, before and after.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO

from ladle.rl import SeatEnv, WordsEnv

PLAYS = 100
STEPS = 20_000
FORMS: dict[str, Callable[[str], Any]] = {
    "exact": lambda game: SeatEnv(game, ["random"]),
    "scaled": lambda game: SeatEnv(game, ["random"], scaled=True),
    "scaled, word by word": lambda game: WordsEnv(SeatEnv(game, ["random"], scaled=True)),
}


def share_beaten(model: Any, env: Any) -> tuple[float, float]:
    """The mean over fresh plays, and half the width of its 95% interval."""
    shares = []
    for seed in range(PLAYS):
        seen, _ = env.reset(seed=10_000 + seed)
        ended = False
        while not ended:
            action, _ = model.predict(seen, action_masks=env.action_masks())
            seen, reward, ended, *_ = env.step(action)
        shares.append((reward + 1) / 2)
    return float(np.mean(shares)), float(1.96 * np.std(shares) / PLAYS**0.5)


def main() -> None:
    warnings.filterwarnings("ignore")
    for game in sys.argv[1:] or ["ramen_ramen", "hot_ramen"]:
        for name, make in FORMS.items():
            env = make(game)
            model = MaskablePPO("MultiInputPolicy", env, seed=1, device="cpu")
            before, _ = share_beaten(model, env)
            began = time.process_time()
            model.learn(STEPS)
            took = time.process_time() - began
            after, half = share_beaten(model, env)
            sys.stdout.write(
                f"{game}, {name} ({env.action_space.n} actions): {before:.0%} before,"
                f" {after:.0%} ± {half:.0%} after {STEPS:,} steps and {took:.0f} s of CPU time\n"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
