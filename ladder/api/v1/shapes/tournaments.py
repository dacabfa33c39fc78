from __future__ import annotations

from typing import Any, get_args

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from engine.games import MAX_SEATS
from ladder.api.v1.shapes.asked import Asked
from ladder.api.v1.shapes.games import GameField
from ladder.contract import example
from ladder.contract.tournaments import EntryRule, Seeding, TournamentDetail
from ladder.tournaments import FORMATS


class Size(Asked):
    """What decides how long a tournament is."""

    format_options = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=1000), required=False
    )
    sets = serializers.IntegerField(min_value=1, max_value=9, required=False)
    entry = serializers.ChoiceField(choices=get_args(EntryRule), required=False)
    top_count = serializers.IntegerField(
        min_value=2, max_value=128, required=False, allow_null=True
    )
    max_entrants = serializers.IntegerField(min_value=2, max_value=128, required=False)


class TournamentChange(Size):
    """What can be set until it starts."""

    name = serializers.RegexField(r"\S", max_length=80, required=False)
    description = serializers.CharField(
        max_length=5000, required=False, allow_blank=True, help_text="Markdown."
    )
    format = serializers.ChoiceField(choices=list(FORMATS), required=False)
    seeding = serializers.ChoiceField(choices=get_args(Seeding), required=False)
    is_public = serializers.BooleanField(required=False)
    is_open_class = serializers.BooleanField(
        required=False, help_text="Remote bots may take part; a match with one is one play."
    )
    enrol_from = serializers.DateTimeField(required=False, allow_null=True)
    enrol_until = serializers.DateTimeField(required=False, allow_null=True)
    start_at = serializers.DateTimeField(
        required=False, allow_null=True, help_text="Null: started by hand."
    )
    check_in_minutes = serializers.IntegerField(
        min_value=0,
        max_value=1440,
        required=False,
        help_text="Before the start; bots that have not checked in are left out. 0: no check-in.",
    )


@extend_schema_serializer(
    examples=[OpenApiExample("more room", {"max_entrants": 64}, request_only=True)]
)
class TournamentEdit(TournamentChange):
    pass


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "a new one",
            {"game": "hot_ramen", "seats": 2, "name": "Spring Soup", "format": "swiss"},
            request_only=True,
        )
    ]
)
class NewTournament(TournamentChange):
    game = GameField()
    seats = serializers.IntegerField(min_value=1, max_value=MAX_SEATS)
    name = serializers.RegexField(r"\S", max_length=80)
    format = serializers.ChoiceField(choices=list(FORMATS))


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "a set-up",
            {"game": "hot_ramen", "seats": 2, "format": "swiss", "sets": 2, "max_entrants": 32},
            request_only=True,
        )
    ]
)
class Setup(Size):
    """What decides how long a tournament is; what is left out is as in a new tournament."""

    game = GameField()
    seats = serializers.IntegerField(min_value=1, max_value=MAX_SEATS)
    format = serializers.ChoiceField(choices=list(FORMATS))


@extend_schema_serializer(examples=[OpenApiExample("a bot", {"bot": 12}, request_only=True)])
class WhichBot(Asked):
    bot = serializers.IntegerField(min_value=1, max_value=2**53)


@extend_schema_serializer(examples=[OpenApiExample("a seed", {"seed": 1}, request_only=True)])
class WhichSeed(Asked):
    seed = serializers.IntegerField(min_value=1, max_value=128)


@extend_schema_serializer(
    examples=[OpenApiExample("why", {"why": "The server is moved."}, request_only=True)]
)
class Why(Asked):
    why = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


RECORD: dict[str, Any] = {
    "format": "ladle-tournament/1",
    "id": 6,
    "name": "Spring Soup",
    "commitment": example(TournamentDetail)["commitment"],
    "secret": None,
    "entrants": [],
    "tables": [],
    "standings": [],
}
RESULTS = (
    "place,seed,bot,owner,version,points,Buchholz,why\r\n1,2,Wok,alice,3,5.5,19,most points\r\n"
)
RECORD_SCHEMA = {"type": "object", "additionalProperties": True}
