"""Whether a late bot slept or this machine kept it waiting, from the kernel's own books."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

DISK_TICKS = 39  # field 42 of /proc/pid/stat, which counts from 1 and two fields earlier
TICKS_PER_S = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """When it was taken; how long each thread has run or wanted to run, and waited for a disk."""

    at: int
    wanted: dict[str, int]
    disk: int


def snapshot(pid: int) -> Snapshot:
    """The present state of a process, times in ns; empty where the kernel keeps no such books."""
    wanted = {}
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            ran, waited, _ = (task / "schedstat").read_text().split()
            wanted[task.name] = int(ran) + int(waited)
    except (OSError, ValueError):
        wanted = {}
    return Snapshot(time.monotonic_ns(), wanted, _waited_for_disk(pid))


def our_fault(pid: int, early: Snapshot) -> str | None:
    """Why the bot's lateness is not its own doing, or None when it is.

    A thread that wanted the processor for half of the time and did not get it was starved. A
    bot that slept of its own will must not get off so: it could void every match it is losing.
    Nor does it help to be in a state in which others wait for a disk: there are calls for that.
    """
    if _fields(pid)[:1] == ["T"]:  # the first process of its namespace cannot stop itself
        return "it was stopped from outside"
    late = snapshot(pid)
    elapsed = late.at - early.at
    if late.disk - early.disk >= elapsed / 2 > 0:
        return "it was waiting for this machine's disk"
    starved = any(
        now - early.wanted.get(task, now) >= elapsed / 2 for task, now in late.wanted.items()
    )
    return "this machine gave it too little of the processor" if starved and elapsed else None


def _waited_for_disk(pid: int) -> int:
    """By the kernel's own account of block devices, where it keeps one."""
    fields = _fields(pid)
    return int(fields[DISK_TICKS]) * 10**9 // TICKS_PER_S if len(fields) > DISK_TICKS else 0


def _fields(pid: int) -> list[str]:
    """What `/proc/pid/stat` tells after the name: the state first."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
