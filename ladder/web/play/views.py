"""Playing in the browser: a page that brings the engine itself into the visitor's tab."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from ladder.templatetags.site import seats_word
from ladder.web.game.views import game_or_404


@require_safe
def play(request: HttpRequest, slug: str) -> HttpResponse:
    game = game_or_404(slug)
    setup = {
        "game": slug,
        "board": static(f"games/{slug}/board.js"),
        "boards": [{"seats": seats, "words": seats_word(seats, slug)} for seats in game.seats],
        "bots": [
            {"short": short, "name": f"House {short.title()}"}
            for short, path in game.house_bots().items()
            if path.suffix == ".py"  # what the tab runs
        ],
        "you": request.user.username if request.user.is_authenticated else "Guest",
        "rules": reverse("rules", args=[slug]),
        "docs": reverse("doc", args=["first-bot"]),
    }
    context = {"game": game, "setup": setup, "board_css": static(f"games/{slug}/board.css")}
    return render(request, "ladder/play/play.html", context)
