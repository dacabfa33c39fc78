"""The chart of a bot's rating."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from ladder.boards import Board
from ladder.models import Bot, Rating
from ladder.queries.bots import changes_on
from ladder.ratings.intervals import Z95
from ladder.web.svg import Chart, Point, Segment, rating_chart, thinned

CHART_POINTS = 240


def history_chart(bot: Bot, board: Board, current: Rating | None) -> Chart | None:
    """The bot's rating on a board over all its versions, oldest first.

    Each point has the interval that was known when its tick was rated; the newest point of the
    version that plays has today's.
    """
    by_version: dict[int, list[Point]] = defaultdict(list)
    for number, before, delta, fitted, error in changes_on(bot, board):
        points = by_version[number]
        known = _reach(fitted, error)
        if not points:
            points.append(Point(before / 1000, known))
        points.append(Point((before + delta) / 1000, known))
    if bot.active_version is not None and (points := by_version.get(bot.active_version.number)):
        points[-1] = replace(points[-1], interval=interval(current))
    total = sum(len(points) for points in by_version.values())
    segments = [
        Segment(f"v{number}", thinned(points, max(2, CHART_POINTS * len(points) // total)))
        for number, points in by_version.items()
    ]
    return rating_chart(segments)


def interval(rating: Rating | None) -> tuple[float, float] | None:
    """The fitted rating's 95% interval, if it has been fitted."""
    return _reach(rating.fitted, rating.fitted_error) if rating is not None else None


def _reach(fitted: float | None, error: float | None) -> tuple[float, float] | None:
    if fitted is None or not error:
        return None  # not fitted, or an anchor
    return fitted - Z95 * error, fitted + Z95 * error
