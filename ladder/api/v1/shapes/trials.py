from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from engine.games import MAX_SEATS
from ladder.api.v1.shapes.asked import Asked


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "is 3 better than 2?",
            {"bot": 12, "old": 2, "new": 3, "seats": 2, "promote": True},
            request_only=True,
        )
    ]
)
class NewTrial(Asked):
    bot = serializers.IntegerField(min_value=1, max_value=2**53)
    old = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
    new = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
    seats = serializers.IntegerField(min_value=1, max_value=MAX_SEATS, default=2)
    promote = serializers.BooleanField(
        default=False, help_text="Let the new version play if it is better."
    )
