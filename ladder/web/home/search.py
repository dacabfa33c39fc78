"""Finding bots, authors and tournaments; an author's page."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from ladder.contract.bots import ShownBot
from ladder.queries import accounts, kept_plays, tournaments
from ladder.queries import bots as queries
from ladder.web.http.pages import page_or_fragment, words

MOST = 20
MOST_TAGGED = 100


def search(request: HttpRequest) -> HttpResponse:
    q = words(request.GET.get("q"), 60)
    tag = words(request.GET.get("tag"), 24).lower()
    context: dict[str, Any] = {"q": q or tag, "tag": tag}
    if tag:
        context["bots"] = queries.tagged_bots(tag, MOST_TAGGED, request.user)
    elif q:
        context |= {
            "bots": _found(q, request),
            "authors": accounts.names_like(q, MOST),
            "tournaments": tournaments.search(q, MOST),
        }
    return page_or_fragment(
        request, "ladder/home/search.html", "ladder/home/_search_results.html", context
    )


def _found(text: str, request: HttpRequest) -> list[ShownBot]:
    """Bots by their names, then those with such a tag."""
    named = queries.search(text, MOST, request.user)
    known = {bot.id for bot in named}
    tagged = queries.tagged_bots(text, MOST, request.user)
    return [*named, *(bot for bot in tagged if bot.id not in known)][:MOST]


def user(request: HttpRequest, name: str) -> HttpResponse:
    number = accounts.number_of(words(name, 150))
    if number is None:
        if accounts.is_deleted(words(name, 150)):
            return render(request, "ladder/home/user_deleted.html", status=410)
        raise Http404
    bots = queries.of_author(number, request.user)
    ratings = queries.ratings_by_bot([bot.id for bot in bots])
    rows = [{"bot": bot, "ratings": ratings.get(bot.id, [])} for bot in bots]
    plays = kept_plays.newest_of(number, MOST)
    author = accounts.author(number)
    context = {"author": author, "number": number, "rows": rows, "plays": plays}
    return render(request, "ladder/home/user.html", context)
