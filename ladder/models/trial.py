from __future__ import annotations

from django.db import models
from django.db.models import Q

from ladder.boards import Board


class Trial(models.Model):
    """Did the new version get better? Duplicate pairs of old against new until it shows."""

    class Status(models.TextChoices):
        RUNNING = "running"
        PASSED = "passed", "better"
        FAILED = "failed", "not better"
        CAPPED = "capped", "no answer within the cap"
        CANCELLED = "cancelled"

    bot = models.ForeignKey("ladder.Bot", on_delete=models.CASCADE, related_name="trials")
    old = models.ForeignKey("ladder.Version", on_delete=models.CASCADE, related_name="+")
    new = models.ForeignKey("ladder.Version", on_delete=models.CASCADE, related_name="+")
    seats = models.PositiveSmallIntegerField(default=2)
    promote = models.BooleanField(default=False)  # activate the new version on a pass
    status = models.CharField(max_length=10, choices=Status, default=Status.RUNNING)
    counts = models.JSONField(default=list)  # pentanomial: LL, LD, WL or DD, WD, WW
    llr = models.FloatField(default=0)
    cap = models.PositiveIntegerField()
    created_by = models.ForeignKey("ladder.User", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["status", "-id"], name="trial_by_status")]
        constraints = [
            models.UniqueConstraint(
                fields=["bot"], name="one_trial_at_a_time", condition=Q(status="running")
            )
        ]

    def __str__(self) -> str:
        return f"{self.bot}: v{self.old.number} or v{self.new.number}?"

    @property
    def board(self) -> Board:
        return Board(self.bot.game, self.seats)
