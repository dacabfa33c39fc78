from __future__ import annotations

from django.db import models

from ladder.models.match import Match


class Exhibition(models.Model):
    """Why an unrated match of the site itself is played, and what it cost."""

    class Theme(models.TextChoices):
        RIVALS = "rivals", "close rivals"
        GENERATIONS = "generations", "new against old"
        DAY = "day", "match of the day"

    match = models.OneToOneField(
        Match, on_delete=models.CASCADE, primary_key=True, related_name="exhibition"
    )
    theme = models.CharField(max_length=12, choices=Theme)
    day = models.DateField(null=True, blank=True, unique=True)  # of a match of the day
    cpu_us = models.BigIntegerField(default=0)  # of bots and worker, attempts cut short included
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(theme="day", day__isnull=False)
                | (~models.Q(theme="day") & models.Q(day__isnull=True)),
                name="match_of_the_day_has_a_day",
            )
        ]

    def __str__(self) -> str:
        return f"exhibition {self.match_id}, {self.theme}"
