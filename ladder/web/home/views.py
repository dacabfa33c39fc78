"""The front page, tables in motion, and the theme switch."""

from __future__ import annotations

from typing import Any

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from engine.games import GAMES
from ladder.boards import BOARDS
from ladder.contract.boards import Podium
from ladder.contract.matches import Match
from ladder.queries import broadcasts, exhibitions, ladders, matches, operation
from ladder.web.http.context import THEMES
from ladder.web.http.pages import number, page_or_fragment

PODIUM_SECONDS = 20
TABLE_SECONDS = 3
DAY_SECONDS = 20
MOST_TABLES = 12  # under way, shown on one page


def home(request: HttpRequest) -> HttpResponse:
    context: dict[str, Any] = {"live": cache.get_or_set("home:live", _live, 2)}
    if request.headers.get("HX-Request") != "true":
        context["table"] = _leading()
        context["podiums"] = cache.get_or_set("home:podiums", _podiums, PODIUM_SECONDS)
    return page_or_fragment(request, "ladder/home/home.html", "ladder/home/_live.html", context)


def _leading() -> dict[str, Any] | None:
    """What the page leads with: a match under way, else the match of the day, else the newest."""
    tables = _tables()
    if tables and tables[0]["is_live"]:
        return tables[0] | {"game": None}
    day = cache.get_or_set("home:day", lambda: (exhibitions.match_of_the_day(),), DAY_SECONDS)
    if day and day[0] is not None:
        table = _table(day[0].match, 0, game=None, is_live=False)
        return table | {"day": day[0].day, "is_today": day[0].day == timezone.now().date()}
    return next((table | {"game": None} for table in tables), None)


def _live() -> dict[str, Any]:
    """What is going on right now."""
    return {"rows": matches.latest(8), "activity": operation.activity()}


def cooking(request: HttpRequest) -> HttpResponse:
    """Every table at which a match is being played, and the newest match of the other games."""
    tables = [table for table in _tables() if table["is_live"]]
    played = {table["row"].game for table in tables}
    tables += [table for game in GAMES if game not in played for table in _tables(game)[:1]]
    return render(request, "ladder/home/cooking.html", {"tables": tables})


def next_table(request: HttpRequest) -> HttpResponse:
    """For a table that has shown its play to the end: one under way, or a newer one.

    204 while there is none but those which the page shows already.
    """
    game = request.GET.get("game")
    if game is not None and game not in GAMES:
        raise Http404
    after, play = (number(request.GET.get(name)) or 0 for name in ("after", "play"))
    others = set(map(number, request.GET.getlist("but")))
    for table in _tables(game):
        pk = table["row"].id
        is_next = (pk, table["index"]) != (after, play) if table["is_live"] else pk > after
        if is_next and pk not in others:
            return render(request, "ladder/home/_table.html", {"table": table | {"game": game}})
    return HttpResponse(status=204)


def _tables(game: str | None = None) -> list[dict[str, Any]]:
    """The tables worth a look, of one game or of all: those under way, then the newest match."""
    key = f"tables:{game}"
    kept: list[dict[str, Any]] | None = cache.get(key)
    if kept is not None:
        return kept
    filters = {"game": game} if game else {}
    running = broadcasts.tables(MOST_TABLES, **filters)
    found = [_table(row, told.index, game=row.game, is_live=True) for row, told in running]
    newest = matches.featured(**filters)
    if newest is not None:
        found.append(_table(newest, 0, game=game, is_live=False))
    if found:  # otherwise not cached: the first match is worth a look at once
        cache.set(key, found, TABLE_SECONDS)
    return found


def _table(row: Match, index: int, *, game: str | None, is_live: bool) -> dict[str, Any]:
    """A play and where it is; `game` is that of which the table shows another one later."""
    return {
        "row": row,
        "index": index,
        "game": game,
        "is_live": is_live,
        "board": static(f"games/{row.game}/board.js"),
        "style": static(f"games/{row.game}/board.css"),
        "frames": reverse("frames", args=[row.id, index]),
        "watch": reverse("theatre", args=[row.id, index]),
    }


def _podiums() -> dict[str, list[Podium]]:
    """The best three of every board, by game."""
    podiums: dict[str, list[Podium]] = {}
    for board in BOARDS:
        podiums.setdefault(board.game, []).append(ladders.podium(board))
    return podiums


# Exempt: nothing but how the page looks depends on it, and pages need no cookie for it.
@csrf_exempt
@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    back = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = "/"
    response = HttpResponseRedirect(back)
    chosen = request.POST.get("theme")
    if chosen in THEMES:
        response.set_cookie("theme", chosen, max_age=31_536_000, samesite="Lax", httponly=True)
    else:
        response.delete_cookie("theme")
    return response
