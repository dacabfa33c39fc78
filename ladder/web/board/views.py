"""A ladder, page by page. The rendered rows are cached for a few seconds: ratings move in ticks, so
nothing is missed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.html import escape
from django.utils.safestring import mark_safe

from ladder.boards import Board
from ladder.contract.authorship import Authorship
from ladder.contract.boards import Standing
from ladder.contract.leagues import Boss, Division
from ladder.queries import ladders, leagues
from ladder.queries.analyses import matchups as queries
from ladder.queries.keyset import Cursor
from ladder.queries.remote import standings as open_standings
from ladder.ratings.intervals import interval_in_words
from ladder.templatetags.site import ago_text
from ladder.web.http.pages import board_or_404, cursor_or_none, words
from ladder.web.svg import spark

PAGE = 50
PROVISIONAL_SHOWN = 20
KEPT_SECONDS, MATCHUPS_SECONDS = 8, 60


@dataclass(frozen=True, slots=True)
class Asked:
    """What part of a board a request is about."""

    search: str = ""
    at: Cursor | None = None
    provisional: bool = False
    authorship: str = ""

    @property
    def is_filtered(self) -> bool:
        return bool(self.search or self.authorship)

    @classmethod
    def read(cls, query: Any) -> Asked:
        return cls(
            search=words(query.get("q"), 40),
            at=cursor_or_none(query.get("cursor"), ladders.ORDER),
            provisional=query.get("show") == "provisional",
            authorship=by if (by := query.get("by", "")) in set(Authorship) else "",
        )


def board(request: HttpRequest, slug: str, seats: int) -> HttpResponse:
    board = board_or_404(slug, seats)
    asked = Asked.read(request.GET)
    if request.headers.get("HX-Request") == "true":
        response = HttpResponse(_with_own_marked(_standings(board, asked), request))
    else:
        html = _with_own_marked(_page_html(board, asked), request)
        context = {"title": board.title, "page": html, "board": board}
        context["card"] = reverse("board-card", args=[slug, seats])
        response = render(request, "ladder/board/board.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def open_class(request: HttpRequest, slug: str, seats: int) -> HttpResponse:
    """The board of the open class: bots that run elsewhere, and house bots as marks."""
    board = board_or_404(slug, seats)
    found = open_standings.page(
        board, cursor_or_none(request.GET.get("cursor"), open_standings.ORDER), PAGE
    )
    rows = [
        {
            "row": row,
            "interval": interval_in_words(row.elo, row.low, row.high),
            "fair_interval": interval_in_words(row.fair_elo, row.fair_low, row.fair_high),
        }
        for row in found.rows
    ]
    context = {"board": board, "rows": rows, "older": found.next, "newer": found.previous}
    return render(request, "ladder/board/open.html", context)


def matchups(request: HttpRequest, slug: str, seats: int) -> HttpResponse:
    """Who beats whom among the best of a board; cached for a while."""
    board = board_or_404(slug, seats)
    if board.is_solo:
        raise Http404
    found = cache.get_or_set(f"matchups:{board}", lambda: queries.of_board(board), MATCHUPS_SECONDS)
    context = {"board": board, "found": found, "newest": queries.NEWEST}
    return render(request, "ladder/board/matchups.html", context)


def _with_own_marked(html: str, request: HttpRequest) -> str:
    """The rows of the visitor's own bots marked, in a page that is cached for everybody."""
    if not request.user.is_authenticated:
        return html
    own = f'data-owner="{escape(request.user.username)}"'
    return mark_safe(html.replace(own, f"{own} data-own"))


def _page_html(board: Board, asked: Asked) -> str:
    """All of the page that is the same for every visitor; cached, except for endless searches."""
    key = f"board:{board}:{asked.at}:{asked.provisional}"
    html = None if asked.is_filtered else cache.get(key)
    if html is None:
        context = {
            "board": board,
            "asked": asked,
            "rows": _standings(board, asked),
            "authorships": [*Authorship],
        }
        html = render_to_string("ladder/board/_page.html", context)
        if not asked.is_filtered:
            cache.set(key, html, KEPT_SECONDS)
    return html


def _standings(board: Board, asked: Asked) -> str:
    context: dict[str, Any] = {"board": board, "asked": asked, "is_solo": board.is_solo}
    apart: list[Standing] = []
    wanted = {"search": asked.search, "authorship": asked.authorship}
    page = ladders.standings(board, asked.at, PAGE, provisional=asked.provisional, **wanted)
    ranked, is_whole = page.rows, not asked.is_filtered
    if asked.provisional:
        ranked, apart = [], page.rows
    elif asked.is_filtered:
        apart = ladders.standings(board, None, PAGE, provisional=True, **wanted).rows
    elif asked.at is None:
        waiting = ladders.standings(board, None, PROVISIONAL_SHOWN, provisional=True)
        apart, context["more_provisional"] = waiting.rows, waiting.next is not None
    house = leagues.bosses(board)
    shown = _row_contexts(board, house, [*ranked, *apart])
    context |= {"ranked": shown[: len(ranked)], "provisional": shown[len(ranked) :]}
    _mark_divisions(context["ranked"], leagues.divisions(house, [each.row for each in ranked]))
    if is_whole:
        context |= {"older": page.next, "newer": page.previous}
    return render_to_string("ladder/board/_rows.html", context)


def _mark_divisions(shown: list[dict[str, Any]], divisions: list[Division | None]) -> None:
    """Each row that begins a division gets it."""
    for row, division, last in zip(shown, divisions, [None, *divisions], strict=False):
        row["division"] = None if division == last else division


def _row_contexts(
    board: Board, house: list[Boss], standings: list[Standing]
) -> list[dict[str, Any]]:
    """The words and paths that the rows show."""
    shown = []
    band = None
    beaten = leagues.best_beaten(board, house, [standing.row.bot.id for standing in standings])
    for standing in standings:
        row, error = standing.row, standing.points_error
        path, way = spark(standing.trend)
        shown.append(
            {
                "row": row,
                "beat": beaten.get(row.bot.id),
                "elo": f"{row.elo:.0f}",
                "interval": interval_in_words(row.elo, row.low, row.high),
                "rate": "–" if row.win_rate is None else f"{100 * row.win_rate:.0f}%",
                "trend": path,
                "way": way,
                "ago": ago_text(row.last_played_at) if row.last_played_at else "–",
                "new_band": None not in (band, row.band) and row.band != band,
                "mean": "–" if error is None else f"{row.mean_points:.1f} ± {error:.1f}",
            }
        )
        band = row.band or band
    return shown
