from __future__ import annotations

from django.db import models

from ladder.boards import game_choices


class Dataset(models.Model):
    """Files of what was played on a board in a day, or of the replays of a month."""

    game = models.CharField(max_length=40, choices=game_choices)
    seats = models.PositiveSmallIntegerField()
    period = models.CharField(max_length=10)  # 2026-11-17, or 2026-11
    is_sealed = models.BooleanField()
    made_at = models.DateTimeField(auto_now=True)
    engine = models.CharField(max_length=80)
    rules_versions = models.JSONField()
    matches = models.PositiveIntegerField()
    plays = models.PositiveIntegerField()
    decisions = models.PositiveIntegerField()
    replays = models.PositiveIntegerField()
    missing_replays = models.PositiveIntegerField()
    files = models.JSONField()  # name, stored, rows, size, sha256

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["period", "game", "seats"], name="one_dataset_per_board_and_period"
            )
        ]
        indexes = [
            models.Index(fields=["game", "seats", "-id"], name="dataset_by_board"),
            models.Index(fields=["game", "-id"], name="dataset_by_game"),
            models.Index(fields=["seats", "-id"], name="dataset_by_seats"),
        ]

    def __str__(self) -> str:
        return f"{self.game}/{self.seats} of {self.period}"
