"""How long a bot was kept from the processor, by the kernel's own books.

Only that excuses a bot that is late. Time that it ran is charged, and the rest of the time it
slept: a bot that could have its sleep excused would void every match that it is losing.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def delay_ns(pid: int, cpu_ns: int) -> int:
    """The longest that a thread of the process was ready to run and did not.

    Less what the other threads ran meanwhile, who may have been in its way; `cpu_ns` is what all
    threads ran. 0 where the kernel keeps no such books.
    """
    longest = 0
    with suppress(OSError, ValueError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            ran, waited, _ = map(int, (task / "schedstat").read_text().split())
            longest = max(longest, waited - max(0, cpu_ns - ran))
    return longest


def own_delay_ns() -> int:
    """The same for the calling thread, which reads a bot's answer late when it is kept waiting."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0


def is_stopped(pid: int) -> bool:
    """Whether it was stopped from outside: the first process of a namespace cannot stop itself."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:1]
    except OSError:
        return False
    return state == ["T"]
