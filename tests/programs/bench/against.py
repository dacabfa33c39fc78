"""`python -m tests.programs.bench.against [COMMIT]`: what a match costs, now and before.

Without COMMIT it is compared with the first version, which was far slower; with any other commit
no figure may be more than a tenth above that commit's.

Both versions run in turn on one core, the older one in a git worktree of its own. What a count of
matches takes more than a smaller count is the price of the rest, without what it takes to begin.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = Path(__file__).parent / "match_cpu.py"
FIRST_VERSION = "d69578f"
ROUNDS = 3
COUNTS = {"two": (5, 65), "six": (1, 5), "start": (20, 120)}
NAMES = {
    "two": "a match of two seats, random bots, CPU ms",
    "six": "a match of six seats, random bots, CPU ms",
    "start": "a bot's start to its first answer, CPU ms",
    "idle": "a jail that waits for a bot, MB",
}
GOALS = {"two": 0.5, "six": 1.0, "start": 0.2}  # of the first version
SAME = 1.1  # of any other


def measured(tree: Path, what: str, count: int) -> float:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), what, str(count)],
        cwd=tree,
        env=dict(os.environ) | {"PYTHONPATH": str(tree)},
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def price(tree: Path, what: str) -> float:
    if what == "idle":
        return measured(tree, what, 0)
    few, many = COUNTS[what]
    return (measured(tree, what, many) - measured(tree, what, few)) / (many - few)


def main(commit: str = FIRST_VERSION) -> int:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    missed = 0
    with tempfile.TemporaryDirectory(prefix="ladle-old-") as folder:
        old = Path(folder, "tree")
        Path(folder).chmod(0o755)
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "-q", "--detach", str(old), commit], check=True)
        try:
            for what, name in NAMES.items():
                pairs = [(price(ROOT, what), price(old, what)) for _ in range(ROUNDS)]
                ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
                goal = GOALS.get(what) if commit == FIRST_VERSION else SAME
                verdict = "" if goal is None else f"goal {goal}, "
                missed += goal is not None and ours / theirs > goal
                print(
                    f"{name}: {ours:.1f} v {theirs:.1f}, {verdict}ratio {ours / theirs:.2f}",
                    flush=True,
                )
        finally:
            subprocess.run([*git, "remove", "--force", str(old)], check=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
