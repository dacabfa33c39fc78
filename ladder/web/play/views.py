"""Playing in the browser: a page that brings the engine itself into the visitor's tab."""

from __future__ import annotations

from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from engine import wire
from engine.chance import SeededChance
from engine.game import Game
from engine.match import question
from ladder.queries.games import starter_source
from ladder.templatetags.site import seats_word
from ladder.theatre.example import guide
from ladder.web.game.views import game_or_404


@require_safe
def play(request: HttpRequest, slug: str) -> HttpResponse:
    """A table to sit down at."""
    game = game_or_404(slug)
    setup = _setup(game) | {"you": "Guest", "docs": reverse("doc", args=["first-bot"])}
    setup["guide"] = guide(game)
    if request.user.is_authenticated:
        keep = {"address": reverse("keep-play"), "token": get_token(request)}
        setup |= {"you": request.user.username, "keep": keep}
    return _page(request, "ladder/play/play.html", game, setup)


@require_safe
def workshop(request: HttpRequest, slug: str) -> HttpResponse:
    """A place to write a bot and try it."""
    game = game_or_404(slug)
    upload = f"{reverse('upload')}?{urlencode({'game': slug, 'draft': slug})}"
    setup = _setup(game) | {"starter": starter_source(slug), "upload": upload}
    setup["fields"] = _fields(game)
    return _page(request, "ladder/play/workshop.html", game, setup)


@cache
def _fields(game: Game) -> list[str]:
    """What a script can ask of a view, by the first one it gets."""
    state = game.start(2, SeededChance(0))
    assert state.to_act is not None
    line = wire.decide(question(state, state.to_act, []), id="", cpu_left_ms=0)
    return sorted(wire.view_for_script(line))


def _setup(game: Game) -> dict[str, Any]:
    slug = game.slug
    return {
        "game": slug,
        "board": static(f"games/{slug}/board.js"),
        "boards": [{"seats": seats, "words": seats_word(seats, slug)} for seats in game.seats],
        "bots": [
            {"short": short, "name": f"House {short.title()}"}
            for short, path in game.house_bots().items()
            if path.suffix == ".py"  # what the tab runs
        ],
        "rules": reverse("rules", args=[slug]),
    }


def _page(request: HttpRequest, template: str, game: Game, setup: dict[str, Any]) -> HttpResponse:
    board_css = static(f"games/{game.slug}/board.css")
    return render(request, template, {"game": game, "setup": setup, "board_css": board_css})
