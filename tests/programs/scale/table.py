"""The figures of `make scale` beside their goals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured, and what it is to be; without a goal it is there to compare."""

    what: str
    value: float
    unit: str
    goal: float | None = None
    at_least: bool = False  # whether the goal is a lower bound

    @property
    def verdict(self) -> str:
        if self.goal is None:
            return ""
        is_met = self.value >= self.goal if self.at_least else self.value <= self.goal
        return "met" if is_met else "MISSED"

    @property
    def cells(self) -> tuple[str, str, str, str]:
        bound = "" if self.goal is None else f"{'≥' if self.at_least else '≤'} {self.goal:g}"
        return self.what, f"{self.value:.4g} {self.unit}", bound, self.verdict


def table(figures: Iterable[Figure]) -> str:
    """All of them, in Markdown."""
    rows = [("measure", "value", "goal", "verdict"), *(one.cells for one in figures)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    return "\n".join([lines[0], "|" + "|".join("-" * (w + 2) for w in widths) + "|", *lines[1:]])
