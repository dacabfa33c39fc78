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
from ladder.theatre.film import VERSION, film
from ladder.theatre.plain import plain
from ladder.web.http.pages import number

KEPT_SECONDS = 7 * 24 * 3600


def viewer_or_404(request: HttpRequest, seats: int) -> int | None:
    """The seat through whose eyes to look; None for all."""
    data = request.GET.get("view", "")
    if data in ("", "all"):
        return None
    seat = number(data)
    if seat is None or seat >= seats:
        raise Http404(f"there is no seat {data!r} at this table")
    return seat


def film_tag(game: Game, digest: str, viewer: int | None) -> str:
    """Names exactly one film."""
    seen_by = "all" if viewer is None else viewer
    return f"{digest}-{seen_by}-{game.rules_version}-{VERSION}"


def film_answer(
    request: HttpRequest, game: Game, viewer: int | None, tag: str, load: Callable[[], bytes]
) -> HttpResponse:
    """`load` brings the replay, when the film is not at hand."""
    packed = cache.get(f"film:{tag}")
    if packed is None:
        try:
            made = film(game, read(load()), viewer)
        except BadReplay as error:
            return HttpResponse(str(error), status=409, content_type="text/plain; charset=utf-8")
        packed = gzip.compress(canonical(made), compresslevel=6, mtime=0)
        cache.set(f"film:{tag}", packed, KEPT_SECONDS)
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
