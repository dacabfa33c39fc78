from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from engine.games import MAX_SEATS
from ladder.api.shape import shape
from ladder.api.v1.shapes.asked import Asked
from ladder.api.v1.shapes.bots import NAME
from ladder.api.v1.shapes.games import GameField
from ladder.contract import remote
from ladder.services.remote.bots import MOST_DESCRIPTION

Remote = shape(remote.Remote, "a remote bot")
IssuedRemote = shape(remote.IssuedRemote, "a new remote bot")
TEMPOS = [tempo.value for tempo in remote.Tempo]


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "a language model",
            {
                "game": "ramen_ramen",
                "name": "Far Broth",
                "description": "a 7B language model on one GPU",
                "tempo": "slow",
            },
            request_only=True,
        )
    ]
)
class NewRemote(Asked):
    game = GameField()
    name = serializers.RegexField(**NAME, max_length=32)
    seat_counts = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_SEATS),
        required=False,
        max_length=MAX_SEATS,
        help_text="The boards it plays on; all of the game's if left out.",
    )
    description = serializers.CharField(
        max_length=MOST_DESCRIPTION, required=False, default="", allow_blank=True
    )
    tempo = serializers.ChoiceField(choices=TEMPOS, default=remote.Tempo.NORMAL.value)
    takes_challenges = serializers.BooleanField(default=True)
    plays_rated = serializers.BooleanField(default=True)


@extend_schema_serializer(
    examples=[OpenApiExample("describe it", {"description": "a new model"}, request_only=True)]
)
class RemoteChange(Asked):
    description = serializers.CharField(
        max_length=MOST_DESCRIPTION, required=False, allow_blank=True
    )
    tempo = serializers.ChoiceField(choices=TEMPOS, required=False)
    takes_challenges = serializers.BooleanField(required=False)
    plays_rated = serializers.BooleanField(required=False)


@extend_schema_serializer(examples=[OpenApiExample("leave", {"draining": True}, request_only=True)])
class Draining(Asked):
    draining = serializers.BooleanField(help_text="false: take new plays again.")


@extend_schema_serializer(
    examples=[OpenApiExample("an answer", {"action": "nori3"}, request_only=True)]
)
class DecisionAnswer(Asked):
    action = serializers.CharField(max_length=remote.ANSWERING.most_action)
    note = serializers.CharField(
        max_length=remote.ANSWERING.most_note, required=False, allow_blank=True
    )
