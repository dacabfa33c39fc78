"""Bots without a jail, for your own machine and your own bots: `Plain` in place of a `Pool`.

Time and memory are limited and the protocol is the same, but the bot can do whatever the user
who runs it can. Never for bots of others.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from engine.game import Limits
from sandbox import jail, spawn
from sandbox.languages import Language
from sandbox.place import make, place
from sandbox.process import BotProcess
from sandbox.program import Program, bundle
from sandbox.table import Tablemates

WARNING = "the bots run without a sandbox: they can read and change whatever you can"


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
        # Not known everywhere. What counts all that this user runs is left out.
        from resource import RLIMIT_AS, RLIMIT_CORE, RLIMIT_CPU, RLIMIT_DATA

        limited = (RLIMIT_DATA, RLIMIT_AS, RLIMIT_CORE, RLIMIT_CPU)
        words, environment = jail.unconfined(language, memory_mb=memory_mb)
        limits = jail.resource_limits(language, memory_mb=memory_mb)
        spawned = spawn.unconfined(
            words,
            {number: limits[number] for number in limited},
            environment,
            str(folder or "/"),
        )
        return BotProcess(spawned, language, folder=str(folder or ""))

    def prepare(self, programs: Sequence[Program]) -> None:
        """There is nothing to start before a bot's own process."""

    def folder(self, program: Program) -> Path | None:
        """Where a bundle's files lie."""
        if program.bundle is None:
            return None
        make(place())
        folder = bundle.tree(program.bundle, place() / "bundles")
        with suppress(OSError):  # or Node takes its settings from whatever project is around it
            (place() / "package.json").write_text("{}")
        return folder

    def code(self, program: Program, limits: Limits, table: Tablemates) -> None:
        """Each process compiles for itself."""
