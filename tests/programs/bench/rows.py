"""One measured comparison."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

Progress = Callable[[str], None]  # told in a few words what is being measured


@dataclass(frozen=True, slots=True)
class Row:
    """Ours beside theirs in one unit, and what their ratio ought to be."""

    name: str
    unit: str
    ours: float
    theirs: float = math.nan  # none: a figure of ours told for what it is
    goal: float | None = None  # None: told for comparison only
    at_least: bool = False  # whether the goal is a lower bound

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs

    @property
    def ok(self) -> bool:
        if self.goal is None:
            return True
        return self.ratio >= self.goal if self.at_least else self.ratio <= self.goal

    @property
    def goal_text(self) -> str:
        return "" if self.goal is None else f"{'≥' if self.at_least else '≤'} {self.goal:g}"

    @property
    def verdict(self) -> str:
        return "" if self.goal is None else "holds" if self.ok else "MISSED"
