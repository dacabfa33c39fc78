from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

BOARD = {
    "game": "hot_ramen",
    "seats": 4,
    "title": "Hot Ramen · 4 players",
    "sides": 4,
    "is_solo": False,
    "is_team": False,
    "ranked": 17,
    "provisional": 3,
    "tick": 212,
}


@extend_schema_serializer(examples=[OpenApiExample("a board", BOARD)])
class Board(serializers.Serializer):
    """One ladder: a game at one seat count."""

    game = serializers.CharField()
    seats = serializers.IntegerField()
    title = serializers.CharField()
    sides = serializers.IntegerField(help_text="Versions that meet in a match; 1 is solo.")
    is_solo = serializers.BooleanField()
    is_team = serializers.BooleanField()
    ranked = serializers.IntegerField(help_text="Bots known well enough for a rank.")
    provisional = serializers.IntegerField(help_text="Bots with too wide an interval for a rank.")
    tick = serializers.IntegerField(help_text="Number of the last tick that was rated; 0: none.")


class LadderBot(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    owner = serializers.CharField()
    is_house = serializers.BooleanField()


ROW = {
    "rank": 1,
    "bot": {"id": 12, "name": "Wok", "owner": "alice", "is_house": False},
    "version": 3,
    "elo": 1712.4,
    "low": 1668.1,
    "high": 1759.0,
    "band": 1,
    "is_provisional": False,
    "sets": 120,
    "plays": 480,
    "win_rate": 0.61,
    "mean_points": 14.2,
    "last_played_at": "2026-03-01T12:00:00Z",
}


class LadderRow(serializers.Serializer):
    rank = serializers.IntegerField(allow_null=True, help_text="Null while provisional.")
    bot = LadderBot()
    version = serializers.IntegerField()
    elo = serializers.FloatField()
    low = serializers.FloatField(help_text="Of the 95% interval; far off where little is known.")
    high = serializers.FloatField()
    band = serializers.IntegerField(
        allow_null=True, help_text="Bots of equal bands cannot be told apart yet."
    )
    is_provisional = serializers.BooleanField()
    sets = serializers.IntegerField()
    plays = serializers.IntegerField()
    win_rate = serializers.FloatField(allow_null=True)
    mean_points = serializers.FloatField(allow_null=True)
    last_played_at = serializers.DateTimeField(allow_null=True)


@extend_schema_serializer(
    many=False,
    examples=[
        OpenApiExample(
            "a ladder",
            {
                "game": "hot_ramen",
                "seats": 4,
                "tick": 212,
                "next": None,
                "previous": None,
                "results": [ROW],
            },
        )
    ],
)
class Ladder(serializers.Serializer):
    """A page of a ladder; `tick` is the one it stands at."""

    game = serializers.CharField()
    seats = serializers.IntegerField()
    tick = serializers.IntegerField()
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = LadderRow(many=True)


TICK = {"number": 212, "created_at": "2026-03-01T11:58:00Z", "applied_at": "2026-03-01T12:00:00Z"}


@extend_schema_serializer(examples=[OpenApiExample("a tick", TICK)])
class Tick(serializers.Serializer):
    """Rated matches arranged together; their board is rated once all of them are over."""

    number = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    applied_at = serializers.DateTimeField(allow_null=True)
