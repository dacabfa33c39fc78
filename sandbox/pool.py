"""Jails kept ready, one for each seat that is played at the same time; each play forks once."""

from __future__ import annotations

import itertools
import os
import threading
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol, Self

from engine.game import Limits
from engine.match import Fault
from sandbox import jail
from sandbox.errors import SandboxError
from sandbox.languages import Language
from sandbox.place import on_disk
from sandbox.process import BotProcess
from sandbox.program import Program, bundle
from sandbox.runtime import Runtime, ready
from sandbox.spawn import Kind, Zygote, kind
from sandbox.table import Tablemates
from sandbox.wasm.kept_code import KeptCode

RENEWED_AFTER = 1000  # forks of one zygote: should one ever be harmed, not for long
CODES_KEPT = 256
CODES_HELD = 64 * 2**20  # characters of them in memory: a module has up to 22 MiB, and is on disk
OTHERS_KEPT = 16  # jails that wait, of other kinds than the one used last


class Launcher(Protocol):
    """Whatever hands out fresh processes for bots."""

    def take(
        self,
        language: Language,
        *,
        memory_mb: int,
        modules: tuple[str, ...] = (),
        folder: Path | None = None,
    ) -> BotProcess: ...
    def prepare(self, programs: Sequence[Program]) -> None: ...
    def folder(self, program: Program) -> Path | None: ...
    def code(self, program: Program, limits: Limits, table: Tablemates) -> str | Fault | None: ...


class Pool:
    """Hands out processes forked in jails, which it keeps for the next play.

    At any time a jail holds one bot: the kernel counts its threads by jail.
    """

    def __init__(self, *, runtime: Runtime | None = None) -> None:
        self._runtime = runtime or ready()
        self._owner = os.getpid()
        self._closed = False
        self._lock = threading.Lock()
        self._idle: dict[Kind, list[Zygote]] = defaultdict(list)
        self._codes: OrderedDict[tuple[str, str], str | None] = OrderedDict()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def take(
        self,
        language: Language,
        *,
        memory_mb: int,
        modules: tuple[str, ...] = (),
        folder: Path | None = None,
    ) -> BotProcess:
        """A fresh process, in which these modules are loaded already, beside a bundle's files."""
        self._after_fork()
        self._runtime = self._runtime.renew()
        if not self._runtime.has(language):
            raise SandboxError(language.missing)
        with self._lock:
            idle = self._idle.get(kind(modules, folder))
            zygote = idle.pop() if idle else None
        zygote = zygote or Zygote(self._runtime, modules, folder)
        spawned = zygote.fork(language, memory_mb=memory_mb, ended=self._put_back)
        return BotProcess(
            spawned,
            language,
            is_up=not language.is_executed,
            folder=jail.BUNDLE if folder else "",
        )

    def prepare(self, programs: Sequence[Program]) -> None:
        """See that a jail for each of these is there or starts; they all start at once."""
        self._after_fork()
        self._runtime = self._runtime.renew()
        wanted = Counter(
            (program.modules, self.folder(program))
            for program in programs
            if self._runtime.has(program.language)
        )
        with self._lock:
            for (modules, folder), count in wanted.items():
                idle = self._idle[kind(modules, folder)]
                idle += [Zygote(self._runtime, modules, folder) for _ in range(count - len(idle))]

    def folder(self, program: Program) -> Path | None:
        """Where a bundle's files lie on this machine, unpacked once."""
        if program.bundle is None:
            return None
        return bundle.tree(program.bundle, self._runtime.base.parent / "bundles")

    def code(self, program: Program, limits: Limits, table: Tablemates) -> str | Fault | None:
        """The program compiled, in a process that does not run it; None where that is no use."""
        language = program.language
        if not language.compiles:
            return None
        key = (program.sha256, program.entry)
        if key in self._codes:
            self._codes.move_to_end(key)
            return self._codes[key]
        kept = self._kept_code(program) if language.keeps_code else None
        code = kept.read() if kept else None
        if code is None:
            own = replace(
                limits,
                start_cpu_ms=language.compile_cpu_ms or limits.start_cpu_ms,
                memory_mb=language.compile_memory_mb or limits.memory_mb,
            )
            with self.take(language, memory_mb=own.memory_mb, modules=language.modules) as process:
                compiled = process.compile(program, limits=own, table=table)
            if isinstance(compiled, Fault):
                return compiled
            code = compiled
            if kept and code is not None:
                kept.write(code)
        self._codes[key] = code
        while len(self._codes) > CODES_KEPT or self._held() > CODES_HELD:
            self._codes.popitem(last=False)
        return code

    def _held(self) -> int:
        return sum(len(code) for code in self._codes.values() if code)

    def _kept_code(self, program: Program) -> KeptCode:
        return KeptCode(on_disk() / "compiled", program)

    def idle(self) -> list[Zygote]:
        """The jails that hold no bot now."""
        self._after_fork()
        return [zygote for jails in self._idle.values() for zygote in jails]

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
        spare = None
        with self._lock:
            same = self._idle.pop(zygote.kind, [])
            for used_up in [each for each, jails in self._idle.items() if not jails]:
                del self._idle[used_up]
            if sum(map(len, self._idle.values())) > OTHERS_KEPT:
                spare = next(iter(self._idle.values())).pop(0)
            self._idle[zygote.kind] = [*same, zygote]  # last, as the one used last
        if spare is not None:
            spare.close()

    def _after_fork(self) -> None:
        """A forked worker must not use its parent's jails: both would talk to one zygote."""
        if os.getpid() != self._owner:
            self._owner = os.getpid()
            for zygote in itertools.chain(*self._idle.values()):
                zygote.abandon()
            self._idle.clear()
            self._lock = threading.Lock()
