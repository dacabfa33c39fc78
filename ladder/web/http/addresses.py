"""Where a request comes from, as far as that can be believed."""

from __future__ import annotations

from django.http import HttpRequest

from ladder.operation import addresses


def client_address(request: HttpRequest) -> str:
    """Who asks, to count requests by."""
    heard = request.META.get("HTTP_X_FORWARDED_FOR", "")
    return addresses.client_address(request.META.get("REMOTE_ADDR", ""), heard)
