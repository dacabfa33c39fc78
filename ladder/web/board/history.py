"""The histories of a board's best bots on one chart."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from ladder.boards import Board
from ladder.contract.boards import LadderRow
from ladder.queries import histories, ladders
from ladder.web.http.pages import board_or_404
from ladder.web.svg import Chart, Line, lines_chart, thinned

BEST, CHANGES, POINTS, COLUMNS = 10, 300, 80, 48
KEPT_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Rival:
    """A bot of the chart: its row, and its ratings, oldest first."""

    row: LadderRow
    at: list[datetime]
    elo: list[float]

    def value(self, moment: datetime) -> float | None:
        """Its rating at a moment; None before its first."""
        place = bisect_right(self.at, moment)
        return self.elo[place - 1] if place else None


def history(request: HttpRequest, slug: str, seats: int) -> HttpResponse:
    """How the ratings of the ten best of a board moved."""
    board = board_or_404(slug, seats)
    found = cache.get_or_set(f"histories:{board}", lambda: _found(board), KEPT_SECONDS)
    return render(request, "ladder/board/history.html", {"board": board, **(found or {})})


def _found(board: Board) -> dict[str, Any]:
    rivals = [_rival(row, board) for row in ladders.page(board, None, BEST).rows]
    rivals = [rival for rival in rivals if rival.at]
    return {"rivals": [rival.row for rival in rivals], "chart": _chart(rivals)}


def _rival(row: LadderRow, board: Board) -> Rival:
    newest = histories.history(row.bot.id, None, CHANGES, seats=board.seats).rows
    known = [(one.at, one.elo) for one in reversed(newest) if one.at is not None]
    return Rival(row, [at for at, _ in known], [elo for _, elo in known])


def _chart(rivals: list[Rival]) -> Chart | None:
    moments = [at for rival in rivals for at in rival.at]
    if not moments or min(moments) == max(moments):
        return None
    begin, end = min(moments), max(moments)
    lines = [
        Line(rival.row.bot.name, thinned([*zip(rival.at, rival.elo, strict=True)], POINTS))
        for rival in rivals
    ]

    def words(moment: datetime) -> str:
        known = [(rival.row.bot.name, rival.value(moment)) for rival in rivals]
        known.sort(key=lambda one: -(one[1] or 0))
        return ", ".join(f"{name} {elo:.0f}" for name, elo in known if elo is not None)

    steps = [begin + (end - begin) * column / (COLUMNS - 1) for column in range(COLUMNS)]
    return lines_chart(lines, [(moment, words(moment)) for moment in steps])
