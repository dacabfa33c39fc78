"""All tournament formats. One file each, found in this folder."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from inspect import isabstract

from ladder.tournaments.format import Format

OLDEST = (
    *("round_robin", "swiss", "single_elimination", "double_elimination"),
    *("gauntlet", "pods", "groups"),
)


def _found() -> dict[str, Format]:
    """By name: the oldest first, then those of other files by name."""
    modules = [import_module(f"{__name__}.{file.name}") for file in pkgutil.iter_modules(__path__)]
    every = {
        one.name: one()
        for module in modules
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, Format) and one.__module__ == module.__name__
        if not isabstract(one)
    }
    return {name: every[name] for name in (*OLDEST, *sorted(every.keys() - set(OLDEST)))}


FORMATS = _found()
