from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from engine.games import MAX_SEATS
from ladder.api.v1.shapes.asked import Asked
from ladder.api.v1.shapes.games import GameField
from ladder.contract import example
from ladder.contract.authorship import Authorship
from ladder.contract.bots import Source
from ladder.services import bots
from ladder.services.publishing import profiles
from sandbox.languages import LANGUAGES, LARGEST_TEXT

NAME: Any = {"regex": bots.NAME.regex, "error_messages": {"invalid": bots.NAME.message}}


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
    name = serializers.RegexField(**NAME, max_length=32)
    seat_counts = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_SEATS),
        required=False,
        max_length=MAX_SEATS,
        help_text="The boards it plays on; all of the game's if left out.",
    )
    is_source_public = serializers.BooleanField(default=False)


class Tag(serializers.RegexField):
    """A word to find bots by; a number is no word."""

    def __init__(self) -> None:
        super().__init__(profiles.TAG, max_length=24)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


@extend_schema_serializer(
    examples=[OpenApiExample("rename it", {"name": "Wok Star"}, request_only=True)]
)
class BotChange(Asked):
    name = serializers.RegexField(**NAME, max_length=32, required=False)
    is_source_public = serializers.BooleanField(required=False)
    meets_remote = serializers.BooleanField(required=False)
    description = serializers.CharField(
        max_length=profiles.MOST_LETTERS, required=False, allow_blank=True
    )
    homepage = serializers.CharField(
        max_length=200, required=False, allow_blank=True, help_text="An http or https address."
    )
    licence = serializers.CharField(max_length=60, required=False, allow_blank=True)
    tags = serializers.ListField(
        child=Tag(),
        required=False,
        max_length=profiles.MOST_TAGS,
    )


TEXTS = "|".join(language.slug for language in LANGUAGES if language.is_text)


class Told(Asked):
    note = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    authorship = serializers.ChoiceField(
        [*Authorship], required=False, default="", allow_blank=True, help_text="Who wrote it."
    )
    activate = serializers.BooleanField(
        default=True, help_text="Let it play as soon as the gate accepts it."
    )


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "a script",
            {"filename": "wok.py", "source": example(Source)["source"]},
            request_only=True,
        )
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
