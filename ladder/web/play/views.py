"""Playing in the browser: a page that brings the engine itself into the visitor's tab."""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from engine.game import Game, house_name
from engine.games import GAMES
from ladder.contract.bots import ShownVersion
from ladder.errors import LadderError
from ladder.queries import versions
from ladder.templatetags.site import seats_word
from ladder.theatre.example import guide
from ladder.web.game.views import game_or_404
from ladder.web.http.middleware import FRAMING_POLICY
from ladder.web.http.pages import number
from ladder.web.play import daily
from ladder.web.play.origin import origin
from ladder.web.play.pictures import picture
from sandbox.languages import BY_SUFFIX, PYTHON

# Neither PyPI nor npm has a wheel of numpy for the pinned Pyodide, only servers of its own.
NUMPY = re.compile(rb"^\s*(import|from)\s+numpy\b", re.MULTILINE)


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """All games that can be played here, each with a first game that explains itself."""
    context = {
        "shown": [(game, guide(game) is not None, picture(game)) for game in GAMES.values()],
        "styles": [static(f"games/{slug}/board.css") for slug in GAMES],
    }
    return render(request, "ladder/play/games.html", context)


@require_safe
def play(request: HttpRequest, slug: str) -> HttpResponse:
    """A table to sit down at.

    `?version=` seats a bot whose source the visitor may read; `origin` goes on from a replay.
    """
    game = game_or_404(slug)
    setup = table_setup(game) | {"you": "Guest", "docs": reverse("doc", args=["first-bot"])}
    setup["guide"] = guide(game)
    setup["friends"] = reverse("friends", args=[slug])
    setup["from"] = origin(request, slug)
    setup["daily"] = daily.play_setup(request, slug)
    setup["share"] = {"address": reverse("share-play"), "days": settings.KEEP_GUEST_PLAYS_DAYS}
    if request.user.is_authenticated:
        keep = {"address": reverse("keep-play"), "token": get_token(request)}
        setup |= {"you": request.user.username, "keep": keep}
    version = chosen_version(request, slug)
    if version is not None:
        setup["bots"].append(guest(version))
    return tab_page(request, "ladder/play/play.html", game, setup)


def chosen_version(request: HttpRequest, slug: str) -> ShownVersion | None:
    """The version that the address names, if its source may be read and a tab can run it."""
    asked = request.GET.get("version")
    if asked is None:
        return None
    found = versions.by_id(number(asked) or 0, slug)
    if found is None or not found.of.shows_source_to(request.user):
        raise Http404
    if not found.runner:
        raise Http404("Only single scripts in Python or JavaScript can run in a browser.")
    program = versions.program(found.id)
    if program and found.runner == PYTHON.tab and NUMPY.search(program.content):
        raise LadderError(
            f"{found.of.name} needs numpy, which no browser has. Challenge it instead."
        )
    return found


def guest(version: ShownVersion) -> dict[str, Any]:
    """A bot that is not the house's: where its source is, and what a replay says of it."""
    source = reverse("bot-source", args=[version.bot, version.number])
    return {
        "short": f"version-{version.id}",
        "name": version.of.name,
        "label": f"{version.of.name} v{version.number}, by {version.of.owner}",
        "language": version.language,
        "runner": version.runner,
        "source": f"{source}?download",
        "version": version.number,
        "sha256": version.sha256,
    }


def table_setup(game: Game) -> dict[str, Any]:
    slug = game.slug
    return {
        "game": slug,
        "board": static(f"games/{slug}/board.js"),
        "boards": [{"seats": seats, "words": seats_word(seats, slug)} for seats in game.seats],
        "bots": [_house(short, path.suffix) for short, path in game.house_bots().items()],
        "rules": reverse("rules", args=[slug]),
    }


def _house(short: str, suffix: str) -> dict[str, Any]:
    """A house bot; those in Python play beside the engine, the others in a sandbox."""
    found = {"short": short, "name": house_name(short)}
    if suffix == ".py":
        return found
    return found | {"language": suffix.removeprefix("."), "runner": BY_SUFFIX[suffix].tab}


def tab_page(
    request: HttpRequest, template: str, game: Game, setup: dict[str, Any]
) -> HttpResponse:
    board_css = static(f"games/{game.slug}/board.css")
    response = render(request, template, {"game": game, "setup": setup, "board_css": board_css})
    response.headers["Content-Security-Policy"] = FRAMING_POLICY
    return response
