"""What every template may use."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from engine.games import GAMES

THEMES = ("light", "dark")


def site(request: HttpRequest) -> dict[str, Any]:
    theme = request.COOKIES.get("theme")
    return {
        "games": GAMES,
        "site_url": settings.SITE_URL,
        "theme": theme if theme in THEMES else "",  # empty: as the system has it
    }
