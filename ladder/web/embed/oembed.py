"""oEmbed: a page's address in, what to put into another page out (https://oembed.com)."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import Resolver404, resolve, reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from ladder.boards import Board
from ladder.queries import bots, kept_plays, matches
from ladder.web.http.pages import number

STRANGER = AnonymousUser()
LEAST = 200
NOT_OURS = "The parameter url must be the address of a page of this site."


@dataclass(frozen=True, slots=True)
class Embedded:
    title: str
    page: str
    card: str
    width: int
    height: int
    author: str = ""


def oembed_of(page: str) -> str:
    """Where a page of ours is described."""
    return f"{reverse('oembed')}?{urlencode({'url': settings.SITE_URL + page})}"


def share_of(page: str, frame: str) -> dict[str, str]:
    """What the theatre needs to share a play: addresses that work from anywhere."""
    return {"page": settings.SITE_URL + page, "frame": settings.SITE_URL + frame}


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    if request.GET.get("format", "json") != "json":
        return _said("Only format=json is available.", 501)
    try:
        parts = urlsplit(request.GET.get("url", "")[:500])
    except ValueError:  # brackets that hold no address, and the like
        return _said(NOT_OURS, 404)
    ours = {urlsplit(settings.SITE_URL).netloc, request.get_host()}
    if parts.scheme not in ("http", "https") or parts.netloc not in ours:
        return _said(NOT_OURS, 404)
    try:
        found = resolve(parts.path)
        shown = _found(found.url_name or "", found.kwargs, _step(parts.query, parts.fragment))
    except (Resolver404, Http404):
        return _said("There is nothing to embed at this address.", 404)
    width = _within(shown.width, request.GET.get("maxwidth"))
    height = _within(shown.height, request.GET.get("maxheight"))
    html = format_html(
        '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy" allowfullscreen'
        ' style="border:0"></iframe>',
        *(settings.SITE_URL + shown.page, width, height, shown.title),
    )
    answer = JsonResponse(
        {
            "version": "1.0",
            "type": "rich",
            "title": shown.title,
            "author_name": shown.author,
            "provider_name": "Ladle",
            "provider_url": settings.SITE_URL + "/",
            "cache_age": 3600,
            "html": html,
            "width": width,
            "height": height,
            "thumbnail_url": settings.SITE_URL + shown.card,
            "thumbnail_width": 1200,
            "thumbnail_height": 630,
        }
    )
    answer["Access-Control-Allow-Origin"] = "*"
    return answer


def _found(name: str, where: dict[str, int], step: int | None) -> Embedded:
    """What a page has to embed; Http404 where strangers may not see it, or it has nothing."""
    at = "" if step is None else f"?step={step}"
    pk = where.get("pk", 0)
    if name in ("theatre", "match"):
        index = where.get("index", 0)
        play = matches.play(STRANGER, pk, index)
        if play is None:
            raise Http404
        title = f"Play {index + 1} of match {pk}, {Board(play.game, play.match_seats).title}"
        page = reverse("embed-play", args=[pk, index]) + at
        return Embedded(title, page, reverse("play-card", args=[pk, index]) + at, 800, 560)
    if name == "kept-play" and (kept := kept_plays.find(pk)) is not None:
        who, title = kept.owner or "A guest", Board(kept.game, kept.seats).rules.title
        page = reverse("embed-kept", args=[pk]) + at
        card = reverse("kept-card", args=[pk]) + at
        return Embedded(f"{who} at {title}", page, card, 800, 560, kept.owner or "")
    if name == "bot" and (bot := bots.find(pk, STRANGER)) is not None and bot.is_public:
        page, card = reverse("embed-bot", args=[pk]), reverse("bot-card", args=[pk])
        return Embedded(f"{bot.name}, {bot.rules.title}", page, card, 420, 220, bot.owner)
    raise Http404


def _step(query: str, fragment: str) -> int | None:
    for part in (*query.split("&"), fragment):
        if part.startswith("step="):
            return number(part.removeprefix("step="))
    return None


def _within(size: int, most: str | None) -> int:
    limit = number(most)
    return size if limit is None else max(min(size, limit), LEAST)


def _said(sentence: str, status: int) -> HttpResponse:
    return HttpResponse(f"{sentence}\n", "text/plain; charset=utf-8", status)
