from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from engine.games import MAX_SEATS
from ladder.api.v1.shapes.asked import Asked
from ladder.api.v1.shapes.games import GameField
from ladder.api.v1.shapes.shares import Share
from ladder.models import Bot as BotRow
from ladder.models import Version as VersionRow
from ladder.models.bot import NAME as NAME_RULE
from ladder.services import bots
from sandbox.languages import LANGUAGES, LARGEST_TEXT

NAME = NAME_RULE.regex
BAD_NAME: Any = {"invalid": NAME_RULE.message}

BOT = {
    "id": 12,
    "name": "Wok",
    "game": "hot_ramen",
    "owner": "alice",
    "status": "active",
    "seat_counts": [2, 3, 4],
    "is_source_public": False,
    "is_house": False,
    "active_version": 3,
    "created_at": "2026-02-01T09:00:00Z",
    "page": "/bots/12/",
}


@extend_schema_serializer(examples=[OpenApiExample("a bot", BOT, response_only=True)])
class Bot(serializers.ModelSerializer):
    owner = serializers.CharField(source="owner.username")
    seat_counts = serializers.ListField(child=serializers.IntegerField())
    status = serializers.ChoiceField(choices=BotRow.Status.values)
    active_version = serializers.IntegerField(
        source="active_version.number", allow_null=True, default=None
    )
    page = serializers.SerializerMethodField()

    class Meta:
        model = BotRow
        fields = list(BOT)

    def get_page(self, bot: BotRow) -> str:
        return reverse("bot", args=[bot.pk])


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "a new bot",
            {"game": "hot_ramen", "name": "Wok", "seat_counts": [2, 3, 4]},
            request_only=True,
        )
    ]
)
class NewBot(Asked):
    game = GameField()
    name = serializers.RegexField(NAME, max_length=32, error_messages=BAD_NAME)
    seat_counts = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_SEATS),
        required=False,
        max_length=MAX_SEATS,
        help_text="The boards it plays on; all of the game's if left out.",
    )
    is_source_public = serializers.BooleanField(default=False)


@extend_schema_serializer(
    examples=[OpenApiExample("rename it", {"name": "Wok Star"}, request_only=True)]
)
class BotChange(Asked):
    name = serializers.RegexField(NAME, max_length=32, required=False, error_messages=BAD_NAME)
    is_source_public = serializers.BooleanField(required=False)


VERSION = {
    "bot": 12,
    "number": 3,
    "language": "py",
    "size": 4210,
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "status": "accepted",
    "is_active": True,
    "parent": 2,
    "note": "looks two dice ahead",
    "created_at": "2026-02-03T09:00:00Z",
    "checked_at": "2026-02-03T09:00:04Z",
}


@extend_schema_serializer(examples=[OpenApiExample("a version", VERSION, response_only=True)])
class Version(serializers.ModelSerializer):
    bot = serializers.IntegerField(source="bot_id")
    status = serializers.ChoiceField(choices=VersionRow.Status.values)
    is_active = serializers.SerializerMethodField()
    parent = serializers.IntegerField(  # type: ignore[assignment]
        source="parent.number", allow_null=True, default=None
    )

    class Meta:
        model = VersionRow
        fields = list(VERSION)

    def get_is_active(self, version: VersionRow) -> bool:
        return version.bot.active_version_id == version.pk


TEXTS = "|".join(language.slug for language in LANGUAGES if language.is_text)
SOURCE = "def decide(view):\n    return view['legal'][0]\n"


class Told(Asked):
    note = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    activate = serializers.BooleanField(
        default=True, help_text="Let it play as soon as the gate accepts it."
    )


@extend_schema_serializer(
    examples=[
        OpenApiExample("a script", {"filename": "wok.py", "source": SOURCE}, request_only=True)
    ]
)
class NewVersion(Told):
    filename = serializers.RegexField(rf"^[^/\\\x00]{{1,96}}\.({TEXTS})$", max_length=100)
    source = serializers.CharField(  # type: ignore[assignment]
        min_length=1,
        max_length=LARGEST_TEXT,
        trim_whitespace=False,
        help_text="The script's text.",
    )

    def script(self) -> tuple[str, bytes]:
        data: dict[str, Any] = self.validated_data
        return data["filename"], data["source"].encode()


@extend_schema_field({"type": "string", "format": "binary", "minLength": 1})
class UploadedFile(serializers.FileField):
    """Bytes on the way in; the schema would otherwise name it by the URI of a stored file."""


class NewVersionFile(Told):
    """A form with the bot's file."""

    file = UploadedFile(max_length=100)

    def script(self) -> tuple[str, bytes]:
        file = self.validated_data["file"]
        # One byte more than a service takes is enough for it to refuse.
        return file.name, file.read(bots.LARGEST + 1)


@extend_schema_serializer(
    examples=[
        OpenApiExample("source", {"filename": "bot.py", "source": SOURCE, "encoding": "utf-8"})
    ]
)
class Source(serializers.Serializer):
    filename = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    encoding = serializers.ChoiceField(
        choices=["utf-8", "base64"], help_text="Base64 where the file is no text."
    )


REPORT = {
    "status": "rejected",
    "verdict": "wok.py was rejected: it crashed at 2 seats.",
    "rows": [{"step": "2 seats", "ok": False, "sentence": "KeyError in line 2"}],
}


@extend_schema_serializer(examples=[OpenApiExample("a report", REPORT)])
class Report(serializers.Serializer):
    """The gate's findings, for the bot's author."""

    status = serializers.ChoiceField(choices=VersionRow.Status.values)
    verdict = serializers.CharField(allow_blank=True, help_text="Empty while it is checked.")
    rows = serializers.ListField(child=serializers.DictField())


RATING = {
    "game": "hot_ramen",
    "seats": 4,
    "version": 3,
    "rank": 1,
    "elo": 1712.4,
    "low": 1668.1,
    "high": 1759.0,
    "band": 1,
    "is_provisional": False,
    "is_listed": True,
    "sets": 120,
    "plays": 480,
    "win_rate": 0.61,
    "last_played_at": "2026-03-01T12:00:00Z",
}


@extend_schema_serializer(examples=[OpenApiExample("a rating", RATING)])
class Rating(serializers.Serializer):
    game = serializers.CharField()
    seats = serializers.IntegerField()
    version = serializers.IntegerField(source="version.number")
    rank = serializers.IntegerField(
        allow_null=True, help_text="On the ladder; null while provisional or not listed."
    )
    elo = serializers.FloatField()
    low = serializers.FloatField(help_text="Of the 95% interval; far off where little is known.")
    high = serializers.FloatField()
    band = serializers.IntegerField(allow_null=True)
    is_provisional = serializers.BooleanField()
    is_listed = serializers.BooleanField()
    sets = serializers.IntegerField()
    plays = serializers.IntegerField()
    win_rate = serializers.FloatField(allow_null=True)
    last_played_at = serializers.DateTimeField(allow_null=True)


TALLY = {"seats": 4, "won": 9, "drawn": 1, "lost": 5, "share": 0.633, "low": 0.39, "high": 0.82}


class Tally(Share):
    seats = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()


@extend_schema_serializer(
    many=False,
    examples=[
        OpenApiExample(
            "two bots",
            {"bot": BOT, "other": BOT | {"id": 9, "name": "Ladle"}, "boards": [TALLY]},
        )
    ],
)
class HeadToHead(serializers.Serializer):
    """The bot's record against the other in their newest common matches."""

    bot = Bot()
    other = Bot()
    boards = Tally(many=True)


FIGURES = {
    "game": "hot_ramen",
    "seats": 4,
    "matches": 40,
    "opponents": [
        {"bot": 9, "name": "Ladle", "sets": 15, "share": 0.633, "low": 0.39, "high": 0.82}
    ],
    "by_seat": [{"seat": 0, "plays": 40, "share": 0.31, "low": 0.19, "high": 0.46}],
    "faults": [{"kind": "timeout", "count": 2}],
    "cpu_us": 412.7,
    "memory_kb": 14_208,
}


class Opponent(Share):
    bot = serializers.IntegerField()
    name = serializers.CharField()
    sets = serializers.IntegerField()


class SeatShare(Share):
    seat = serializers.IntegerField()
    plays = serializers.IntegerField()


class FaultCount(serializers.Serializer):
    kind = serializers.CharField()
    count = serializers.IntegerField()


@extend_schema_serializer(many=False, examples=[OpenApiExample("figures", FIGURES)])
class Figures(serializers.Serializer):
    """What a bot's newest matches on a board tell about it."""

    game = serializers.CharField()
    seats = serializers.IntegerField()
    matches = serializers.IntegerField(help_text="That were looked at.")
    opponents = Opponent(many=True)
    by_seat = SeatShare(many=True)
    faults = FaultCount(many=True)
    cpu_us = serializers.FloatField(
        allow_null=True, help_text="Per decision, in millionths of a second; null: none was made."
    )
    memory_kb = serializers.IntegerField(help_text="The most in a match.")
