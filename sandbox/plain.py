"""Bots without a jail, for one's own machine and one's own bots: `Plain` in place of a `Pool`.

Time and memory are limited and the protocol is the same, but the bot can do whatever the user
who runs it can. Never for bots of others.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from sandbox import jail, spawn
from sandbox.languages import NODE, Language
from sandbox.process import BotProcess
from sandbox.runtime import PROJECT, node

WARNING = "the bots run without a sandbox: they can read and change whatever you can"
LIMITED = ("data", "as", "core", "cpu")  # the rest would count what else this user runs


class Plain:
    """Hands out unconfined processes; a `sandbox.pool.Launcher`."""

    def take(self, language: Language, *, memory_mb: int) -> BotProcess:
        interpreter = str(node()) if language is NODE else sys.executable
        paths = () if language is NODE else (str(PROJECT), *_packages())
        here = replace(language, interpreter=interpreter, shim_arguments=paths)
        shim = Path(__file__).parent / language.shim
        words = jail.inside(here, memory_mb=memory_mb, shim=str(shim))
        limits = jail.resource_limits(language, memory_mb=memory_mb)
        spawned = spawn.unconfined(
            words, {name: limits[name] for name in LIMITED}, dict(language.environment)
        )
        return BotProcess(spawned, language)

    def warm(self, language: Language, *, memory_mb: int) -> None:
        """Nothing is started ahead."""


def _packages() -> list[str]:
    """Where installed packages are, numpy among them; the interpreter starts without them."""
    return [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
