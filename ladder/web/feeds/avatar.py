"""A bot's picture, made of its name."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from ladder.web.bot.avatar import SIZE, avatar
from ladder.web.http.conditional import conditional
from ladder.web.http.pages import bot_or_404


@require_safe
def bot_avatar(request: HttpRequest, pk: int) -> HttpResponse:
    bot = bot_or_404(request, pk)
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">{avatar(bot.name)}'
        "</svg>"
    )
    response = conditional(
        request, f"avatar-{bot.name}", lambda: HttpResponse(picture, content_type="image/svg+xml")
    )
    response["Cache-Control"] = f"{'public' if bot.is_public else 'private'}, max-age=300"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
