"""Answers with a film: as all is or as one seat saw it."""

from __future__ import annotations

import gzip
from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from engine.errors import BadReplay
from ladder.replays.films import KEPT_SECONDS, Film, packed_film
from ladder.web.http.pages import number


def viewer_or_404(request: HttpRequest, seats: int) -> int | None:
    """The seat through whose eyes to look; None for all."""
    data = request.GET.get("view", "")
    if data in ("", "all"):
        return None
    seat = number(data)
    if seat is None or seat >= seats:
        raise Http404(f"there is no seat {data!r} at this table")
    return seat


def film_answer(
    request: HttpRequest, tag: str, make: Callable[[], Film], *, kept: int = KEPT_SECONDS
) -> HttpResponse:
    """The film that a tag names, made when it is not at hand; 409 where its replay is bad."""
    try:
        packed = packed_film(tag, make, kept=kept)
    except BadReplay as error:
        return HttpResponse(str(error), status=409, content_type="text/plain; charset=utf-8")
    takes_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    content = packed if takes_gzip else gzip.decompress(packed)
    response = HttpResponse(content, content_type="application/json")
    if takes_gzip:
        response["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    return response
