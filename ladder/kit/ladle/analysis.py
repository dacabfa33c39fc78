"""What each decision of a play was worth, from Python and for the command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from ladle.errors import Refusal

if TYPE_CHECKING:
    from engine.analysis.analyst import Settings
    from engine.analysis.values import Analysis
    from engine.replay import Replay


def analyse(
    replay: Replay,
    budget: str = "standard",
    *,
    settings: Mapping[str, int] | None = None,
    progress: bool = False,
) -> Analysis:
    """Judge every decision of a play, and separate luck from skill.

    `budget` is "quick", "standard" or "thorough"; `settings` changes parts of it. The same replay,
    budget and settings give the same numbers on every machine.
    """
    from engine.analysis.run import Run
    from ladle.progress import bar

    run = Run(replay, chosen(replay, budget, settings or {}))
    if not progress:
        for _ in run.steps():
            pass
    else:
        with bar(run.total, "decisions") as advance:
            for _ in run.steps():
                advance()
    return run.analysis()


def chosen(replay: Replay, budget: str, settings: Mapping[str, int]) -> Settings:
    """The settings of a budget with some of them changed; Refusal says what they can be."""
    from engine.analysis.analyst import Settings, analyst_for
    from engine.analysis.run import budget as named
    from engine.games import get

    parts = asdict(named(analyst_for(get(replay.game)), budget))
    for name, value in settings.items():
        if name not in parts:
            raise Refusal(f"Unknown setting '{name}'. Allowed: {', '.join(parts)}.")
        least = 0 if name == "checks" else 2
        if type(value) is not int or not least <= value <= 100_000:
            raise Refusal(f"Setting {name} is {value}; it can be a number from {least} to 100000.")
        parts[name] = value
    return Settings(**parts)
