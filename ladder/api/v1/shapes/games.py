from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from engine.games import GAMES
from ladder.api.v1.shapes.shares import Share


class GameField(serializers.ChoiceField):
    """The slug of a game there is."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=list(GAMES), **kwargs)


class Option(serializers.Serializer):
    name = serializers.CharField()
    text = serializers.CharField()
    default = serializers.JSONField()
    choices = serializers.ListField(child=serializers.JSONField())


class Limits(serializers.Serializer):
    start_cpu_ms = serializers.IntegerField(help_text="For loading the bot, anew for each play.")
    bank_ms = serializers.IntegerField(help_text="CPU to begin each play with.")
    increment_ms = serializers.IntegerField(help_text="CPU added before each decision.")
    memory_mb = serializers.IntegerField()
    line_bytes = serializers.IntegerField(help_text="The longest answer.")
    log_bytes = serializers.IntegerField(help_text="Of prints kept per play.")
    bundle_files = serializers.IntegerField(help_text="Of a bot of several files, the most.")
    bundle_bytes = serializers.IntegerField(help_text="Of all its files, and of their archive.")


GAME = {
    "slug": "ramen_ramen",
    "title": "Ramen! Ramen!",
    "tagline": "Fill bowls, slurp first.",
    "seats": [1, 2, 3, 4],
    "rules_version": 1,
    "points_name": "points",
    "has_secrets": True,
    "options": [
        {"name": "stars", "text": "Solo star ratings.", "default": True, "choices": [True, False]}
    ],
    "limits": {
        "start_cpu_ms": 3000,
        "bank_ms": 1000,
        "increment_ms": 20,
        "memory_mb": 256,
        "line_bytes": 65536,
        "log_bytes": 16384,
        "bundle_files": 200,
        "bundle_bytes": 16777216,
    },
    "house_bots": ["greedy", "random"],
}


@extend_schema_serializer(examples=[OpenApiExample("a game", GAME)])
class Game(serializers.Serializer):
    slug = serializers.CharField()
    title = serializers.CharField()
    tagline = serializers.CharField()
    seats = serializers.ListField(child=serializers.IntegerField())
    rules_version = serializers.IntegerField()
    points_name = serializers.CharField()
    has_secrets = serializers.BooleanField()
    options = Option(many=True)
    limits = Limits()
    house_bots = serializers.ListField(child=serializers.CharField())


RULES = {"slug": "ramen_ramen", "title": "Ramen! Ramen!", "markdown": "# Ramen! Ramen!\n…"}


@extend_schema_serializer(examples=[OpenApiExample("rules", RULES)])
class Rules(serializers.Serializer):
    slug = serializers.CharField()
    title = serializers.CharField()
    markdown = serializers.CharField()


STARTER = {"filename": "ramen_ramen_bot.py", "source": "def decide(view): ..."}


@extend_schema_serializer(examples=[OpenApiExample("a starter", STARTER)])
class Starter(serializers.Serializer):
    """A bot to start from."""

    filename = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]


STATISTICS = {
    "seats": 2,
    "plays": 400,
    "decisions": 27.4,
    "by_seat": [{"seat": 0, "share": 0.52, "low": 0.47, "high": 0.57}],
    "mean_points": None,
    "mean_points_error": None,
}


class SeatWins(Share):
    seat = serializers.IntegerField()


@extend_schema_serializer(examples=[OpenApiExample("a board", STATISTICS)])
class Statistics(serializers.Serializer):
    """What a board's newest plays tell."""

    seats = serializers.IntegerField()
    plays = serializers.IntegerField(help_text="That were looked at.")
    decisions = serializers.FloatField(help_text="Per play.")
    by_seat = SeatWins(many=True, help_text="How often each seat wins; none for solo.")
    mean_points = serializers.FloatField(allow_null=True, help_text="For solo only.")
    mean_points_error = serializers.FloatField(allow_null=True, help_text="Its standard error.")


STATS = {
    "bots": 24,
    "users": 7,
    "matches": {"queued": 3, "running": 2, "finished": 10412, "void": 0, "cancelled": 4},
    "plays": 41290,
    "workers": 2,
    "open_tournaments": 1,
}


class MatchCounts(serializers.Serializer):
    queued = serializers.IntegerField()
    running = serializers.IntegerField()
    finished = serializers.IntegerField()
    void = serializers.IntegerField()
    cancelled = serializers.IntegerField()


@extend_schema_serializer(examples=[OpenApiExample("stats", STATS)])
class Stats(serializers.Serializer):
    bots = serializers.IntegerField(help_text="That play now.")
    users = serializers.IntegerField()
    matches = MatchCounts()
    plays = serializers.IntegerField(help_text="With a replay.")
    workers = serializers.IntegerField(help_text="Heard of in the last minute.")
    open_tournaments = serializers.IntegerField()
