"""Jails kept ready, one for each seat that is played at the same time; each play forks anew."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict, defaultdict
from typing import Protocol, Self

from engine.game import Limits
from engine.match import Fault
from sandbox.errors import SandboxError
from sandbox.languages import PYTHON, Language
from sandbox.process import BotProcess
from sandbox.runtime import Runtime, ready
from sandbox.spawn import Zygote
from sandbox.table import Table

RENEWED_AFTER = 1000  # forks of one zygote: should one ever be harmed, not for long
CODES_KEPT = 256


class Launcher(Protocol):
    """Whatever hands out fresh processes for bots."""

    def take(self, language: Language, *, memory_mb: int, source: str = "") -> BotProcess: ...
    def code(
        self, language: Language, source: str, filename: str, limits: Limits, table: Table
    ) -> str | Fault | None: ...


class Pool:
    """Hands out processes forked in jails, which it keeps for the next play.

    At any time a jail holds one bot: the kernel counts its threads by jail.
    """

    def __init__(self, *, runtime: Runtime | None = None) -> None:
        self._runtime = runtime or ready()
        self._owner = os.getpid()
        self._closed = False
        self._lock = threading.Lock()
        self._idle: dict[tuple[str, ...], list[Zygote]] = defaultdict(list)
        self._codes: OrderedDict[tuple[str, str], str | None] = OrderedDict()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def take(self, language: Language, *, memory_mb: int, source: str = "") -> BotProcess:
        """A fresh process. What the source seems to need of numpy is loaded in it already."""
        self._after_fork()
        if not self._runtime.has(language):
            raise SandboxError(f"bots in {language.name} cannot play here: pip install 'ladle[js]'")
        modules = ("numpy",) if language is PYTHON and "numpy" in source else ()
        with self._lock:
            idle = self._idle[modules]
            zygote = idle.pop() if idle else None
        zygote = zygote or Zygote(self._runtime, modules)
        spawned = zygote.fork(language, memory_mb=memory_mb, ended=self._put_back)
        return BotProcess(spawned, language, is_up=language is PYTHON)

    def code(
        self, language: Language, source: str, filename: str, limits: Limits, table: Table
    ) -> str | Fault | None:
        """The bot's file compiled, in a process that does not run it; None where that is no use."""
        if language is not PYTHON:
            return None
        key = (source, filename)
        if key in self._codes:
            self._codes.move_to_end(key)
            return self._codes[key]
        with self.take(language, memory_mb=limits.memory_mb) as process:
            code = process.compile(source, filename=filename, limits=limits, table=table)
        if not isinstance(code, Fault):
            self._codes[key] = code
            if len(self._codes) > CODES_KEPT:
                self._codes.popitem(last=False)
        return code

    def idle(self) -> list[Zygote]:
        """The jails that hold no bot now."""
        self._after_fork()
        return [zygote for kind in self._idle.values() for zygote in kind]

    def close(self) -> None:
        """End the jails; those in use are ended with their bots."""
        self._closed = True
        for zygote in self.idle():
            zygote.close()
        self._idle.clear()

    def _put_back(self, zygote: Zygote) -> None:
        if self._closed or zygote.forks >= RENEWED_AFTER:
            zygote.close()
            return
        with self._lock:
            self._idle[zygote.modules].append(zygote)

    def _after_fork(self) -> None:
        """A forked worker must not use its parent's jails: both would talk to one zygote."""
        if os.getpid() != self._owner:
            self._owner = os.getpid()
            for kind in self._idle.values():
                for zygote in kind:
                    zygote.abandon()
            self._idle.clear()
            self._lock = threading.Lock()
