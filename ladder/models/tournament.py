from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q
from django.utils import timezone

from ladder.boards import Board, game_choices
from ladder.contract.accounts import Reader, manages
from ladder.models.access import is_hidden_from

if TYPE_CHECKING:
    from ladder.models.bot import Version


class TournamentQuerySet(models.QuerySet["Tournament"]):
    def visible_to(self, user: Reader | None) -> TournamentQuerySet:
        """All public ones, and private ones that the user runs or has a bot in; for None, those
        that are listed for everyone."""
        return self.exclude(is_hidden_from(user))

    def upcoming(self) -> TournamentQuerySet:
        return self.filter(status=Tournament.Status.ENROLLING)

    def under_way(self) -> TournamentQuerySet:
        return self.filter(status__in=[Tournament.Status.RUNNING, Tournament.Status.PAUSED])

    def past(self) -> TournamentQuerySet:
        return self.filter(status__in=[Tournament.Status.FINISHED, Tournament.Status.CANCELLED])


class Tournament(models.Model):
    """A competition that schedules itself from its format and its stored results."""

    class Status(models.TextChoices):
        ENROLLING = "enrolling"
        RUNNING = "running"
        PAUSED = "paused"
        FINISHED = "finished"
        CANCELLED = "cancelled"

    class Entry(models.TextChoices):
        OPEN = "open", "anyone may enrol"
        INVITATION = "invitation", "by invitation"
        TOP = "top", "the top of the board"

    class Seeding(models.TextChoices):
        FITTED = "fitted", "by rating"
        RANDOM = "random", "at random"
        MANUAL = "manual", "by hand"

    name = models.CharField(max_length=80)
    organiser = models.ForeignKey(
        "ladder.User", on_delete=models.PROTECT, related_name="tournaments"
    )
    description = models.TextField(blank=True, max_length=5000)  # Markdown, sanitised when shown
    game = models.CharField(max_length=40, choices=game_choices)
    seats = models.PositiveSmallIntegerField()
    format = models.CharField(max_length=30)
    format_options = models.JSONField(default=dict, blank=True)
    sets = models.PositiveSmallIntegerField(default=1)  # duplicate sets per match
    entry = models.CharField(max_length=12, choices=Entry, default=Entry.OPEN)
    top_count = models.PositiveSmallIntegerField(null=True, blank=True)
    max_entrants = models.PositiveSmallIntegerField(default=64)
    seeding = models.CharField(max_length=10, choices=Seeding, default=Seeding.FITTED)
    is_public = models.BooleanField(default=True)
    is_open_class = models.BooleanField(default=False)  # remote bots may take part
    enrol_from = models.DateTimeField(null=True, blank=True)
    enrol_until = models.DateTimeField(null=True, blank=True)
    start_at = models.DateTimeField(null=True, blank=True)  # None: started by hand
    check_in_minutes = models.PositiveSmallIntegerField(default=0)  # before the start; 0: none
    is_check_in_announced = models.BooleanField(default=False, editable=False)
    cup_on = models.DateField(null=True, blank=True, editable=False)  # of a daily cup
    status = models.CharField(max_length=10, choices=Status, default=Status.ENROLLING)
    secret = models.CharField(max_length=64)  # the source of all its luck, published at the end
    commitment = models.CharField(max_length=64)  # its hash, published at the beginning
    steps = models.PositiveIntegerField(default=0)  # its clock: one more for each change of tables
    note = models.CharField(max_length=200, blank=True)  # why it rests or was called off
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = TournamentQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["cup_on", "game"], name="one_cup_per_game_and_day")
        ]
        indexes = [
            models.Index(fields=["status", "-id"], name="tournament_by_status"),
            models.Index(fields=["-id"], name="tournament_cups", condition=Q(cup_on__isnull=False)),
            models.Index(fields=["game", "-id"], name="tournament_by_game"),
            models.Index(fields=["seats", "-id"], name="tournament_by_seats"),
            models.Index(fields=["format", "-id"], name="tournament_by_format"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def board(self) -> Board:
        return Board(self.game, self.seats)

    @property
    def is_over(self) -> bool:
        return self.status in (self.Status.FINISHED, self.Status.CANCELLED)

    def is_managed_by(self, user: Reader) -> bool:
        """Whether this user runs it: its organiser, or an operator."""
        return manages(user, self.organiser_id)

    @property
    def check_in_from(self) -> datetime | None:
        """When entrants may begin to check in; None where nobody has to."""
        if self.start_at is None or not self.check_in_minutes:
            return None
        return self.start_at - timedelta(minutes=self.check_in_minutes)

    @property
    def has_opened_check_in(self) -> bool:
        opens = self.check_in_from
        return opens is not None and opens <= timezone.now()


class EnrolmentQuerySet(models.QuerySet["Enrolment"]):
    def taking_part(self) -> EnrolmentQuerySet:
        """Enrolled and not gone."""
        return self.filter(status=Enrolment.Status.ENROLLED)

    def accepted(self) -> EnrolmentQuerySet:
        """Of bots that said yes, also when they left later: an invitation alone says nothing."""
        return self.exclude(status=Enrolment.Status.INVITED)

    def visible_to(self, user: Reader | None) -> EnrolmentQuerySet:
        return self.exclude(is_hidden_from(user, "tournament"))


class Enrolment(models.Model):
    """A bot in a tournament; its version and seed are fixed when it starts."""

    class Status(models.TextChoices):
        INVITED = "invited"
        ENROLLED = "enrolled"
        WITHDRAWN = "withdrawn"
        DISQUALIFIED = "disqualified"
        ABSENT = "absent"  # it did not check in

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="enrolments")
    bot = models.ForeignKey("ladder.Bot", on_delete=models.PROTECT, related_name="enrolments")
    version = models.ForeignKey(
        "ladder.Version", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    seed = models.PositiveSmallIntegerField(null=True, blank=True)  # 1 is the favourite
    status = models.CharField(max_length=12, choices=Status, default=Status.ENROLLED)
    checked_in_at = models.DateTimeField(null=True, blank=True)
    final_rank = models.PositiveSmallIntegerField(null=True, blank=True)
    rating = models.FloatField(null=True, blank=True)  # Elo at the start: seeds, gauntlet anchors
    rating_error = models.FloatField(null=True, blank=True)  # its standard error then
    left_at_step = models.PositiveIntegerField(null=True, blank=True)  # of the tournament's clock
    created_at = models.DateTimeField(auto_now_add=True)

    objects = EnrolmentQuerySet.as_manager()

    class Meta:
        ordering = ["tournament", "seed", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "bot"], name="one_enrolment_per_bot"),
            models.UniqueConstraint(
                fields=["tournament", "seed"],
                name="one_enrolment_per_seed",
                condition=Q(seed__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bot} in {self.tournament}"

    @property
    def has_checked_in(self) -> bool:
        """Since check-in opened; a house bot is always there, who is only invited never."""
        if self.status == Enrolment.Status.INVITED:
            return False
        opens = self.tournament.check_in_from
        when = self.checked_in_at
        return self.bot.is_house or bool(opens and when and when >= opens)

    @property
    def fixed_version(self) -> Version:
        """Its version in a tournament that has begun."""
        assert self.version is not None, "it is fixed when the tournament starts"
        return self.version


class PairingQuerySet(models.QuerySet["Pairing"]):
    def open(self) -> PairingQuerySet:
        """Not decided and not called off."""
        return self.filter(finished_at=None)


class Pairing(models.Model):
    """One table of a tournament round; its matches are its sets."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="pairings")
    round = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField()
    label = models.CharField(max_length=40)
    drawn = models.JSONField()  # seeds, in table order, when the table was made
    drawn_at_step = models.PositiveIntegerField()
    entrants = models.JSONField()  # those of them who have not withdrawn before it was decided
    # {"sets": [...]}, see ladder.tournaments.record; None while open, or if it was called off
    result = models.JSONField(null=True, blank=True)
    finished_at_step = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = PairingQuerySet.as_manager()

    class Meta:
        ordering = ["tournament", "round", "table"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "round", "table"], name="one_pairing_per_table"
            )
        ]

    def __str__(self) -> str:
        return f"{self.tournament} {self.label}"
