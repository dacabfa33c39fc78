"""Small drawings as numbers: templates put them into SVG, and decide nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby, pairwise
from typing import TypeVar

T = TypeVar("T")
SPARK_WIDTH, SPARK_HEIGHT = 96, 26
DAY, HOURS = "%-d %b %Y", "%-d %b, %H:%M UTC"


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


BAR = 3  # half the width of a lone interval


@dataclass(frozen=True, slots=True)
class Point:
    """A rating, and between what bounds it was thought to be then."""

    value: float
    interval: tuple[float, float] | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """One version's stretch of a rating chart."""

    label: str
    points: list[Point]


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
    lines: list[tuple[str, bool]] = field(default_factory=list)  # path, is it drawn boldly
    marks: list[tuple[float, str]] = field(default_factory=list)  # x, version
    bands: list[str] = field(default_factory=list)  # paths, one for each stretch with intervals
    end: tuple[float, float, str] | None = None  # x, y, label
    # Moments are written in UTC here, and in the visitor's zone by times.js.
    has_hours: bool = False
    dates: list[tuple[float, str, datetime, str]] = field(default_factory=list)  # x, anchor
    # left, width, moment as itself and as text, and what is said of it
    spots: list[tuple[float, float, datetime, str, str]] = field(default_factory=list)


def rating_chart(segments: Sequence[Segment]) -> Chart | None:
    """Ratings over time, stretch after stretch, each with the interval it had then.

    Points without a time stand side by side.

    The line and its newest interval set the scale. A newcomer's interval may be many times as
    wide: it is cut off at the frame rather than press the line flat.
    """
    segments = [segment for segment in segments if segment.points]
    points = [point for segment in segments for point in segment.points]
    if len(points) < 2:
        return None
    chart = Chart()
    newest = next((point.interval for point in points[::-1] if point.interval), ())
    low, high, step = _nice([*(point.value for point in points), *newest])

    def y(value: float) -> float:
        value = min(max(value, low), high)
        return chart.bottom - (value - low) * (chart.bottom - chart.top) / (high - low)

    shares = _shares([point.at for point in points])
    places = [chart.left + share * (chart.right - chart.left) for share in shares]
    x = places.__getitem__
    chart.grid = [(round(y(v), 1), f"{v:.0f}") for v in _ticks(low, high, step)]
    begun = 0
    for segment in segments:
        line = [f"{x(begun + i):.1f} {y(p.value):.1f}" for i, p in enumerate(segment.points)]
        chart.lines.append(("M" + "L".join(line), segment is segments[-1]))
        chart.marks.append((round(x(begun), 1), segment.label))
        for has_interval, run in groupby(enumerate(segment.points, begun), _has_interval):
            if has_interval:
                chart.bands.append(_band(chart, list(run), x, y))
        begun += len(segment.points)
    moments = [point.at for point in points if point.at is not None]
    # The day says nothing where it is the same for all.
    chart.has_hours = not moments or moments[0].date() == moments[-1].date()
    form = HOURS if chart.has_hours else DAY
    halves = [(a + b) / 2 for a, b in pairwise(places)]
    edges = [*pairwise([float(chart.left), *halves, float(chart.right)])]
    for point, (left, right) in zip(points, edges, strict=True):
        if point.at is not None:
            words = f"{point.value:.0f}"
            if point.interval is not None:
                words += f", {point.interval[0]:.0f} to {point.interval[1]:.0f}"
            moment = (point.at, f"{point.at:{form}}")
            chart.spots.append((round(left, 1), round(right - left, 1), *moment, words))
    if moments:
        chart.dates = _dates(chart, moments[0], moments[-1], form)
    last = points[-1].value
    chart.end = (round(x(len(points) - 1), 1), round(y(last), 1), f"{last:.0f}")
    return chart


def _dates(
    chart: Chart, begin: datetime, end: datetime, form: str
) -> list[tuple[float, str, datetime, str]]:
    """Where the chart begins, its middle and its end."""
    middle = begin + (end - begin) / 2
    places = [(float(chart.left), "start", begin), (float(chart.right), "end", end)]
    places.insert(1, ((chart.left + chart.right) / 2, "middle", middle))
    return [(x, anchor, at, f"{at:{form}}") for x, anchor, at in places]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of several on a chart: values at moments, oldest first."""

    label: str
    points: list[tuple[datetime, float]]
    is_bold: bool = False


def lines_chart(
    lines: Sequence[Line], columns: Sequence[tuple[datetime, str]], *, is_amount: bool = False
) -> Chart:
    """Several lines over the same time; `columns` say in words what is the case when.

    Amounts begin at zero, and may be small.
    """
    chart = Chart()
    points = [point for line in lines for point in line.points]
    begin, end = min(at for at, _ in points), max(at for at, _ in points)
    values = [value for _, value in points]
    low, high, step = _nice([0.0, *values], 1) if is_amount else _nice(values)

    def x(at: datetime) -> float:
        share = (at - begin) / (end - begin) if end > begin else 0.5
        return chart.left + share * (chart.right - chart.left)

    def y(value: float) -> float:
        return chart.bottom - (value - low) * (chart.bottom - chart.top) / (high - low)

    chart.grid = [(round(y(v), 1), f"{round(v, 6):g}") for v in _ticks(low, high, step)]
    for line in lines:
        # The newest value holds until now.
        known = [*line.points, (end, line.points[-1][1])]
        path = "M" + "L".join(f"{x(at):.1f} {y(value):.1f}" for at, value in known)
        chart.lines.append((path, is_amount or line.is_bold))
    chart.has_hours = end - begin <= timedelta(days=2)
    chart.dates = _dates(chart, begin, end, HOURS if chart.has_hours else DAY)
    width = (chart.right - chart.left) / max(len(columns), 1)
    chart.spots = [
        (round(chart.left + index * width, 1), round(width, 1), at, f"{at:{HOURS}}", words)
        for index, (at, words) in enumerate(columns)
    ]
    return chart


def _shares(moments: Sequence[datetime | None]) -> list[float]:
    """Where points lie between the first and the last, from 0 to 1: by time where it is known."""
    known = [moment for moment in moments if moment is not None]
    if len(known) == len(moments) and known[0] < known[-1]:
        return [(moment - known[0]) / (known[-1] - known[0]) for moment in known]
    return [index / (len(moments) - 1) for index in range(len(moments))]


def _has_interval(numbered: tuple[int, Point]) -> bool:
    return numbered[1].interval is not None


def _band(
    chart: Chart,
    run: Sequence[tuple[int, Point]],
    x: Callable[[int], float],
    y: Callable[[float], float],
) -> str:
    """The area between the lower and the upper bounds, closed; a bar where it is of one point."""
    bounds = [(x(i), *point.interval) for i, point in run if point.interval is not None]
    if len(bounds) == 1:
        ((at, low, high),) = bounds
        ends = max(at - BAR, chart.left), min(at + BAR, chart.right)
        bounds = [(end, low, high) for end in ends]
    upper = [f"{at:.1f} {y(high):.1f}" for at, _, high in bounds]
    lower = [f"{at:.1f} {y(low):.1f}" for at, low, _ in bounds]
    return "M" + "L".join(upper + lower[::-1]) + "Z"


def _nice(values: Sequence[float], least: float = 20) -> tuple[float, float, float]:
    low, high = min(values), max(values)
    rough = max(high - low, least) / 4
    power = 10 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= rough)
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    return low, max(high, low + step), step


def _ticks(low: float, high: float, step: float) -> list[float]:
    return [low + i * step for i in range(round((high - low) / step) + 1)]


def thinned(values: Sequence[T], most: int) -> list[T]:
    """At most this number of the values, evenly spread, with the first and the last."""
    if len(values) <= most:
        return list(values)
    step = (len(values) - 1) / (most - 1)
    return [values[round(i * step)] for i in range(most)]
