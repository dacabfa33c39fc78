from __future__ import annotations

import dataclasses
from typing import Any

from django.core.cache import cache
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from engine.game import Game
from engine.games import GAMES
from ladder.api.v1.shapes import games as shapes
from ladder.api.v1.shapes.shares import share_told
from ladder.api.views import ApiView
from ladder.queries import operation
from ladder.queries.games import BoardStatistics, starter_source, statistics

STATS_SECONDS = 10  # as they count whole tables
LIMITS = list(shapes.Limits().fields)


class Games(ApiView):
    @extend_schema(operation_id="games_list", responses=shapes.Game(many=True))
    def get(self, request: Request) -> Response:
        """All games."""
        return Response([_body(game) for game in GAMES.values()])


class GameDetail(ApiView):
    @extend_schema(operation_id="games_show", responses=shapes.Game)
    def get(self, request: Request, game: str) -> Response:
        """One game."""
        return Response(_body(game_or_404(game)))


class GameRules(ApiView):
    @extend_schema(operation_id="games_rules", responses=shapes.Rules)
    def get(self, request: Request, game: str) -> Response:
        """A game's rules as Markdown."""
        found = game_or_404(game)
        text = (found.folder / "RULES.md").read_text(encoding="utf-8")
        return Response({"slug": found.slug, "title": found.title, "markdown": text})


class GameStarter(ApiView):
    @extend_schema(operation_id="games_starter", responses=shapes.Starter)
    def get(self, request: Request, game: str) -> Response:
        """A bot to start from, which plays at random."""
        slug = game_or_404(game).slug
        return Response({"filename": f"{slug}_bot.py", "source": starter_source(slug)})


class GameStatistics(ApiView):
    @extend_schema(operation_id="games_statistics", responses=shapes.Statistics(many=True))
    def get(self, request: Request, game: str) -> Response:
        """How often each seat wins and how long a play is, by board."""
        return Response([_statistics(one) for one in statistics(game_or_404(game).slug)])


class Stats(ApiView):
    @extend_schema(operation_id="stats", responses=shapes.Stats)
    def get(self, request: Request) -> Response:
        """What is going on; counted again after ten seconds."""
        return Response(cache.get_or_set("stats", operation.counts, STATS_SECONDS))


def game_or_404(slug: str) -> Game:
    if slug not in GAMES:
        raise Http404
    return GAMES[slug]


def _statistics(one: BoardStatistics) -> dict[str, Any]:
    mean, error = one.mean or (None, None)
    return {
        "seats": one.seats,
        "plays": one.plays,
        "decisions": round(one.decisions, 2),
        "by_seat": [{"seat": seat} | share_told(share) for seat, share in enumerate(one.shares)],
        "mean_points": mean and round(mean, 3),
        "mean_points_error": error and round(error, 3),
    }


def _body(game: Game) -> dict[str, Any]:
    limits = dataclasses.asdict(game.limits)
    return {
        "slug": game.slug,
        "title": game.title,
        "tagline": game.tagline,
        "seats": list(game.seats),
        "rules_version": game.rules_version,
        "points_name": game.points_name,
        "has_secrets": game.has_secrets,
        "options": [
            {
                "name": name,
                "text": option.text,
                "default": option.default,
                "choices": list(option.choices),
            }
            for name, option in game.options.items()
        ],
        "limits": {name: limits[name] for name in LIMITS},
        "house_bots": sorted(game.house_bots()),
    }
