"""A play as a theatre shows it: the film, as all is or as one seat saw it, made once and kept."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from engine.errors import BadReplay
from engine.game import Game
from engine.replay import canonical, read
from ladder.theatre.film import VERSION
from ladder.theatre.plain import plain
from ladder.web.http.pages import number

KEPT_SECONDS = 7 * 24 * 3600

Film = dict[str, Any]


def viewer_or_404(request: HttpRequest, seats: int) -> int | None:
    """The seat through whose eyes to look; None for all."""
    data = request.GET.get("view", "")
    if data in ("", "all"):
        return None
    seat = number(data)
    if seat is None or seat >= seats:
        raise Http404(f"there is no seat {data!r} at this table")
    return seat


def film_tag(game: Game, play: str, viewer: int | None) -> str:
    """Names exactly one film of what `play` names exactly."""
    seen_by = "all" if viewer is None else viewer
    return f"{play}-{seen_by}-{game.rules_version}-{VERSION}"


def film_answer(
    request: HttpRequest, tag: str, make: Callable[[], Film], *, kept: int = KEPT_SECONDS
) -> HttpResponse:
    """The film that a tag names, made when it is not at hand; 409 where its replay is bad."""
    packed = cache.get(f"film:{tag}")
    if packed is None:
        try:
            made = make()
        except BadReplay as error:
            return HttpResponse(str(error), status=409, content_type="text/plain; charset=utf-8")
        packed = gzip.compress(canonical(made), compresslevel=6, mtime=0)
        cache.set(f"film:{tag}", packed, kept)
    takes_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    content = packed if takes_gzip else gzip.decompress(packed)
    response = HttpResponse(content, content_type="application/json")
    if takes_gzip:
        response["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def in_words(game: Game, digest: str, load: Callable[[], bytes]) -> dict[str, Any]:
    """What a page shows without JavaScript: the moves, and the table at the end in words."""
    key = f"plain:{digest}:{VERSION}"
    data: dict[str, Any] | None = cache.get(key)
    if data is None:
        data = plain(game, read(load()))
        cache.set(key, data, KEPT_SECONDS)
    return data
