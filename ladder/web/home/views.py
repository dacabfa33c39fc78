"""The front page and the theme switch."""

from __future__ import annotations

from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.templatetags.static import static
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from ladder.boards import BOARDS
from ladder.queries import ladders, matches, operation
from ladder.queries.ladders import Podium
from ladder.web.http.context import THEMES
from ladder.web.http.pages import page_or_fragment

PODIUM_SECONDS = 20
FEATURED_SECONDS = 60


def home(request: HttpRequest) -> HttpResponse:
    context: dict[str, Any] = {"live": cache.get_or_set("home:live", _live, 2)}
    if request.headers.get("HX-Request") != "true":
        context["featured"] = _featured()
        context["podiums"] = cache.get_or_set("home:podiums", _podiums, PODIUM_SECONDS)
    return page_or_fragment(request, "ladder/home/home.html", "ladder/home/_live.html", context)


def _live() -> dict[str, Any]:
    """What is going on right now."""
    return {"rows": matches.latest(8), "activity": operation.activity()}


def _featured() -> dict[str, Any] | None:
    """The match that the page opens with, and where its first play is; None before the first."""
    kept: dict[str, Any] | None = cache.get("home:featured")
    if kept is not None:
        return kept
    row = matches.featured()
    if row is None:  # not kept: the first match is worth a look at once
        return None
    found = {
        "row": row,
        "board": static(f"games/{row.game}/board.js"),
        "style": static(f"games/{row.game}/board.css"),
        "frames": reverse("frames", args=[row.id, 0]),
        "watch": reverse("theatre", args=[row.id, 0]),
    }
    cache.set("home:featured", found, FEATURED_SECONDS)
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
