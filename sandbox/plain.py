"""Bots without a jail, for one's own machine and one's own bots: `Plain` in place of a `Pool`.

Time and memory are limited and the protocol is the same, but the bot can do whatever the user
who runs it can. Never for bots of others.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from resource import RLIMIT_AS, RLIMIT_CORE, RLIMIT_CPU, RLIMIT_DATA

from engine.game import Limits
from sandbox import jail, spawn
from sandbox.errors import SandboxError
from sandbox.languages import Language
from sandbox.process import BotProcess
from sandbox.program import Program, bundle
from sandbox.runtime import PROJECT, place
from sandbox.table import Table

WARNING = "the bots run without a sandbox: they can read and change whatever you can"
LIMITED = (RLIMIT_DATA, RLIMIT_AS, RLIMIT_CORE, RLIMIT_CPU)  # not what counts all this user runs


class Plain:
    """Hands out unconfined processes; a `sandbox.pool.Launcher`."""

    def take(
        self,
        language: Language,
        *,
        memory_mb: int,
        modules: tuple[str, ...] = (),
        folder: Path | None = None,
    ) -> BotProcess:
        brought = _brought(language)
        interpreter = brought if language.is_executed else sys.executable
        here = replace(language, interpreter=interpreter)
        shim = Path(__file__).parent / language.shim
        words = jail.inside(here, memory_mb=memory_mb, shim=str(shim))
        limits = jail.resource_limits(language, memory_mb=memory_mb)
        spawned = spawn.unconfined(
            words,
            {number: limits[number] for number in LIMITED},
            dict(language.environment)
            | {"PYTHONPATH": os.pathsep.join((str(PROJECT), *_packages()))}
            | {"LADLE_BROUGHT": brought},
            str(folder or "/"),
        )
        return BotProcess(spawned, language, folder=str(folder or ""))

    def prepare(self, programs: Sequence[Program]) -> None:
        """There is nothing to start before a bot's own process."""

    def folder(self, program: Program) -> Path | None:
        """Where a bundle's files lie."""
        if program.bundle is None:
            return None
        folder = bundle.tree(program.bundle, place() / "bundles")
        with suppress(OSError):  # or Node takes its settings from whatever project is around it
            (place() / "package.json").write_text("{}")
        return folder

    def code(self, program: Program, limits: Limits, table: Table) -> None:
        """Each process compiles for itself."""


def _brought(language: Language) -> str:
    """Where what runs the language lies on this machine; empty for Python itself."""
    if language.brings is None:
        return ""
    path = language.brings.path()
    if path is None:
        raise SandboxError(language.lacking)
    return str(path)


def _packages() -> list[str]:
    """Where installed packages are, numpy among them; the interpreter starts without them."""
    return [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
