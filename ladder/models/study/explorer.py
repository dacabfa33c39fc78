from __future__ import annotations

from django.db import models


class MoveTally(models.Model):
    """How often a version gave a kind of answer in a kind of position, and what came of it."""

    version = models.ForeignKey(
        "ladder.Version", on_delete=models.CASCADE, related_name="+", db_index=False
    )
    seats = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=120)
    answer = models.CharField(max_length=120)
    times = models.PositiveIntegerField(default=0)
    plays = models.PositiveIntegerField(default=0)  # in which it was given
    result_sum = models.FloatField(default=0)  # of these plays: share of opponents beaten

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["version", "seats", "kind", "answer"], name="one_tally_per_answer"
            )
        ]

    def __str__(self) -> str:
        return f"{self.version_id}: {self.kind}, {self.answer}"


class Explored(models.Model):
    """How far the ladder matches of a version have been counted."""

    version = models.ForeignKey(
        "ladder.Version", on_delete=models.CASCADE, related_name="+", db_index=False
    )
    seats = models.PositiveSmallIntegerField()
    last_match = models.BigIntegerField(default=0)
    plays = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "seats"], name="one_count_per_version")
        ]

    def __str__(self) -> str:
        return f"{self.version_id} at {self.seats} seats: {self.plays} plays"
