from __future__ import annotations

import math
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from engine.games import MAX_SEATS
from ladder.api.v1.shapes.asked import Asked
from ladder.models import Trial as TrialRow
from ladder.ratings import trial as gsprt

TRIAL = {
    "id": 5,
    "bot": 12,
    "old": 2,
    "new": 3,
    "seats": 2,
    "promote": True,
    "status": "running",
    "counts": [3, 5, 20, 9, 6],
    "pairs": 43,
    "cap": 1200,
    "attempt": 1,
    "provable_elo": 35.4,
    "llr": 0.84,
    "elo": 26.1,
    "elo_low": -9.4,
    "elo_high": 61.9,
    "superiority": 0.93,
    "created_at": "2026-03-01T12:00:00Z",
    "ended_at": None,
    "page": "/trials/5/",
}


@extend_schema_serializer(examples=[OpenApiExample("a trial", TRIAL, response_only=True)])
class Trial(serializers.ModelSerializer):
    bot = serializers.IntegerField(source="bot_id")
    old = serializers.IntegerField(source="old.number")
    new = serializers.IntegerField(source="new.number")
    status = serializers.ChoiceField(choices=TrialRow.Status.values)
    counts = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Pairs by how they ended for the new version, from lost twice to won twice.",
    )
    pairs = serializers.SerializerMethodField()
    attempt = serializers.IntegerField(
        help_text="How many trials of these two versions there were, this one included: each passes"
        " by luck one time in twenty."
    )
    elo = serializers.SerializerMethodField(
        help_text="The difference, free of the luck of when the trial stopped."
    )
    elo_low = serializers.SerializerMethodField(help_text="Of the difference's 95% interval.")
    elo_high = serializers.SerializerMethodField()
    superiority = serializers.SerializerMethodField()
    provable_elo = serializers.SerializerMethodField(
        help_text="The smallest advantage that would show within the cap, 19 times out of 20."
    )
    page = serializers.SerializerMethodField()

    class Meta:
        model = TrialRow
        fields = list(TRIAL)

    def _standing(self, trial: Any) -> gsprt.Trial:
        return gsprt.Trial(tuple(trial.counts or [0] * 5), cap=trial.cap)

    def get_pairs(self, trial: Any) -> int:
        return sum(trial.counts)

    def get_elo(self, trial: Any) -> float | None:
        return _finite(self._standing(trial).elo)

    def get_elo_low(self, trial: Any) -> float | None:
        return _finite(self._standing(trial).elo_interval[0])

    def get_elo_high(self, trial: Any) -> float | None:
        return _finite(self._standing(trial).elo_interval[1])

    def get_superiority(self, trial: Any) -> float:
        return self._standing(trial).superiority

    def get_provable_elo(self, trial: Any) -> float | None:
        return _finite(self._standing(trial).provable_elo)

    def get_page(self, trial: Any) -> str:
        return reverse("trial", args=[trial.pk])


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


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
