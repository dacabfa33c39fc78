from __future__ import annotations

from datetime import timedelta

from django.db import models, transaction
from django.db.models import Q
from django.db.models.functions import Now

from engine.analysis.analyst import analyst_for
from engine.analysis.run import budget
from engine.analysis.values import edition_of
from engine.games import GAMES

LEASE = timedelta(minutes=10)
MAX_ATTEMPTS = 3


def editions() -> list[str]:
    """What the server's analyses are of today, one for each game: it uses the standard budget."""
    analysts = [analyst_for(game) for game in GAMES.values()]
    return [edition_of(analyst.fingerprint(), budget(analyst, "standard")) for analyst in analysts]


class PlayAnalysisQuerySet(models.QuerySet["PlayAnalysis"]):
    def waiting(self) -> PlayAnalysisQuerySet:
        """Queued, or left behind by a worker that is gone; in the order of asking."""
        left = Q(status=PlayAnalysis.Status.RUNNING, lease_until__lt=Now())
        return self.filter(Q(status=PlayAnalysis.Status.QUEUED) | left).order_by("pk")

    def current(self) -> PlayAnalysisQuerySet:
        """Done by the analysts of today."""
        return self.filter(status=PlayAnalysis.Status.DONE, edition__in=editions())

    def stale(self) -> PlayAnalysisQuerySet:
        """Done by an analyst or with settings that have changed since."""
        done = self.filter(status=PlayAnalysis.Status.DONE)
        return done.exclude(edition__in=editions()).order_by("-pk")

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
    # Of the analyst and its settings; one that differs from today's is stale.
    edition = models.CharField(max_length=64, blank=True, default="", db_default="", db_index=True)
    content = models.BinaryField(null=True)  # gzipped JSON, docs/analysis.md
    problem = models.CharField(max_length=200, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    is_studied = models.BooleanField(default=False)  # its seats and decisions have rows below

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
            models.Index(
                fields=["id"],
                name="analysis_unstudied",
                condition=Q(status="done", is_studied=False),
            ),
        ]

    def __str__(self) -> str:
        return f"analysis of play {self.play_id}"


class JudgedSeat(models.Model):
    """What a stored analysis says of one seat, to be added up over a bot's plays."""

    analysis = models.ForeignKey(PlayAnalysis, on_delete=models.CASCADE, related_name="judged")
    seat = models.PositiveSmallIntegerField()
    seats = models.PositiveSmallIntegerField()
    bot = models.ForeignKey("ladder.Bot", on_delete=models.CASCADE, related_name="+")
    version = models.ForeignKey("ladder.Version", on_delete=models.CASCADE, related_name="+")
    opponents = models.JSONField()  # bots at the other seats
    is_judged = models.BooleanField()  # by a validated analyst
    # In hundredths of a point of expected share.
    result = models.IntegerField()
    luck = models.IntegerField()
    own = models.IntegerField()
    others = models.IntegerField()
    # By phase and by kind of decision: how many with a choice, and what they lost.
    phases = models.JSONField()
    kinds = models.JSONField()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["analysis", "seat"], name="one_judgement_per_seat")
        ]
        indexes = [
            models.Index(fields=["bot", "seats", "-id"], name="judged_by_bot"),
            models.Index(fields=["version", "seats", "-id"], name="judged_by_version"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of analysis {self.analysis_id}"


class JudgedDecision(models.Model):
    """A decision that a stored analysis has marked."""

    judged = models.ForeignKey(JudgedSeat, on_delete=models.CASCADE, related_name="decisions")
    bot = models.ForeignKey("ladder.Bot", on_delete=models.CASCADE, related_name="+")
    version = models.ForeignKey("ladder.Version", on_delete=models.CASCADE, related_name="+")
    seats = models.PositiveSmallIntegerField()
    before = models.PositiveIntegerField()  # the step of the position in which it was asked
    step = models.PositiveIntegerField()  # and that after it
    kind = models.CharField(max_length=40)
    mark = models.CharField(max_length=10)
    played = models.CharField(max_length=1000)
    best = models.CharField(max_length=1000)
    regret = models.IntegerField()  # in hundredths of a point
    error = models.IntegerField()
    sentence = models.TextField()

    class Meta:
        ordering = ["-regret", "id"]
        indexes = [
            models.Index(
                models.F("bot"),
                models.F("seats"),
                models.F("regret").desc(),
                models.F("id"),
                name="decision_by_bot",
            ),
            models.Index(
                models.F("version"),
                models.F("seats"),
                models.F("regret").desc(),
                models.F("id"),
                name="decision_by_version",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mark} of bot {self.bot_id}"
