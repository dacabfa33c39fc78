"""Finding bots, authors and tournaments; an author's page."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

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
            "authors": accounts.names_like(q, MOST),
            "tournaments": tournaments.search(q, MOST),
        }
    return page_or_fragment(
        request, "ladder/home/search.html", "ladder/home/_search_results.html", context
    )


def user(request: HttpRequest, name: str) -> HttpResponse:
    number = accounts.number_of(words(name, 150))
    if number is None:
        raise Http404
    bots = queries.of_author(number, request.user)
    ratings = queries.ratings_by_bot([bot.id for bot in bots])
    rows = [{"bot": bot, "ratings": ratings.get(bot.id, [])} for bot in bots]
    plays = kept_plays.newest_of(number, MOST)
    author = accounts.author(number)
    context = {"author": author, "number": number, "rows": rows, "plays": plays}
    return render(request, "ladder/home/user.html", context)
