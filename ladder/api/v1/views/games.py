from __future__ import annotations

from django.core.cache import cache
from django.http import Http404, HttpResponse
from django.utils.cache import patch_vary_headers
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request

from engine.game import Game
from engine.games import GAMES
from ladder.api.negotiation import wants
from ladder.api.shape import shape
from ladder.api.views import ApiView, encoded, tagged
from ladder.contract import games as contract
from ladder.queries import operation
from ladder.queries.games import statistics
from sandbox.program.starter import first_bot

STATS_SECONDS = 10  # as they count whole tables
MARKDOWN = "text/markdown"
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
    @extend_schema(
        operation_id="games_rules",
        responses={
            (200, "application/json"): shape(contract.Rules, "rules"),
            (200, MARKDOWN): OpenApiResponse(
                OpenApiTypes.STR, examples=[OpenApiExample("plain rules", "# Ramen! Ramen!\n")]
            ),
        },
    )
    def get(self, request: Request, game: str) -> HttpResponse:
        """A game's rules as Markdown: in JSON, or plain with `Accept: text/markdown`."""
        found = game_or_404(game)
        text = found.rules_text
        if wants(request, MARKDOWN):
            content_type = f"{MARKDOWN}; charset=utf-8"
            answer = tagged(request, HttpResponse(text, content_type=content_type))
        else:
            answer = encoded(
                request, contract.Rules(slug=found.slug, title=found.title, markdown=text)
            )
        patch_vary_headers(answer, ["Accept"])
        return answer


class GameStarter(ApiView):
    @extend_schema(operation_id="games_starter", responses=shape(contract.Starter, "a starter"))
    def get(self, request: Request, game: str) -> HttpResponse:
        """The starter bot, which plays at random."""
        slug = game_or_404(game).slug
        name, source = f"{slug}_bot.py", first_bot(slug)
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
        """Current activity, cached for ten seconds."""
        return encoded(request, cache.get_or_set("stats", operation.counts, STATS_SECONDS))


def game_or_404(slug: str) -> Game:
    if slug not in GAMES:
        raise Http404
    return GAMES[slug]
