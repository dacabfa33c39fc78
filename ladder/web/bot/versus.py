"""Two bots side by side: every match in which both sat at the table."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from ladder.queries import bots, figures, matches
from ladder.web.http.pages import bot_or_404, words

SHOWN = 15


def head_to_head(request: HttpRequest, a: int, b: int) -> HttpResponse:
    one = bot_or_404(request, a)
    other = bot_or_404(request, b, one.game)
    tallies, met = figures.head_to_head(one, other)
    context = {
        "one": one,
        "other": other,
        "tallies": tallies,
        "rows": matches.rows(met[:SHOWN]),
        "most": figures.NEWEST_OF_TWO,
    }
    return render(request, "ladder/bot/head_to_head.html", context)


def choose(request: HttpRequest, pk: int) -> HttpResponse:
    """Pick the other bot by name."""
    one = bot_or_404(request, pk)
    name = words(request.GET.get("q"), 40)
    rivals = bots.rivals(one, name, 30, request.user)
    if name and len(rivals) == 1:
        return redirect("head-to-head", pk, rivals[0].id)
    return render(
        request, "ladder/bot/versus_choose.html", {"one": one, "q": name, "rivals": rivals}
    )
