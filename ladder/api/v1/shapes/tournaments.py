from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from engine.games import MAX_SEATS
from ladder.api.v1.shapes.asked import Asked
from ladder.api.v1.shapes.games import GameField
from ladder.models import Enrolment
from ladder.models import Tournament as TournamentRow
from ladder.tournaments import FORMATS

TOURNAMENT = {
    "id": 6,
    "name": "Spring Soup",
    "organiser": "alice",
    "game": "hot_ramen",
    "seats": 2,
    "format": "swiss",
    "sets": 1,
    "entry": "open",
    "top_count": None,
    "max_entrants": 32,
    "seeding": "fitted",
    "is_public": True,
    "status": "enrolling",
    "enrol_from": None,
    "enrol_until": None,
    "start_at": None,
    "check_in_minutes": 0,
    "created_at": "2026-03-01T12:00:00Z",
    "started_at": None,
    "ended_at": None,
    "page": "/tournaments/6/",
}


@extend_schema_serializer(examples=[OpenApiExample("a tournament", TOURNAMENT, response_only=True)])
class Tournament(serializers.ModelSerializer):
    organiser = serializers.CharField(source="organiser.username")
    game = serializers.CharField()
    entry = serializers.ChoiceField(choices=TournamentRow.Entry.values)
    seeding = serializers.ChoiceField(choices=TournamentRow.Seeding.values)
    status = serializers.ChoiceField(choices=TournamentRow.Status.values)
    page = serializers.SerializerMethodField()

    class Meta:
        model = TournamentRow
        fields = list(TOURNAMENT)

    def get_page(self, tournament: TournamentRow) -> str:
        return reverse("tournament", args=[tournament.pk])


ENTRANT = {
    "bot": 12,
    "name": "Wok",
    "owner": "alice",
    "version": 3,
    "seed": 1,
    "status": "enrolled",
    "has_checked_in": False,
    "final_rank": None,
}


@extend_schema_serializer(examples=[OpenApiExample("an entrant", ENTRANT, response_only=True)])
class Entrant(serializers.Serializer):
    bot = serializers.IntegerField(source="bot_id")
    name = serializers.CharField(source="bot.name")
    owner = serializers.CharField(source="bot.owner.username")
    version = serializers.IntegerField(
        source="version.number", allow_null=True, default=None, help_text="Fixed at the start."
    )
    seed = serializers.IntegerField(allow_null=True)
    status = serializers.ChoiceField(choices=Enrolment.Status.values)
    has_checked_in = serializers.BooleanField(help_text="Where the tournament asks for it.")
    final_rank = serializers.IntegerField(allow_null=True)


DETAIL = TOURNAMENT | {
    "description": "Eight rounds, **one** champion.",
    "format_options": {"rounds": 6},
    "commitment": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
    "secret": None,
    "note": "",
    "entrants": [ENTRANT],
}


@extend_schema_serializer(examples=[OpenApiExample("in full", DETAIL, response_only=True)])
class TournamentDetail(Tournament):
    format_options = serializers.DictField(child=serializers.IntegerField())
    secret = serializers.SerializerMethodField(help_text="The source of its luck, once it is over.")
    entrants = Entrant(source="enrolments", many=True)

    class Meta:
        model = TournamentRow
        fields = list(DETAIL)

    def get_secret(self, tournament: TournamentRow) -> str | None:
        return tournament.secret if tournament.is_over else None


class Size(Asked):
    """What decides how long a tournament is."""

    format_options = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=1000), required=False
    )
    sets = serializers.IntegerField(min_value=1, max_value=9, required=False)
    entry = serializers.ChoiceField(choices=TournamentRow.Entry.values, required=False)
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
    seeding = serializers.ChoiceField(choices=TournamentRow.Seeding.values, required=False)
    is_public = serializers.BooleanField(required=False)
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


PREVIEW = {
    "game": "hot_ramen",
    "seats": 2,
    "format": "swiss",
    "entrants": 32,
    "rounds": 6,
    "matches": 96,
    "sets": 192,
    "plays": 384,
    "duration_s": 198.0,
    "is_measured": True,
    "note": "6 rounds; nobody is out",
}


@extend_schema_serializer(examples=[OpenApiExample("a preview", PREVIEW, response_only=True)])
class Preview(serializers.Serializer):
    """What a tournament will be if all its places are taken and nobody withdraws."""

    game = serializers.CharField()
    seats = serializers.IntegerField()
    format = serializers.ChoiceField(choices=list(FORMATS))
    entrants = serializers.IntegerField()
    rounds = serializers.IntegerField()
    matches = serializers.IntegerField()
    sets = serializers.IntegerField(help_text="Of all matches together.")
    plays = serializers.IntegerField()
    duration_s = serializers.FloatField(help_text="About how long it takes, in seconds.")
    is_measured = serializers.BooleanField(
        help_text="Whether the duration follows from matches of this board."
    )
    note = serializers.CharField(help_text="The format's own words on it.")


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
    "commitment": DETAIL["commitment"],
    "secret": None,
    "entrants": [],
    "tables": [],
    "standings": [],
}
RESULTS = (
    "place,seed,bot,owner,version,points,Buchholz,why\r\n1,2,Wok,alice,3,5.5,19,most points\r\n"
)
RECORD_SCHEMA = {"type": "object", "additionalProperties": True}

FORMAT = {
    "name": "swiss",
    "title": "Swiss",
    "fewest_entrants": 2,
    "options": [
        {
            "name": "rounds",
            "description": "Rounds",
            "default": 0,
            "lowest": 0,
            "highest": 20,
        }
    ],
}


class FormatOption(serializers.Serializer):
    name = serializers.CharField()
    description = serializers.CharField()
    default = serializers.IntegerField()
    lowest = serializers.IntegerField()
    highest = serializers.IntegerField()


@extend_schema_serializer(examples=[OpenApiExample("a format", FORMAT)])
class Format(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()
    fewest_entrants = serializers.IntegerField()
    options = FormatOption(many=True)
