# ruff: noqa: T201
"""A site that plays in peace for a while: does any of its processes grow?"""

from __future__ import annotations

import time
from collections.abc import Sequence
from statistics import median

from tests.programs.storm.site import Site

EVERY_SECONDS = 10
# Caches fill in the first half. From then on a process may grow by so much, and no more.
SPARE_MB, SPARE_SHARE = 8.0, 0.10


def soak(one: Site, kind: str, minutes: float) -> int:
    """How many processes grew."""
    seen: dict[str, list[float]] = {name: [] for name in one.processes}
    before = one.census()["finished"]
    until = time.monotonic() + 60 * minutes
    while time.monotonic() < until:
        for name, held in one.memory_mb().items():
            seen[name].append(held)
        one.status("/")
        time.sleep(EVERY_SECONDS)
    one.raise_the_dead()
    played = one.census()["finished"] - before
    print(f"\n{kind}: {minutes:g} minutes, {played} matches; {one.deaths} processes died")
    print(f"  a process may grow by {SPARE_SHARE:.0%} and {SPARE_MB:g} MB after half of the time")
    grown = 0
    for name, held in seen.items():
        begin, warm, end = held[0], warmed(held), ended(held)
        is_flat = end <= most(warm)
        grown += not is_flat
        verdict = "flat" if is_flat else "GREW"
        print(
            f"  {name}: {begin:.1f} MB at first, {warm:.1f} warm, {end:.1f} at the end, {verdict}"
        )
    return grown + one.deaths


def most(warm: float) -> float:
    return warm * (1 + SPARE_SHARE) + SPARE_MB


def warmed(held: Sequence[float]) -> float:
    """In the sixth after the first half: a median, since a play comes and goes."""
    half = len(held) // 2
    return median(held[half : half + max(1, len(held) // 6)])


def ended(held: Sequence[float]) -> float:
    return median(held[-max(1, len(held) // 6) :])
