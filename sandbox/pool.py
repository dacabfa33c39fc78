"""Sandboxes started before they are needed, so that a match begins in about a millisecond."""

from __future__ import annotations

import os
from collections import defaultdict, deque
from concurrent.futures import Future
from contextlib import suppress
from typing import Protocol, Self

from sandbox import spawn
from sandbox.errors import SandboxError
from sandbox.languages import PYTHON, Language
from sandbox.process import BotProcess
from sandbox.runtime import Runtime, ready

Kind = tuple[Language, int]


class Launcher(Protocol):
    """Whatever hands out fresh processes for bots."""

    def take(self, language: Language, *, memory_mb: int) -> BotProcess: ...
    def warm(self, language: Language, *, memory_mb: int) -> None: ...


class Pool:
    """A few warm sandboxes per language and memory limit; each is handed out once, never again.

    Taking one starts no other by itself: the taker says when, so that it does not get in the way.
    """

    def __init__(self, *, size: int = 2, runtime: Runtime | None = None) -> None:
        """`size` 0 starts each sandbox only when it is taken."""
        self._size = size
        self._runtime = runtime or ready()
        self._owner = os.getpid()
        self._waiting: dict[Kind, deque[Future[BotProcess]]] = defaultdict(deque)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def warm(self, language: Language = PYTHON, *, memory_mb: int = 256) -> None:
        """Start ahead whatever is missing of this kind, without waiting for it."""
        self._after_fork()
        waiting = self._waiting[language, memory_mb]
        while len(waiting) < self._size:
            waiting.append(self._start(language, memory_mb))

    def take(self, language: Language, *, memory_mb: int) -> BotProcess:
        """A sandbox nobody has used."""
        self._after_fork()
        waiting = self._waiting[language, memory_mb]
        started = waiting.popleft() if waiting else self._start(language, memory_mb)
        return started.result()

    def waiting(self) -> list[int]:
        """The process ids of those started ahead and not yet taken."""
        self._after_fork()
        return [started.result().pid for kind in self._waiting.values() for started in kind]

    def close(self) -> None:
        """End all that wait; those taken belong to their takers."""
        self._after_fork()
        for waiting in self._waiting.values():
            while waiting:
                with suppress(SandboxError):
                    waiting.popleft().result().close()

    def _start(self, language: Language, memory_mb: int) -> Future[BotProcess]:
        return spawn.lasting_thread().submit(
            BotProcess.start_here, language, runtime=self._runtime, memory_mb=memory_mb
        )

    def _after_fork(self) -> None:
        """A forked worker must not use its parent's sandboxes: both would talk to one bot."""
        if os.getpid() != self._owner:
            self._owner = os.getpid()
            self._waiting.clear()
