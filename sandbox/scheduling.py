"""Whether a late bot slept or this machine kept it waiting, from the kernel's own books."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Snapshot:
    """When it was taken, and how long each thread has run or wanted to run, in ns."""

    at: int
    wanted: dict[str, int]


def snapshot(pid: int) -> Snapshot:
    """The present state of a process; empty where the kernel keeps no such books."""
    wanted = {}
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            ran, waited, _ = (task / "schedstat").read_text().split()
            wanted[task.name] = int(ran) + int(waited)
    except (OSError, ValueError):
        wanted = {}
    return Snapshot(time.monotonic_ns(), wanted)


def our_fault(pid: int, early: Snapshot) -> str | None:
    """Why the bot's lateness is not its own doing, or None when it is.

    A thread that wanted the processor for half of the time and did not get it was starved. A
    bot that slept of its own will must not get off so: it could void every match it is losing.
    """
    if _state(pid) in ("D", "T"):  # waiting for a disk, or stopped from outside
        return "it was waiting for this machine's disk or was stopped from outside"
    late = snapshot(pid)
    elapsed = late.at - early.at
    starved = any(
        now - early.wanted.get(task, now) >= elapsed / 2 for task, now in late.wanted.items()
    )
    return "this machine gave it too little of the processor" if starved and elapsed else None


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return ""
