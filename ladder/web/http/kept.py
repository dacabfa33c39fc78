"""Pages cached for a moment, for visitors without a session."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse

Handler = Callable[[HttpRequest], HttpResponse]

pages = caches["pages"]


class KeptPages:
    """Make a page for strangers once in a while, however many ask for it.

    Only pages are cached, not the API, whose requests are counted; and none that a cookie but the
    theme could have changed.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not _is_for_everyone(request):
            return self.get_response(request)
        key = _key(request)
        if (kept := pages.get(key)) is not None:
            content, headers = kept
            return HttpResponse(content, headers=headers)
        response = self.get_response(request)
        if _may_be_kept(response):
            pages.set(key, (response.content, dict(response.items())), settings.PAGES_KEPT_SECONDS)
        return response


def _is_for_everyone(request: HttpRequest) -> bool:
    return (
        request.method == "GET"
        and not request.COOKIES.keys() - {"theme"}
        and "Authorization" not in request.headers
        and "Origin" not in request.headers
    )


def _key(request: HttpRequest) -> str:
    """All of a request that a page for strangers depends on."""
    parts = (
        request.scheme or "",
        request.META.get("HTTP_HOST", ""),
        request.COOKIES.get("theme", ""),
        request.headers.get("HX-Request", ""),
        request.get_full_path(),
    )
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()


def _may_be_kept(response: HttpResponse) -> bool:
    return (
        response.status_code == 200
        and not response.streaming
        and not response.cookies
        and "Cache-Control" not in response
        and response.get("Content-Type", "").startswith("text/html")
    )
