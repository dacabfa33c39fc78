"""A game: what it is, its boards, a bot to start from, and what its plays tell."""

from __future__ import annotations

from collections import defaultdict
from functools import cache as remembered
from typing import Any

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from engine.game import Game
from engine.games import GAMES
from ladder.boards import Board
from ladder.models import Bot, Match, Play, Rating
from ladder.ratings.intervals import mean_and_error, wilson
from ladder.svg import Share
from ladder.templatetags.prose import render as render_markdown
from ladder.views.match_rows import latest

STATISTICS_SECONDS = 600
STATISTICS_PLAYS = 400  # the newest of a board


def game(request: HttpRequest, slug: str) -> HttpResponse:
    rules = game_or_404(slug)
    house = Bot.objects.filter(game=slug, is_house=True).order_by("name")
    context = {
        "game": rules,
        "boards": [_board(Board(slug, seats)) for seats in rules.seats],
        "starter": starter_source(slug),
        "house": house.values("pk", "name", "is_source_public"),
        "rows": latest(Match.objects.finished().listed().filter(game=slug), 8),
        "statistics": cache.get_or_set(
            f"game:{slug}:statistics", lambda: statistics(slug), STATISTICS_SECONDS
        ),
    }
    return render(request, "ladder/game.html", context)


def rules(request: HttpRequest, slug: str) -> HttpResponse:
    game = game_or_404(slug)
    html, headings = rules_html(slug)
    return render(request, "ladder/rules.html", {"game": game, "html": html, "headings": headings})


def starter(request: HttpRequest, slug: str) -> HttpResponse:
    """The starter bot as a file."""
    game_or_404(slug)
    name = f"{slug}_bot.py"
    return HttpResponse(
        starter_source(slug),
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def game_or_404(slug: str) -> Game:
    if slug not in GAMES:
        raise Http404(f"There is no game {slug!r}.")
    return GAMES[slug]


@remembered
def rules_html(slug: str) -> tuple[str, list[tuple[int, str, str]]]:
    path = GAMES[slug].folder / "RULES.md"
    return render_markdown(path.read_text(encoding="utf-8")) if path.is_file() else ("", [])


@remembered
def starter_source(slug: str) -> str:
    path = GAMES[slug].house_bots().get("random")
    return path.read_text(encoding="utf-8") if path else ""


def _board(board: Board) -> dict[str, Any]:
    best = Rating.objects.on(board).ranked().by_rank()
    return {
        "seats": board.seats,
        "is_team": board.is_team,
        "best": list(best.values("bot_id", "bot__name", "milli")[:3]),
    }


def statistics(slug: str) -> list[dict[str, Any]]:
    """Per board: how often each seat wins and how long a play is, over its newest plays."""
    return [
        found
        for seats in GAMES[slug].seats
        if (found := _board_statistics(Board(slug, seats))) is not None
    ]


def _board_statistics(board: Board) -> dict[str, Any] | None:
    newest = Match.objects.on(board).finished().shown().order_by("-id")
    ids = list(newest.values_list("pk", flat=True)[: STATISTICS_PLAYS // board.sides])
    wins: dict[int, float] = defaultdict(float)
    decisions, plays = 0, 0
    scores = []
    for places, points, asked in Play.objects.filter(match__in=ids).values_list(
        "places", "points", "decisions"
    ):
        scores.append(points[0])
        plays += 1
        decisions += asked
        winners = [seat for seat, place in enumerate(places) if place == 1]
        for seat in winners:
            wins[seat] += 1 / len(winners)
    if not plays:
        return None
    shares = [
        Share(wins[seat] / plays, *wilson(wins[seat], plays), plays) for seat in range(board.seats)
    ]
    return {
        "seats": board.seats,
        "plays": plays,
        "decisions": decisions / plays,
        "shares": [] if board.is_solo else shares,
        "mean": mean_and_error(scores) if board.is_solo and plays > 1 else None,
    }
