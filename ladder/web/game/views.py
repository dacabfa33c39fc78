"""A game: what it is, its boards, a starter bot, and statistics of its plays."""

from __future__ import annotations

from functools import cache as remembered

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static

from engine.game import Game
from engine.games import GAMES
from ladder.boards import Board
from ladder.queries import bots, ladders, matches
from ladder.queries.games import statistics
from ladder.templatetags.prose import render as render_markdown
from ladder.theatre.example import example
from sandbox.languages import LANGUAGES, STARTERS
from sandbox.program.starter import first_bot


def game(request: HttpRequest, slug: str) -> HttpResponse:
    rules = game_or_404(slug)
    context = {
        "game": rules,
        "boards": [ladders.podium(Board(slug, seats)) for seats in rules.seats],
        "starter": first_bot(slug),
        "endings": [suffix.removeprefix(".") for suffix in STARTERS],
        "builds": [one.build.format(stem="bot") for one in STARTERS.values() if one.build],
        "house": bots.house(slug),
        "rows": matches.latest(8, game=slug),
        "statistics": statistics(slug),
        "languages": LANGUAGES,
    }
    return render(request, "ladder/game/game.html", context)


def rules(request: HttpRequest, slug: str) -> HttpResponse:
    game = game_or_404(slug)
    html, headings = rules_html(slug)
    shown = example(game)
    context = {
        "game": game,
        "html": html,
        "headings": headings,
        "board_css": static(f"games/{slug}/board.css"),
        "example": shown and {"board": static(f"games/{slug}/board.js"), **shown},
    }
    return render(request, "ladder/game/rules.html", context)


def rules_text(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules as they are written, for programs that read."""
    text = game_or_404(slug).rules_text
    return HttpResponse(text, content_type="text/markdown; charset=utf-8")


def starter(request: HttpRequest, slug: str, ending: str) -> HttpResponse:
    """The starter bot as a file, in the language of that ending."""
    game_or_404(slug)
    if f".{ending}" not in STARTERS:
        raise Http404(f"There is no starter in .{ending}.")
    name = f"{slug}_bot.{ending}"
    return HttpResponse(
        first_bot(slug, f".{ending}"),
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def game_or_404(slug: str) -> Game:
    if slug not in GAMES:
        raise Http404(f"There is no game {slug!r}.")
    return GAMES[slug]


@remembered
def rules_html(slug: str) -> tuple[str, list[tuple[int, str, str]]]:
    return render_markdown(GAMES[slug].rules_text)
