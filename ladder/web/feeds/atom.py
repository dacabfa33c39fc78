"""Atom feeds of public news: of the site, a bot, an author, a board, a tournament."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from ladder.contract.events import LABELS, Happening
from ladder.queries import accounts, calendars, events
from ladder.services.events.shown import shown
from ladder.web.http.pages import board_or_404, words

ENTRIES = 50
FRESH = cache_control(public=True, max_age=60)


@FRESH
@require_safe
def site(request: HttpRequest) -> HttpResponse:
    return _feed(request, "Ladle", reverse("home"), events.news(ENTRIES))


@FRESH
@require_safe
def bot(request: HttpRequest, pk: int) -> HttpResponse:
    name = calendars.public_bot_name(pk)
    if name is None:
        raise Http404
    page = reverse("bot", args=[pk])
    return _feed(request, f"{name} on Ladle", page, events.news_of_bot(pk, ENTRIES))


@FRESH
@require_safe
def author(request: HttpRequest, name: str) -> HttpResponse:
    number = accounts.number_of(words(name, 150))
    if number is None:
        raise Http404
    username = accounts.author(number).username
    page = reverse("user", args=[username])
    return _feed(request, f"Bots of {username}", page, events.news_of_author(number, ENTRIES))


@FRESH
@require_safe
def board(request: HttpRequest, slug: str, seats: int) -> HttpResponse:
    found = board_or_404(slug, seats)
    page = reverse("board", args=[slug, seats])
    return _feed(request, found.title, page, events.news_of_board(found, ENTRIES))


@FRESH
@require_safe
def tournament(request: HttpRequest, pk: int) -> HttpResponse:
    """Of a public one: a feed reader has no session to show."""
    found = calendars.calendar_entry(pk)
    if found is None:
        raise Http404
    page = reverse("tournament", args=[pk])
    return _feed(request, found.name, page, events.news_of_tournament(pk, ENTRIES))


def _feed(request: HttpRequest, title: str, page: str, news: list[Happening]) -> HttpResponse:
    feed = Atom1Feed(
        title=title,
        link=settings.SITE_URL + page,
        description=title,
        feed_url=settings.SITE_URL + request.path,
        language="en",
    )
    for event in map(shown, news):
        feed.add_item(
            title=event.text,
            link=settings.SITE_URL + event.page,
            description=event.text,
            unique_id=f"tag:{urlsplit(settings.SITE_URL).hostname},2026:event/{event.id}",
            pubdate=event.at,
            updateddate=event.at,
            categories=[LABELS[event.kind]],
        )
    text = feed.writeString("utf-8")
    return HttpResponse(text, content_type="application/atom+xml; charset=utf-8")
