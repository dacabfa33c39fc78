"""The chart of a bot's rating."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from operator import itemgetter

from django.utils import timezone

from ladder.boards import Board
from ladder.contract.bots import ShownBot, ShownRating
from ladder.queries.bots import changes_on
from ladder.web.svg import Chart, Point, Segment, rating_chart, thinned

CHART_POINTS = 120


def history_chart(bot: ShownBot, board: Board, current: ShownRating | None) -> Chart | None:
    """The bot's rating on a board over time, whichever version played.

    Each point has the interval that was known when its tick was rated; the last one is today's.
    """
    points = [
        (change.version, Point(change.elo, (change.low, change.high), change.at))
        for change in changes_on(bot.id, board)
        if change.at is not None
    ]
    if current is not None and points and bot.active_version is not None:
        number, last = points[-1]
        now = Point(current.elo, (current.low, current.high), last.at)
        if number == bot.active_version:
            points[-1] = (number, now)
        else:  # an older version plays again and has not been rated since
            points.append((bot.active_version, replace(now, at=timezone.now())))
    runs = groupby(thinned(points, CHART_POINTS), key=itemgetter(0))
    return rating_chart([Segment(f"v{number}", [one for _, one in run]) for number, run in runs])
