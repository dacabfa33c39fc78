"""Which forbidden system call ended a bot, where the kernel logs it."""

from __future__ import annotations

import os
import re
import time

from sandbox import seccomp

PATIENCE_S = 0.2  # the kernel writes its log a moment later


def forbidden_call(pid: int) -> str | None:
    """The name of the call for which the filter ended this process.

    None for workers that may not read the kernel's log, or whose kernel does not keep one.
    """
    until = time.monotonic() + PATIENCE_S
    while (found := _search(pid)) is None and time.monotonic() < until:
        time.sleep(0.01)
    if found is None:
        return None
    arch, number = found
    for known, numbers in seccomp.MACHINES.values():
        names = {value: name for name, value in numbers.items()}
        if arch == known and number in names:
            return names[number]
    return f"number {number} of another processor mode"


def _search(pid: int) -> tuple[int, int] | None:
    pattern = re.compile(rf"type=1326 .* pid={pid} .* arch=([0-9a-f]+) syscall=(\d+) ")
    found = None
    try:
        log = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        while True:
            try:
                record = os.read(log, 8192).decode("utf-8", "replace")
            except BrokenPipeError:  # that record was overwritten meanwhile; the next is there
                continue
            if match := pattern.search(record):
                found = int(match[1], 16), int(match[2])  # the last one: process ids come again
    except OSError:  # the end of the log
        return found
    finally:
        os.close(log)
