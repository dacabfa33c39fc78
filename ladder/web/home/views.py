"""The front page, tables in motion, and the theme switch."""

from __future__ import annotations

from typing import Any

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from engine.games import GAMES
from ladder.boards import BOARDS
from ladder.queries import ladders, matches, operation
from ladder.queries.ladders import Podium
from ladder.web.http.context import THEMES
from ladder.web.http.pages import number, page_or_fragment

PODIUM_SECONDS = 20
TABLE_SECONDS = 5


def home(request: HttpRequest) -> HttpResponse:
    context: dict[str, Any] = {"live": cache.get_or_set("home:live", _live, 2)}
    if request.headers.get("HX-Request") != "true":
        context["table"] = _table()
        context["podiums"] = cache.get_or_set("home:podiums", _podiums, PODIUM_SECONDS)
    return page_or_fragment(request, "ladder/home/home.html", "ladder/home/_live.html", context)


def _live() -> dict[str, Any]:
    """What is going on right now."""
    return {"rows": matches.latest(8), "activity": operation.activity()}


def cooking(request: HttpRequest) -> HttpResponse:
    """A table of each game in motion, with its newest match."""
    tables = [table for slug in GAMES if (table := _table(slug)) is not None]
    return render(request, "ladder/home/cooking.html", {"tables": tables})


def next_table(request: HttpRequest) -> HttpResponse:
    """The newest match for a table that has shown another to its end; 204 while there is none."""
    game = request.GET.get("game")
    if game is not None and game not in GAMES:
        raise Http404
    table = _table(game)
    if table is None or table["row"].id == number(request.GET.get("after")):
        return HttpResponse(status=204)
    return render(request, "ladder/home/_table.html", {"table": table})


def _table(game: str | None = None) -> dict[str, Any] | None:
    """The newest match, of one game or of all, and where its first play is; None before it."""
    key = f"table:{game}"
    kept: dict[str, Any] | None = cache.get(key)
    if kept is not None:
        return kept
    row = matches.featured(game=game) if game else matches.featured()
    if row is None:  # not kept: the first match is worth a look at once
        return None
    found = {
        "row": row,
        "game": game,
        "board": static(f"games/{row.game}/board.js"),
        "style": static(f"games/{row.game}/board.css"),
        "frames": reverse("frames", args=[row.id, 0]),
        "watch": reverse("theatre", args=[row.id, 0]),
    }
    cache.set(key, found, TABLE_SECONDS)
    return found


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
