"""A ladder, page by page.

Pages seek by (rating, version) along the index rating_ladder, so the last page costs what the
first does; the rank of its first row is one count on that index. The rendered rows are kept for
a few seconds: ratings move in batches, so nothing is missed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers

from ladder.boards import Board
from ladder.models import Rating
from ladder.models.rating import RatingQuerySet
from ladder.ratings.intervals import Z95
from ladder.templatetags.site import ago_text
from ladder.web.http.pages import board_or_404, words
from ladder.web.svg import spark

PAGE = 50
PROVISIONAL_SHOWN = 20
KEPT_SECONDS = 8
TREND = 20  # changes in a sparkline

FIELDS = (
    "id",
    "version_id",
    "bot_id",
    "bot__name",
    "bot__owner__username",
    "bot__is_house",
    "version__number",
    "milli",
    "fitted_error",
    "band",
    "plays",
    "sets",
    "score_sum",
    "points_sum",
    "points_square_sum",
    "last_played_at",
    "is_provisional",
    "effective_games",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What part of a board a request is about."""

    search: str = ""
    after: tuple[int, int] | None = None  # milli-Elo and version of the last row seen
    before: tuple[int, int] | None = None
    provisional: bool = False

    @classmethod
    def read(cls, query: Any) -> Asked:
        return cls(
            search=words(query.get("q"), 40),
            after=_place(query.get("after", "")),
            before=_place(query.get("before", "")),
            provisional=query.get("show") == "provisional",
        )


def board(request: HttpRequest, slug: str, seats: int) -> HttpResponse:
    board = board_or_404(slug, seats)
    asked = Asked.read(request.GET)
    if request.headers.get("HX-Request") == "true":
        response = HttpResponse(_standings(board, asked))
    else:
        html = _page_html(board, asked)
        response = render(request, "ladder/board/board.html", {"title": board.title, "page": html})
    patch_vary_headers(response, ["HX-Request"])
    return response


def _page_html(board: Board, asked: Asked) -> str:
    """All of the page that is the same for every visitor; kept, except for endless searches."""
    key = f"board:{board}:{asked.after}:{asked.before}:{asked.provisional}".replace(" ", "")
    html = None if asked.search else cache.get(key)
    if html is None:
        context = {"board": board, "asked": asked, "rows": _standings(board, asked)}
        html = render_to_string("ladder/board/_page.html", context)
        if not asked.search:
            cache.set(key, html, KEPT_SECONDS)
    return html


def _standings(board: Board, asked: Asked) -> str:
    context: dict[str, Any] = {"board": board, "asked": asked, "is_solo": board.is_solo}
    if asked.search:
        ranked, provisional = _search(board, asked.search)
        context |= {"ranked": ranked, "provisional": provisional}
    elif asked.provisional:
        rows, older, newer = _page(Rating.objects.on(board).provisional(), asked)
        context |= {"provisional": rows, "older": older, "newer": newer}
    else:
        rows, older, newer = _page(Rating.objects.on(board).ranked(), asked)
        if rows:
            _number(board, rows, is_first=not (asked.after or asked.before))
        context |= {"ranked": rows, "older": older, "newer": newer}
        if not (asked.after or asked.before):
            waiting = Rating.objects.on(board).provisional().by_rank()
            context["provisional"] = list(waiting.values(*FIELDS)[: PROVISIONAL_SHOWN + 1])
            context["more_provisional"] = len(context["provisional"]) > PROVISIONAL_SHOWN
            del context["provisional"][PROVISIONAL_SHOWN:]
    _dress(board, [*context.get("ranked", ()), *context.get("provisional", ())])
    return render_to_string("ladder/board/_rows.html", context)


def _page(
    ratings: RatingQuerySet, asked: Asked
) -> tuple[list[dict[str, Any]], str | None, str | None]:
    """One page of rows, and where the pages after and before it begin."""
    if asked.before:
        milli, version = asked.before
        # The redundant bound lets the index be entered at the right place.
        found = ratings.filter(milli__gte=milli).exclude(milli=milli, version_id__gte=version)
        rows = list(found.order_by("milli", "-version_id").values(*FIELDS)[: PAGE + 1])
        more = len(rows) > PAGE
        rows = rows[:PAGE][::-1]
        return rows, _mark(rows, -1), _mark(rows, 0) if more else None
    if asked.after:
        milli, version = asked.after
        ratings = ratings.filter(milli__lte=milli).exclude(milli=milli, version_id__lte=version)
    rows = list(ratings.by_rank().values(*FIELDS)[: PAGE + 1])
    more = len(rows) > PAGE
    rows = rows[:PAGE]
    return rows, _mark(rows, -1) if more else None, _mark(rows, 0) if asked.after else None


def _place(text: str) -> tuple[int, int] | None:
    milli, _, version = text.partition(",")
    try:
        return int(milli[:12]), int(version[:12])
    except ValueError:
        return None


def _mark(rows: list[dict[str, Any]], at: int) -> str | None:
    return f"{rows[at]['milli']},{rows[at]['version_id']}" if rows else None


def _number(board: Board, rows: list[dict[str, Any]], *, is_first: bool) -> None:
    above = 0
    if not is_first:
        first = rows[0]
        above = Rating.objects.on(board).ahead_of(first["milli"], first["version_id"]).count()
    for rank, row in enumerate(rows, above + 1):
        row["rank"] = rank


def _search(board: Board, text: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    found = Rating.objects.on(board).named(text).by_rank()
    return (
        list(found.ranked().with_rank().values(*FIELDS, "rank")[:PAGE]),
        list(found.provisional().values(*FIELDS)[:PAGE]),
    )


def _dress(board: Board, rows: list[dict[str, Any]]) -> None:
    """Turn figures into the words and paths that the rows show."""
    trends = _trends([row["id"] for row in rows])
    band = None
    for row in rows:
        row["elo"] = f"{row['milli'] / 1000:.0f}"
        error = row["fitted_error"]
        row["error"] = f"±{error * Z95:.0f}" if error else ""
        row["rate"] = f"{100 * row['score_sum'] / row['sets']:.0f}%" if row["sets"] else "–"
        row["trend"], row["way"] = spark(trends.get(row["id"], []))
        row["ago"] = ago_text(row["last_played_at"]) if row["last_played_at"] else "–"
        row["new_band"] = band is not None and row["band"] is not None and row["band"] != band
        band = row["band"] or band
        if board.is_solo:
            row["mean"] = _mean_points(row)


def _mean_points(row: dict[str, Any]) -> str:
    rating = Rating(
        plays=row["plays"],
        points_sum=row["points_sum"],
        points_square_sum=row["points_square_sum"],
    )
    mean = rating.mean_points
    return f"{mean[0]:.1f} ± {mean[1]:.1f}" if mean else "–"


def _trends(ratings: list[int]) -> dict[int, list[int]]:
    """The last few values of each rating, oldest first.

    Written out as SQL: one small index walk per rating. A window over all their history would
    read thousands of rows to show twenty.
    """
    if not ratings:
        return {}
    one = (
        "SELECT * FROM (SELECT rating_id, before_milli, delta_milli FROM ladder_ratingchange"
        f" WHERE rating_id = %s ORDER BY id DESC LIMIT {TREND}) AS one"
    )
    found: dict[int, list[int]] = {}
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join([one] * len(ratings)), ratings)
        for rating, before, delta in cursor.fetchall():
            found.setdefault(rating, [before + delta]).append(before)
    return {rating: values[::-1] for rating, values in found.items()}
