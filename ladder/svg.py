"""Small drawings as numbers: templates put them into SVG, and decide nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

SPARK_WIDTH, SPARK_HEIGHT = 96, 26


def spark(values: Sequence[float]) -> tuple[str, str]:
    """The path of a sparkline, and `up`, `down` or nothing for where it went."""
    if len(values) < 2:
        return "", ""
    low, high = min(values), max(values)
    step = SPARK_WIDTH / (len(values) - 1)

    def share(value: float) -> float:
        return (value - low) / (high - low) if high > low else 0.5

    points = [
        f"{i * step:.0f} {SPARK_HEIGHT - 2 - share(value) * (SPARK_HEIGHT - 4):.0f}"
        for i, value in enumerate(values)
    ]
    gone = values[-1] - values[0]
    return "M" + "L".join(points), "up" if gone > 0 else "down" if gone < 0 else ""


@dataclass(frozen=True, slots=True)
class Segment:
    """One version's stretch of a rating chart."""

    label: str
    values: list[float]


@dataclass(slots=True)
class Chart:
    """A line chart in a box of 720 by 260."""

    width: int = 720
    height: int = 260
    left: int = 56
    right: int = 706
    top: int = 26
    bottom: int = 232
    grid: list[tuple[float, str]] = field(default_factory=list)  # y, label
    lines: list[tuple[str, bool]] = field(default_factory=list)  # path, is the last version
    marks: list[tuple[float, str]] = field(default_factory=list)  # x, version
    band: tuple[float, float, float, float] | None = None  # x, y, width, height
    end: tuple[float, float, str] | None = None  # x, y, label


def rating_chart(segments: Sequence[Segment], interval: tuple[float, float] | None) -> Chart | None:
    """Ratings over time, version after version; the interval is of the last one, now."""
    segments = [segment for segment in segments if segment.values]
    values = [value for segment in segments for value in segment.values]
    if len(values) < 2:
        return None
    chart = Chart()
    low, high, step = _nice([*values, *(interval or ())])

    def y(value: float) -> float:
        return chart.bottom - (value - low) * (chart.bottom - chart.top) / (high - low)

    def x(index: int) -> float:
        return chart.left + index * (chart.right - chart.left) / (len(values) - 1)

    chart.grid = [(round(y(v), 1), f"{v:.0f}") for v in _ticks(low, high, step)]
    begun = 0
    for segment in segments:
        points = [f"{x(begun + i):.1f} {y(v):.1f}" for i, v in enumerate(segment.values)]
        chart.lines.append(("M" + "L".join(points), segment is segments[-1]))
        chart.marks.append((round(x(begun), 1), segment.label))
        begun += len(segment.values)
    if interval is not None:
        start = chart.marks[-1][0]
        top, bottom = y(interval[1]), y(interval[0])
        chart.band = (start, round(top, 1), round(chart.right - start, 1), round(bottom - top, 1))
    chart.end = (round(x(len(values) - 1), 1), round(y(values[-1]), 1), f"{values[-1]:.0f}")
    return chart


def _nice(values: Sequence[float]) -> tuple[float, float, float]:
    low, high = min(values), max(values)
    rough = max(high - low, 20) / 4
    power = 10 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= rough)
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    return low, max(high, low + step), step


def _ticks(low: float, high: float, step: float) -> list[float]:
    return [low + i * step for i in range(round((high - low) / step) + 1)]


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its interval, as positions from 0 to 100."""

    share: float
    low: float
    high: float
    n: int

    @property
    def point_x(self) -> float:
        return round(100 * self.share, 1)

    @property
    def low_x(self) -> float:
        return round(100 * self.low, 1)

    @property
    def reach(self) -> float:
        return round(100 * (self.high - self.low), 1)


def thinned(values: Sequence[float], most: int) -> list[float]:
    """At most so many of the values, evenly spread, the first and last kept."""
    if len(values) <= most:
        return list(values)
    step = (len(values) - 1) / (most - 1)
    return [values[round(i * step)] for i in range(most)]
