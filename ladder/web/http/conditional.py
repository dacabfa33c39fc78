"""Answers that are not sent again to a client that has them, and files that never change."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag


def conditional(request: HttpRequest, tag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """304 for a client that has what the tag names, or else the answer, made only then."""
    etag = quote_etag(tag)
    response = get_conditional_response(request, etag=etag) or make()
    if response.status_code in (200, 304):
        response["ETag"] = etag
    return response


def unchanging(
    request: HttpRequest, is_of_tournament: bool, tag: str, make: Callable[[], HttpResponse]
) -> HttpResponse:
    """The same for a match's file, which clients may keep for good.

    Shared caches get none of a tournament, which may be a private one.
    """
    response = conditional(request, tag, make)
    if response.status_code in (200, 304):
        whose = "private" if is_of_tournament else "public"
        response["Cache-Control"] = f"{whose}, max-age=31536000, immutable"
    return response


def download(content: bytes, content_type: str, name: str) -> HttpResponse:
    """A file to keep."""
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=disposition)
