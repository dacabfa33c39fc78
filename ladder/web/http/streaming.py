"""Where a page finds the stream of events."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

PATH = "/api/v1/events"


def stream_address(request: HttpRequest) -> str:
    """The stream's address for this visitor; empty where none runs, and pages poll.

    Behind a proxy it is on the site itself; `make run` has it on another port of the same host.
    """
    if settings.STREAM_URL:
        return settings.STREAM_URL
    if not settings.STREAM_PORT:
        return ""
    host = urlsplit(f"//{request.get_host()}").hostname or "localhost"
    host = f"[{host}]" if ":" in host else host
    return f"{request.scheme}://{host}:{settings.STREAM_PORT}{PATH}"


def stream_origin(request: HttpRequest) -> str:
    """The stream's origin for a policy; empty where it is the site's own."""
    parts = urlsplit(stream_address(request))
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
