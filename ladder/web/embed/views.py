"""The only pages that may be framed. They know no visitor: no cookie is read or set."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from ladder.boards import Board
from ladder.errors import LadderError
from ladder.queries import badges, bots, kept_plays, matches
from ladder.web.feeds.badge import in_words
from ladder.web.http.middleware import FRAMED_POLICY

STRANGER = AnonymousUser()
View = Callable[..., HttpResponse]
GONE = "This page is private, was deleted or never existed."


def framed(view: View) -> View:
    """A view whose answer any site may frame, also where it has nothing to show."""

    @wraps(view)
    @require_safe
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        request.user = STRANGER
        try:
            response = view(request, *args, **kwargs)
        except (Http404, LadderError):
            response = _page("ladder/embed/gone.html", {"sentence": GONE}, status=404)
        response["Content-Security-Policy"] = FRAMED_POLICY
        response.xframe_options_exempt = True
        return response

    return answer


@framed
def play(request: HttpRequest, pk: int, index: int) -> HttpResponse:
    found = matches.play(STRANGER, pk, index)
    if found is None:
        raise Http404
    by_slot = matches.seated_at(pk)
    names = [by_slot[slot].name for slot in found.seating]
    return _theatre(
        Board(found.game, found.match_seats),
        names=names,
        frames=reverse("embed-frames", args=[pk, index]),
        page=reverse("theatre", args=[pk, index]),
    )


@framed
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """A match is its first play."""
    return play(request, pk, 0)


@framed
def kept_play(request: HttpRequest, pk: int) -> HttpResponse:
    found = kept_plays.find(pk)
    if found is None:
        raise Http404
    return _theatre(
        Board(found.game, found.seats),
        names=[one.name for one in found.seated],
        frames=reverse("embed-kept-frames", args=[pk]),
        page=reverse("kept-play", args=[pk]),
    )


@framed
def bot(request: HttpRequest, pk: int) -> HttpResponse:
    found = bots.find(pk, STRANGER)
    if found is None or not found.is_public:
        raise Http404
    told = [(seats, badges.badge(pk, seats)) for seats in found.seat_counts]
    rows = [(Board(found.game, seats), in_words(one)) for seats, one in told if one is not None]
    return _page("ladder/embed/bot.html", {"bot": found, "rows": rows})


def _theatre(board: Board, *, names: list[str], frames: str, page: str) -> HttpResponse:
    setup = {
        "board": static(f"games/{board.game}/board.js"),
        "frames": frames,
        "links": [],
        "faults": [],
    }
    context = {
        "board": board,
        "names": names,
        "page": page,
        "setup": setup,
        "board_css": static(f"games/{board.game}/board.css"),
    }
    return _page("ladder/embed/play.html", context)


def _page(template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """Without the request: nothing in these pages depends on who asks."""
    told = {**context, "site_url": settings.SITE_URL}
    response = HttpResponse(render_to_string(template, told), status=status)
    response["Cache-Control"] = "public, max-age=60"
    return response
