from __future__ import annotations

from django.core.cache import cache
from django.http import Http404, HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from engine.game import Game
from engine.games import GAMES
from ladder.api.shape import shape
from ladder.api.views import ApiView, encoded
from ladder.contract import games as contract
from ladder.queries import operation
from ladder.queries.games import starter_source, statistics

STATS_SECONDS = 10  # as they count whole tables
GAME = shape(contract.Game, "a game")


class Games(ApiView):
    @extend_schema(operation_id="games_list", responses=GAME(many=True))
    def get(self, request: Request) -> HttpResponse:
        """All games."""
        return encoded(request, [contract.Game.of(game) for game in GAMES.values()])


class GameDetail(ApiView):
    @extend_schema(operation_id="games_show", responses=GAME)
    def get(self, request: Request, game: str) -> HttpResponse:
        """One game."""
        return encoded(request, contract.Game.of(game_or_404(game)))


class GameRules(ApiView):
    @extend_schema(operation_id="games_rules", responses=shape(contract.Rules, "rules"))
    def get(self, request: Request, game: str) -> HttpResponse:
        """A game's rules as Markdown."""
        found = game_or_404(game)
        text = (found.folder / "RULES.md").read_text(encoding="utf-8")
        rules = contract.Rules(slug=found.slug, title=found.title, markdown=text)
        return encoded(request, rules)


class GameStarter(ApiView):
    @extend_schema(operation_id="games_starter", responses=shape(contract.Starter, "a starter"))
    def get(self, request: Request, game: str) -> HttpResponse:
        """A bot to start from, which plays at random."""
        slug = game_or_404(game).slug
        name, source = f"{slug}_bot.py", starter_source(slug)
        return encoded(request, contract.Starter(filename=name, source=source))


class GameStatistics(ApiView):
    @extend_schema(
        operation_id="games_statistics",
        responses=shape(contract.Statistics, "a board")(many=True),
    )
    def get(self, request: Request, game: str) -> HttpResponse:
        """How often each seat wins and how long a play is, by board."""
        return encoded(request, statistics(game_or_404(game).slug))


class Stats(ApiView):
    @extend_schema(operation_id="stats", responses=shape(contract.Stats, "stats"))
    def get(self, request: Request) -> HttpResponse:
        """What is going on; counted again after ten seconds."""
        return encoded(request, cache.get_or_set("stats", operation.counts, STATS_SECONDS))


def game_or_404(slug: str) -> Game:
    if slug not in GAMES:
        raise Http404
    return GAMES[slug]
