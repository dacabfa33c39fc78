"""How asyncio wakes itself in a jail; at build time this is put at the end of `selector_events`.

It does so by a pair of sockets otherwise, which bots cannot make (see `seccomp.NUMBERED`). An
eventfd has no number of its own.
"""

import os
from asyncio.selector_events import BaseSelectorEventLoop


class Bell:
    """The little of a socket that the loop uses: one end rings, the other is woken."""

    def __init__(self, end: int) -> None:
        self._end = end

    def fileno(self) -> int:
        return self._end

    def send(self, data: bytes) -> int:
        os.eventfd_write(self._end, 1)
        return len(data)

    def recv(self, size: int) -> bytes:
        os.eventfd_read(self._end)
        return b"\0"

    def close(self) -> None:
        os.close(self._end)


def _make_self_pipe(self) -> None:  # type: ignore[no-untyped-def]
    bell = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
    self._ssock, self._csock = Bell(bell), Bell(os.dup(bell))
    self._internal_fds += 1
    self._add_reader(self._ssock.fileno(), self._read_from_self)


BaseSelectorEventLoop._make_self_pipe = _make_self_pipe  # type: ignore[attr-defined]
