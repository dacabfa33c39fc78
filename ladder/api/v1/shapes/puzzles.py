from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from ladder.api.v1.shapes.asked import Asked


@extend_schema_serializer(
    examples=[OpenApiExample("an answer", {"action": "buy R"}, request_only=True)]
)
class PuzzleAnswer(Asked):
    action = serializers.RegexField(
        r"^[ -~]*$",
        max_length=1000,
        allow_blank=True,  # no move, as any other text that is none
        trim_whitespace=False,
        help_text="One of the puzzle's `choices`.",
    )
