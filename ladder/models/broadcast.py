from __future__ import annotations

from django.db import models
from django.db.models import F

from ladder.contract.accounts import Reader
from ladder.models.access import is_hidden_from
from ladder.models.match import Match


class BroadcastQuerySet(models.QuerySet["Broadcast"]):
    def on_air(self) -> BroadcastQuerySet:
        """Of matches that are being played, as the attempt under way reports them."""
        # Listed by their own index first: SQLite would else walk through all matches of a kind.
        running = Match.all_objects.running().order_by().values("pk")
        return self.filter(match__in=running, attempt=F("match__attempt"))

    def visible_to(self, user: Reader | None) -> BroadcastQuerySet:
        """Those of matches that this user may open; for None, that are listed for everyone."""
        return self.exclude(is_hidden_from(user, "match__pairing__tournament"))


class Broadcast(models.Model):
    """A play of a running match, as far as its worker has reported it; gone with the match."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="broadcasts")
    index = models.PositiveSmallIntegerField()  # of the play in its match
    attempt = models.PositiveSmallIntegerField()  # of the match
    steps = models.PositiveIntegerField()  # of the log
    is_over = models.BooleanField(default=False)
    replay = models.BinaryField()  # so far, gzipped

    objects = BroadcastQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="one_broadcast_per_play")
        ]

    def __str__(self) -> str:
        return f"play {self.index} of match {self.match_id}, {self.steps} steps"
