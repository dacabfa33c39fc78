"""What every template may use."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from engine.games import GAMES


def site(request: HttpRequest) -> dict[str, Any]:
    return {"games": GAMES, "site_url": settings.SITE_URL}
