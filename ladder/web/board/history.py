"""The histories of a board's best bots, of your own and of those you choose, on one chart."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from ladder.boards import Board
from ladder.contract.boards import LadderRow
from ladder.queries import bots, histories, ladders
from ladder.web.http.pages import board_or_404, words
from ladder.web.svg import Chart, Line, lines_chart, thinned

# Lines beyond the tenth are dashed, in the colours of the first ones: charts.css has all of them.
BEST, MOST_CHOSEN, MOST_OWN = 10, 10, 6
CHANGES, POINTS, COLUMNS = 300, 80, 48
LONGEST_NAME = 32
KEPT_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Rival:
    """A bot of the chart: its row, and its ratings, oldest first."""

    row: LadderRow
    at: list[datetime]
    elo: list[float]
    is_own: bool = False  # of the visitor

    def value(self, moment: datetime) -> float | None:
        """Its rating at a moment; None before its first."""
        place = bisect_right(self.at, moment)
        return self.elo[place - 1] if place else None


def history(request: HttpRequest, slug: str, seats: int) -> HttpResponse:
    """How the ratings of the ten best moved, or of the bots named in `bots`; always your own."""
    board = board_or_404(slug, seats)
    names = _names(request.GET.get("bots", ""))
    wanted, unknown = _named(board, names) if names else (_best(board), [])
    user = request.user.pk
    own = [row for row in wanted if _is_of(row, request)]
    if user is not None and len(own) < MOST_OWN:
        mine = [bot.id for bot in bots.own(user) if bot.game == board.game]
        there = {row.bot.id for row in wanted}
        more = [row for row in ladders.of_bots(board, mine) if row.bot.id not in there]
        wanted = [*wanted, *more[: MOST_OWN - len(own)]]
    wanted.sort(key=lambda row: -row.elo)
    rivals = [_rival(row, board, is_own=_is_of(row, request)) for row in wanted]
    shown = [rival for rival in rivals if rival.at]
    context = {
        "board": board,
        "rivals": shown,
        "chart": _chart(shown),
        "chosen": ", ".join(names),
        "unknown": unknown,
        "most": MOST_CHOSEN,
    }
    return render(request, "ladder/board/history.html", context)


def _is_of(row: LadderRow, request: HttpRequest) -> bool:
    return request.user.is_authenticated and row.bot.owner == request.user.get_username()


def _names(text: str) -> list[str]:
    """The names in a text with commas, each once, whatever their letters' case."""
    names = {name.lower(): name for part in text.split(",") if (name := words(part, LONGEST_NAME))}
    return list(islice(names.values(), MOST_CHOSEN))


def _best(board: Board) -> list[LadderRow]:
    kept = cache.get_or_set(
        f"best:{board}", lambda: ladders.page(board, None, BEST).rows, KEPT_SECONDS
    )
    return list(kept or [])


def _named(board: Board, names: Sequence[str]) -> tuple[list[LadderRow], list[str]]:
    """The bots of these names on the board, and the names that no bot there has."""
    rows = ladders.of_bots(board, [*bots.numbers_called(board.game, names).values()])
    there = {row.bot.name.lower() for row in rows}
    return rows, [name for name in names if name.lower() not in there]


def _rival(row: LadderRow, board: Board, *, is_own: bool) -> Rival:
    def found() -> list[tuple[datetime, float]]:
        newest = histories.history(row.bot.id, None, CHANGES, seats=board.seats).rows
        return [(one.at, one.elo) for one in reversed(newest) if one.at is not None]

    known = cache.get_or_set(f"history:{board}:{row.bot.id}", found, KEPT_SECONDS) or []
    return Rival(row, [at for at, _ in known], [elo for _, elo in known], is_own)


def _chart(rivals: Sequence[Rival]) -> Chart | None:
    moments = [at for rival in rivals for at in rival.at]
    if not moments or min(moments) == max(moments):
        return None
    begin, end = min(moments), max(moments)
    lines = [
        Line(
            rival.row.bot.name,
            thinned([*zip(rival.at, rival.elo, strict=True)], POINTS),
            is_bold=rival.is_own,
        )
        for rival in rivals
    ]

    def words(moment: datetime) -> str:
        known = [(rival.row.bot.name, rival.value(moment)) for rival in rivals]
        known.sort(key=lambda one: -(one[1] or 0))
        return ", ".join(f"{name} {elo:.0f}" for name, elo in known if elo is not None)

    steps = [begin + (end - begin) * column / (COLUMNS - 1) for column in range(COLUMNS)]
    return lines_chart(lines, [(moment, words(moment)) for moment in steps])
