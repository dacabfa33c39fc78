from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from engine.chance import MAX_SEED
from engine.games import MAX_SEATS
from ladder.api.v1.shapes.asked import Asked
from ladder.api.v1.shapes.games import GameField
from ladder.contract import example
from ladder.contract.matches import Entry, Play

REPLAY = {
    "format": "ladle-replay/1",
    "game": "hot_ramen",
    "seats": 2,
    "rules_version": 1,
    "options": {},
    "seed": 7,
    "match": "4711",
    "round": 0,
    "players": [{"seat": 0, "bot": "Wok", "version": 3, "sha256": example(Entry)["sha256"]}],
    "log": [{"seat": 0, "kind": "cook", "action": "…"}],
    "result": {"places": [1, 2], "points": [14, 9], "reason": "last bowl served"},
    "cpu_us": [120],
    "digest": example(Play)["digest"],
}


# What is in a replay is for the referee to judge, so any object is let in.
REPLAY_SCHEMA = {"type": "object", "additionalProperties": True}


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "a challenge",
            {"game": "hot_ramen", "seats": 2, "bot": 12, "opponents": [9]},
            request_only=True,
        )
    ]
)
class NewChallenge(Asked):
    game = GameField()
    seats = serializers.IntegerField(min_value=1, max_value=MAX_SEATS)
    bot = serializers.IntegerField(min_value=1, max_value=2**53, help_text="One of your own.")
    opponents = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**53),
        default=list,
        max_length=MAX_SEATS,
        help_text="One bot per other side of the board; none for solo.",
    )
    seed = serializers.IntegerField(
        min_value=0, max_value=MAX_SEED, required=False, allow_null=True, default=None
    )
