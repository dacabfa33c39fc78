"""A day of operation as charts."""

from __future__ import annotations

from collections.abc import Callable

from ladder.contract.operation import Day, HalfHour
from ladder.web.svg import Chart, Line, lines_chart

FIGURES: list[tuple[str, Callable[[HalfHour], float]]] = [
    ("Matches per minute", lambda slot: slot.matches_per_minute),
    ("Median wait in the queue, in seconds", lambda slot: slot.median_wait_s),
    ("Faults of bots", lambda slot: slot.faults),
    ("Workers that finished a match", lambda slot: slot.workers),
]


def plots(day: Day) -> dict[str, object]:
    """Each figure's title and chart; none of a site that has just begun."""
    charts = [(title, _chart(title, value, day)) for title, value in FIGURES if len(day.slots) > 1]
    return {"charts": charts, "is_cut": day.is_cut}


def _chart(title: str, value: Callable[[HalfHour], float], day: Day) -> Chart:
    points = [(slot.at, value(slot)) for slot in day.slots]
    words = [(at, f"{title.lower()}: {round(amount, 1):g}") for at, amount in points]
    return lines_chart([Line(title, points)], words, is_amount=True)
