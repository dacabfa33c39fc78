"""What every template may use."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from engine.games import GAMES
from ladder.queries import notices
from ladder.web.http.streaming import stream_address

THEMES = ("light", "dark")


def site(request: HttpRequest) -> dict[str, Any]:
    theme = request.COOKIES.get("theme")
    user = getattr(request, "user", None)  # none where a request is refused early
    return {
        "games": GAMES,
        "site_url": settings.SITE_URL,
        # Asked only where a page shows it.
        "unread": lambda: notices.unread(user.pk) if user and user.is_authenticated else 0,
        "stream": lambda: stream_address(request),
        "theme": theme if theme in THEMES else "",  # empty: as the system has it
    }
