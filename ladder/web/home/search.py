"""Finding bots, authors and tournaments; an author's page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from ladder.queries import accounts, kept_plays, tournaments
from ladder.queries import bots as queries
from ladder.web.http.pages import page_or_fragment, words

MOST = 20


def search(request: HttpRequest) -> HttpResponse:
    q = words(request.GET.get("q"), 60)
    context: dict[str, Any] = {"q": q}
    if q:
        context |= {
            "bots": queries.search(q, MOST, request.user),
            "users": accounts.search(q, MOST),
            "tournaments": tournaments.search(q, MOST),
        }
    return page_or_fragment(
        request, "ladder/home/search.html", "ladder/home/_search_results.html", context
    )


def user(request: HttpRequest, name: str) -> HttpResponse:
    author = get_object_or_404(accounts.active(), username__iexact=words(name, 150))
    bots = queries.of_author(author, request.user)
    ratings = queries.ratings_by_bot(bots)
    rows = [{"bot": bot, "ratings": ratings.get(bot.pk, [])} for bot in bots]
    plays = [
        {"play": play, "seats": kept_plays.seats_of(play)}
        for play in kept_plays.newest_of(author, MOST)
    ]
    context = {"author": author, "rows": rows, "plays": plays}
    return render(request, "ladder/home/user.html", context)
