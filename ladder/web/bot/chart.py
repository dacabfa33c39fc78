"""The chart of a bot's rating."""

from __future__ import annotations

from collections import defaultdict

from ladder.boards import Board
from ladder.models import Bot, Rating
from ladder.queries.bots import changes_on
from ladder.web.svg import Chart, Point, Segment, rating_chart, thinned

CHART_POINTS = 120


def history_chart(bot: Bot, board: Board, current: Rating | None) -> Chart | None:
    """The bot's rating on a board over all its versions, oldest first.

    Each point has the interval that was known when its tick was rated; the newest point of the
    version that plays has today's.
    """
    by_version: dict[int, list[Point]] = defaultdict(list)
    for number, milli, low, high, at in changes_on(bot, board):
        by_version[number].append(Point(milli / 1000, (low / 1000, high / 1000), at))
    active = bot.active_version.number if bot.active_version is not None else 0
    if current is not None and (points := by_version.get(active)):
        points[-1] = Point(current.elo, (current.low, current.high), points[-1].at)
    total = sum(len(points) for points in by_version.values())
    segments = [
        Segment(f"v{number}", thinned(points, max(2, CHART_POINTS * len(points) // total)))
        for number, points in by_version.items()
    ]
    return rating_chart(segments)
