"""Acting as an unprivileged user, so that what is started meanwhile starts as that user."""

from __future__ import annotations

import ctypes
import itertools
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager

from sandbox import seccomp

# Ids that no distribution and no systemd service hands out. Several bots may share one without
# harm, as each lives in namespaces of its own; apart, their process counts never mix at all.
USER_IDS = itertools.cycle(range(60706, 61184))
UNCHANGED = -1

_libc = ctypes.CDLL(None, use_errno=True)


@contextmanager
def plain_user() -> Iterator[None]:
    """As root, be a plain user within the block, on this thread alone; otherwise change nothing.

    Popen has options for this, but they make it fork, which takes milliseconds for a process as
    large as a worker. The way back is the saved user id, which a child loses as it is executed.
    """
    if os.geteuid() != 0:
        yield
        return
    user = next(USER_IDS)
    owner, group, groups = os.getuid(), os.getresgid(), os.getgroups()
    try:
        _call("setgroups", 0, None)
        _call("setresgid", user, user, UNCHANGED)
        _call("setresuid", user, user, 0)
        yield
    finally:
        _call("setresuid", owner, 0, UNCHANGED)  # first, as it gives back the right to the others
        _call("setresgid", group[0], group[1], UNCHANGED)
        _call("setgroups", len(groups), (ctypes.c_uint32 * len(groups))(*groups))


def _call(name: str, *arguments: object) -> None:
    """A bare system call: libc's own would change the ids of every thread."""
    _, numbers = seccomp.MACHINES[platform.machine()]
    if _libc.syscall(ctypes.c_long(numbers[name]), *arguments) < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}: {os.strerror(error)}")
