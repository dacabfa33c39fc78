from __future__ import annotations

from datetime import timedelta

from django.db import models, transaction
from django.db.models import Q
from django.db.models.functions import Now

LEASE = timedelta(minutes=10)
MAX_ATTEMPTS = 3


class PlayAnalysisQuerySet(models.QuerySet["PlayAnalysis"]):
    def waiting(self) -> PlayAnalysisQuerySet:
        """Queued, or left behind by a worker that is gone; in the order of asking."""
        left = Q(status=PlayAnalysis.Status.RUNNING, lease_until__lt=Now())
        return self.filter(Q(status=PlayAnalysis.Status.QUEUED) | left).order_by("pk")

    def claim_next(self) -> PlayAnalysis | None:
        """Take the oldest for this process, or None when there is nothing to do."""
        while (found := self.waiting().first()) is not None:
            if found.attempt >= MAX_ATTEMPTS:
                # Whatever ends its workers must not end the next one too.
                self.waiting().filter(pk=found.pk, attempt=found.attempt).update(
                    status=PlayAnalysis.Status.FAILED,
                    lease_until=None,
                    problem=f"Its worker stopped {MAX_ATTEMPTS} times before it was done.",
                )
                continue
            claimed = {
                "status": PlayAnalysis.Status.RUNNING,
                "attempt": found.attempt + 1,
                "lease_until": Now() + LEASE,
            }
            with transaction.atomic():
                if self.waiting().filter(pk=found.pk, attempt=found.attempt).update(**claimed):
                    found.attempt += 1
                    return found
        return None


class PlayAnalysis(models.Model):
    """What the server found out about the decisions of a play, or is asked to."""

    class Status(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    play = models.OneToOneField("ladder.Play", on_delete=models.CASCADE, related_name="analysis")
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    why = models.CharField(max_length=40)
    requested_by = models.ForeignKey(
        "ladder.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    attempt = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    key = models.CharField(max_length=64, blank=True, default="")  # of replay, analyst, settings
    content = models.BinaryField(null=True)  # gzipped JSON, docs/analysis.md
    problem = models.CharField(max_length=200, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = PlayAnalysisQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "play analyses"
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(status="done") | Q(content__isnull=False),
                name="analysed_means_stored",
            )
        ]
        indexes = [
            models.Index(
                fields=["id"],
                name="analysis_open",
                condition=Q(status__in=["queued", "running"]),
            ),
            models.Index(fields=["requested_by", "created_at"], name="analysis_requests"),
        ]

    def __str__(self) -> str:
        return f"analysis of play {self.play_id}"
