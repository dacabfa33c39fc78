"""A small picture with a bot's rank and rating, for pages elsewhere."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from ladder.contract.badges import Badge
from ladder.queries import badges
from ladder.web.http.pages import number

LETTER, PADDING = 6.6, 10  # mean width of a letter at 11 px, and what is left beside the words


@cache_control(public=True, max_age=300)
@require_safe
def badge(request: HttpRequest, pk: int) -> HttpResponse:
    asked = request.GET.get("seats")
    seats = number(asked)
    found = None if asked and seats is None else badges.badge(pk, seats)
    if found is None:
        raise Http404
    words = in_words(found)
    left, right = (round(2 * PADDING + LETTER * len(text)) for text in (found.board, words))
    context = {
        "badge": found,
        "words": words,
        "left": left,
        "right": right,
        "whole": left + right,
        "left_middle": left / 2,
        "right_middle": left + right / 2,
    }
    text = render_to_string("ladder/feeds/badge.svg", context)
    response = HttpResponse(text, content_type="image/svg+xml")
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def in_words(badge: Badge) -> str:
    if badge.elo is None:
        return "not on the ladder"
    return f"#{badge.rank} · {badge.elo:.0f}" if badge.rank else f"unranked · {badge.elo:.0f}"
