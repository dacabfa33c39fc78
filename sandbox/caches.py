"""The processor's caches, which two plays share, and how to make them forget.

A name that a bot looks up, or a page that it reads, is found faster while traces of it lie in a
cache, so the next play could time them. Reading other memory, more than a cache holds, drives them
out.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

DEVICES = Path("/sys/devices/system/cpu")
MIB = 2**20
MARGIN = 2  # times the size of a cache: it does not choose strictly by age
UNKNOWN_SHARED, UNKNOWN_OWN = 32 * MIB, 2 * MIB  # where the kernel does not say
FEW_CORES = 4
MOST = 256 * MIB  # for a cache larger than half of this a sweep is not whole


def sweep() -> None:
    """Fill the caches of all cores that this process may use with other things."""
    own = os.sched_getaffinity(0)
    plan = _plan(frozenset(own))
    dust = _dust(max(size for _, size in plan))
    try:
        for core, size in plan:
            os.sched_setaffinity(0, {core})
            dust.find(b"\2", 0, size)
    finally:
        os.sched_setaffinity(0, own)


@cache
def _plan(cores: frozenset[int]) -> tuple[tuple[int, int], ...]:
    """On which cores to read how much.

    On a few cores, all of the largest cache on each: what a virtual machine says of sharing is
    not always so, and measured, half as much was left. On many, once for those that share it.
    """
    plan, swept = [], set()
    for core in sorted(cores):
        own, shared, group = _caches(core)
        is_whole = len(cores) <= FEW_CORES or group not in swept
        swept.add(group)
        plan.append((core, min(MOST, MARGIN * (shared if is_whole else own))))
    return tuple(plan)


def _caches(core: int) -> tuple[int, int, str]:
    """The sizes of a core's own caches and of the largest one, and which cores share that."""
    found = []
    for index in sorted(DEVICES.glob(f"cpu{core}/cache/index*")):
        try:
            size = int((index / "size").read_text().strip().removesuffix("K")) * 1024
            found.append((size, (index / "shared_cpu_list").read_text().strip()))
        except (OSError, ValueError):
            continue
    if not found:
        return UNKNOWN_OWN, UNKNOWN_SHARED, "all"
    largest, group = max(found)
    own = max((size for size, cores in found if cores != group), default=UNKNOWN_OWN)
    return own, largest, group


@cache
def _dust(size: int) -> bytes:
    """Memory to read. It is written once: pages that never were share one, which fills no cache.

    A process that forks makes it before, so that its children share it.
    """
    return b"\1" * size
