# ruff: noqa: T201
"""`make faults`: a storm over a whole site, and the count of what it lost.

python -m tests.programs.storm [MINUTES] [SEED]     for each of the two deployments; 3 unless told
python -m tests.programs.storm soak [MINUTES]       no fault at all: is memory flat? 30 unless given
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.programs.storm import faults
from tests.programs.storm.site import END, Site, site
from tests.programs.storm.soak import soak
from tests.servers import run_manage, wait_until

MUST_BE_ZERO = (
    "void", "stuck", "finished twice", "miscounted ratings", "ticks not rated",
    "rejected", "not checked", "bad replays", "lost uploads", "died by themselves",
    "causes without one event", "not delivered", "events missed by a reader",
    "events read twice or out of order", "delivered under two ids",
)  # fmt: skip
CALM_SECONDS = 600
DISK_MB = 64
SHORTEST_SOAK = 10


def main(minutes: float = 3, seed: int = 1, *, is_soak: bool = False) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    failed = 0
    for kind in ("embedded", "servers"):
        with tempfile.TemporaryDirectory(prefix="ladle-storm-") as name:
            folder = Path(name)
            folder.chmod(0o755)
            with small_disk(folder / "var" / "media") as has_small_disk, site(folder, kind) as one:
                wait_until(lambda: one.census()["finished"] >= 4, 300, "first matches are finished")
                if is_soak:
                    failed += soak(one, kind, minutes)
                else:
                    failed += storm(one, kind, minutes, random.Random(seed), has_small_disk)
    print("nothing was lost" if not failed else "THE STORM DID HARM")
    return 1 if failed else 0


def storm(one: Site, kind: str, minutes: float, luck: random.Random, has_small_disk: bool) -> int:
    """Every kind of fault once, in any order, then whatever comes, for so many minutes."""
    kinds = faults.of(kind, has_small_disk=has_small_disk)
    waiting = list(dict.fromkeys(kinds)) + faults.once(kind)
    luck.shuffle(waiting)
    done: Counter[str] = Counter()
    until = time.monotonic() + 60 * minutes
    while waiting or time.monotonic() < until:
        fault = waiting.pop() if waiting else luck.choice(kinds)
        fault(one, luck)
        done[fault.__name__] += 1
        one.raise_the_dead()
        one.upload()
        time.sleep(luck.uniform(0, 3))
    return report(one, kind, done)


def settled(one: Site) -> dict[str, int]:
    """What was lost, once all that was begun is over."""
    while not one.upload():
        time.sleep(1)
    # Whoever was uploaded is checked before nobody wants matches any more.
    wait_until(lambda: not one.census()["not checked"], CALM_SECONDS, "uploads are checked")
    one.shell(f"{END}; print('ended')")
    wait_until(lambda: is_calm(one), CALM_SECONDS, lambda: f"calm: {one.census()}")
    found = one.census(verify=True) | one.heard()
    found["lost uploads"] = one.uploads - found["uploads stored"]
    found["finished twice"] = one.finished_twice()
    found["died by themselves"] = one.deaths
    return found


def report(one: Site, kind: str, done: Counter[str]) -> int:
    found = settled(one)
    verdict = run_manage(one.environment, "ratings", "--verify").stdout.strip().splitlines()[-1]
    wrong = [name for name in MUST_BE_ZERO if found[name]]
    if "0 differences" not in verdict:
        wrong.append("ratings")
    print(f"\n{kind}: {sum(done.values())} faults")
    print("  " + ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in done.items()))
    print("  " + ", ".join(f"{name} {count}" for name, count in found.items()))
    print(f"  ratings: {verdict}")
    if wrong:
        print(f"  HARM: {', '.join(wrong)}")
    return len(wrong)


def is_calm(one: Site) -> bool:
    found = one.census()
    return not any(found[name] for name in ("stuck", "ticks not rated", "not delivered"))


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """A file system of its own that can be filled; needs root, so False where we are not."""
    folder.mkdir(parents=True)
    words = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(words, capture_output=True).returncode != 0:
        print("no disk is filled: that needs root")
        yield False
        return
    try:
        yield True
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[:1] == ["soak"]:
        minutes = float(words[1]) if words[1:] else 30
        if minutes < SHORTEST_SOAK:
            sys.exit(f"Caches take minutes to fill: soak for {SHORTEST_SOAK} minutes at least.")
        sys.exit(main(minutes, is_soak=True))
    sys.exit(main(*map(float, words[:1]), *map(int, words[1:2])))
