from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Collection
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection, models, transaction
from django.db.models import Q
from django.db.models.functions import Coalesce, Now

from engine.chance import MAX_SEED
from ladder.boards import Board, game_choices
from ladder.contract.accounts import Reader
from ladder.models.access import is_hidden_from, is_secret


class Seated(NamedTuple):
    """Who sits at a slot of a match."""

    version: int
    number: int  # of the version
    bot: int
    name: str
    owner: int
    is_house: bool


class MatchQuerySet(models.QuerySet["Match"]):
    def waiting(self) -> MatchQuerySet:
        return self.filter(status=Match.Status.QUEUED)

    def due(self) -> MatchQuerySet:
        """Waiting, and not resting after a failed attempt."""
        return self.waiting().filter(Q(retry_at=None) | Q(retry_at__lte=Now()))

    def running(self) -> MatchQuerySet:
        return self.filter(status=Match.Status.RUNNING)

    def finished(self) -> MatchQuerySet:
        return self.filter(status=Match.Status.FINISHED)

    def open(self) -> MatchQuerySet:
        """Neither played nor given up."""
        return self.filter(status__in=[Match.Status.QUEUED, Match.Status.RUNNING])

    def counts_of_open(self) -> Counter[tuple[str, str]]:
        """How many are open, by kind and status."""
        # Counted here, one status after the other: grouping in SQLite would read a whole index.
        return Counter(
            row
            for some in (self.waiting(), self.running())
            for row in some.order_by().values_list("kind", "status")
        )

    def in_status(self, status: str) -> MatchQuerySet:
        """Of one status; any order and further filters may follow.

        All but the finished are few, and each such status has a partial index: their ids are
        listed first. SQLite would otherwise walk through all matches in the order asked for.
        """
        if status == Match.Status.FINISHED:
            return self.filter(status=status)
        few = Match.all_objects.filter(status=status).order_by().values("pk")
        return self.filter(pk__in=few)

    def lapsed(self) -> MatchQuerySet:
        """Running by the row, but the worker has not been heard of for a lease."""
        # Ordered as the index match_leases is; by id, SQLite would read the whole table.
        # A lease that ends later than any can was given by a clock that is ahead.
        ended = Q(lease_until__lt=Now()) | Q(lease_until__gt=Now() + settings.MATCH_LEASE * 2)
        return self.running().filter(ended).order_by("lease_until")

    def ended_after(self, moment: datetime, match: int) -> MatchQuerySet:
        """In the order in which they ended, from the one after that match on."""
        # The redundant bound lets the index match_by_end be entered at the right place.
        later = Q(finished_at__gt=moment) | Q(finished_at=moment, pk__gt=match)
        return self.filter(later, finished_at__gte=moment).order_by("finished_at", "pk")

    def on(self, board: Board) -> MatchQuerySet:
        return self.filter(game=board.game, seats=board.seats)

    def visible_to(self, user: Reader | None) -> MatchQuerySet:
        """What this user may open; for None, what is listed for everyone."""
        return self.exclude(is_secret()).exclude(is_hidden_from(user, "pairing__tournament"))

    def claim_next(self, worker: str, priorities: Collection[int] | None = None) -> Match | None:
        """Take the most urgent match for this worker, or None when there is nothing to do."""
        if priorities is not None and not priorities:
            return None
        chosen = None if priorities is None else frozenset(priorities)
        if connection.features.has_select_for_update_skip_locked:
            with transaction.atomic():
                match = self._next(chosen)
                return match if match is not None and self._take(match, worker) else None
        while (match := self._next(chosen)) is not None:
            if self._take(match, worker):
                return match  # otherwise another worker was quicker: look again
        return None

    def _next(self, priorities: frozenset[int] | None) -> Match | None:
        if self.query.where:  # only some may be taken
            return self._most_urgent(priorities).first()
        return next(iter(self.raw(*_sql_of_next(connection.vendor, priorities))), None)

    def _most_urgent(self, priorities: frozenset[int] | None) -> MatchQuerySet:
        waiting = self.due().order_by("priority", "id")  # leans on the index match_queue
        if priorities is not None:
            waiting = waiting.filter(priority__in=priorities)
        if connection.features.has_select_for_update_skip_locked:
            waiting = waiting.select_for_update(skip_locked=True)
        return waiting

    def _take(self, match: Match, worker: str) -> bool:
        """One conditional UPDATE decides who has it; the row in hand is brought up to date."""
        # Drawn now, since nobody can foresee a deal that does not exist yet. A later attempt keeps
        # it: who had the first one thrown away must not get other luck by that.
        seed = secrets.randbelow(MAX_SEED + 1) if match.seed is None else match.seed
        claimed = {
            "status": Match.Status.RUNNING,
            "seed": seed,
            "attempt": match.attempt + 1,
            "lease_until": Now() + match.lease,
            "started_at": Coalesce("started_at", Now()) if match.is_remote else Now(),
            "worker": worker,
        }
        if not self.waiting().filter(pk=match.pk, attempt=match.attempt).update(**claimed):
            return False
        match.status, match.attempt, match.worker = Match.Status.RUNNING, match.attempt + 1, worker
        match.seed = seed
        return True


# The ORM takes several times as long to write a query as a database to answer it. What is asked
# for every match is written once.
@cache
def _sql_of_next(vendor: str, priorities: frozenset[int] | None) -> tuple[str, tuple[Any, ...]]:
    """The query for the most urgent match."""
    sql, parameters = Match.all_objects.all()._most_urgent(priorities)[:1].query.sql_with_params()
    return sql, parameters


class MatchManager(models.Manager.from_queryset(MatchQuerySet)):  # type: ignore[misc]
    """All but the gate's test plays and tables of people: only the queue and operators see them."""

    def get_queryset(self) -> MatchQuerySet:
        rows: MatchQuerySet = super().get_queryset().exclude(kind__in=Match.UNLISTED)
        return rows


class Match(models.Model):
    """A table of versions and a seed, played as a set of plays."""

    class Kind(models.TextChoices):
        LADDER = "ladder"
        CHALLENGE = "challenge"
        TOURNAMENT = "tournament"
        TRIAL = "trial"
        CHECK = "check"
        REMOTE = "remote"
        EXHIBITION = "exhibition"
        PEOPLE = "people"

    class Status(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        FINISHED = "finished"
        VOID = "void"
        CANCELLED = "cancelled"

    class VoidCause(models.TextChoices):
        """Why it does not count, for programs; `void_reason` says it in words."""

        FAILED = "failed", "we failed too often"
        LEFT = "left", "an entrant of its table withdrew"
        CALLED_OFF = "called_off", "what it was for is over"
        OPERATOR = "operator", "an operator decided so"

    PRIORITY = {
        Kind.CHECK: 0,
        Kind.TRIAL: 1,
        Kind.CHALLENGE: 1,
        Kind.TOURNAMENT: 2,
        Kind.LADDER: 3,
        Kind.REMOTE: 4,  # no queue of Celery serves it: keepers look for themselves
        Kind.EXHIBITION: 5,  # after all that anybody waits for
        Kind.PEOPLE: 6,  # of keepers too, which have room for them beside remote bots
    }

    HELD_BY_KEEPERS = (Kind.REMOTE, Kind.PEOPLE)
    UNLISTED = (Kind.CHECK, Kind.PEOPLE)  # on no page and in no list

    kind = models.CharField(max_length=12, choices=Kind)
    game = models.CharField(max_length=40, choices=game_choices)
    seats = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict, blank=True)
    seed = models.BigIntegerField(null=True, blank=True)  # drawn when it is claimed, unless given
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    priority = models.PositiveSmallIntegerField()
    why = models.TextField(blank=True)  # in words: why these bots meet
    request = models.CharField(max_length=64, blank=True, default="")  # which asked for it; in logs
    attempt = models.PositiveSmallIntegerField(default=0)
    attempts = models.JSONField(default=list, blank=True)  # failed ones: attempt, worker, why
    retry_at = models.DateTimeField(null=True, blank=True)  # rests until then after a failure
    lease_until = models.DateTimeField(null=True, blank=True)
    # Workers of 0.1.0 look at no release: since its column has another name they cannot claim.
    worker = models.CharField(max_length=80, blank=True, db_column="worker_name")
    void_reason = models.TextField(blank=True)
    void_cause = models.CharField(max_length=10, choices=VoidCause, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(
        "ladder.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    tick = models.ForeignKey(
        "ladder.Tick", null=True, blank=True, on_delete=models.PROTECT, related_name="matches"
    )
    trial = models.ForeignKey(
        "ladder.Trial", null=True, blank=True, on_delete=models.CASCADE, related_name="matches"
    )
    pairing = models.ForeignKey(
        "ladder.Pairing", null=True, blank=True, on_delete=models.CASCADE, related_name="matches"
    )
    number = models.PositiveIntegerField(null=True, blank=True)  # within its trial or pairing

    objects = MatchManager()
    all_objects = MatchQuerySet.as_manager()  # the gate's checks too

    class Meta:
        verbose_name_plural = "matches"
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(status="running") | Q(lease_until__isnull=False),
                name="running_means_leased",
            ),
            models.CheckConstraint(
                condition=~Q(status="finished") | Q(finished_at__isnull=False),
                name="finished_means_dated",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["running", "finished"]) | Q(seed__isnull=False),
                name="played_means_seeded",
            ),
            models.UniqueConstraint(fields=["trial", "number"], name="one_match_per_trial_number"),
            models.UniqueConstraint(
                fields=["pairing", "number"],
                name="one_live_match_per_pairing_number",
                condition=~Q(status__in=["void", "cancelled"]),
            ),
        ]
        indexes = [
            # A partial index for each, since SQLite uses one only for the very condition it names.
            models.Index(
                fields=["priority", "id"], name="match_queue", condition=Q(status="queued")
            ),
            models.Index(
                fields=["lease_until"], name="match_leases", condition=Q(status="running")
            ),
            models.Index(fields=["id"], name="match_void", condition=Q(status="void")),
            models.Index(fields=["id"], name="match_cancelled", condition=Q(status="cancelled")),
            models.Index(fields=["finished_at"], name="match_by_end"),
            models.Index(fields=["created_at", "id"], name="match_by_creation"),
            models.Index(fields=["game", "seats", "-id"], name="match_by_board"),
            models.Index(fields=["game", "-id"], name="match_by_game"),
            models.Index(fields=["seats", "-id"], name="match_by_seats"),
            models.Index(fields=["kind", "-id"], name="match_by_kind"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk} {self.board}"

    @property
    def board(self) -> Board:
        return Board(self.game, self.seats)

    @property
    def is_remote(self) -> bool:
        """Whether a keeper holds its table, since some of its seats are not in the sandbox."""
        return self.kind in Match.HELD_BY_KEEPERS

    @property
    def is_exhibition(self) -> bool:
        """Played for spectators: it counts for nothing and gives way to every other match."""
        return self.kind == Match.Kind.EXHIBITION

    @property
    def lease(self) -> timedelta:
        """How long it stays with a process that is not heard of."""
        return settings.REMOTE_LEASE if self.is_remote else settings.MATCH_LEASE

    def seated(self) -> list[Seated]:
        """Who plays, by slot."""
        with connection.cursor() as cursor:
            cursor.execute(_sql_of_seated(connection.vendor), [self.pk])
            return [Seated(*row) for row in cursor.fetchall()]


@cache
def _sql_of_seated(vendor: str) -> str:
    rows = Entry.objects.filter(match=0).order_by("slot")
    names = ("version", "version__number", "bot", "bot__name", "bot__owner", "bot__is_house")
    return rows.values_list(*names).query.sql_with_params()[0]


class EntryQuerySet(models.QuerySet["Entry"]):
    def visible_to(self, user: Reader | None) -> EntryQuerySet:
        """Those in matches that this user may open; for None, that are listed for everyone."""
        shown = self.exclude(match__kind__in=Match.UNLISTED).exclude(is_secret("match"))
        return shown.exclude(is_hidden_from(user, "match__pairing__tournament"))


class Entry(models.Model):
    """One version at the table of a match."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="entries")
    slot = models.PositiveSmallIntegerField()
    bot = models.ForeignKey("ladder.Bot", on_delete=models.PROTECT, related_name="entries")
    version = models.ForeignKey("ladder.Version", on_delete=models.PROTECT, related_name="entries")
    place = models.FloatField(null=True, blank=True)  # mean over the plays
    points = models.FloatField(null=True, blank=True)  # mean over the plays
    score = models.FloatField(null=True, blank=True)  # share of opponents beaten, 0 to 1
    faults = models.PositiveSmallIntegerField(default=0)
    cpu_us = models.BigIntegerField(default=0)
    memory_kb = models.PositiveIntegerField(default=0)
    decisions = models.PositiveIntegerField(default=0)
    rating_milli = models.IntegerField(null=True, blank=True)  # when it was seated, if ranked
    # What it printed, bounded, for the owner only: play, seat and decision, and the text.
    printed = models.JSONField(default=list, blank=True)

    objects = EntryQuerySet.as_manager()

    class Meta:
        ordering = ["match_id", "slot"]
        verbose_name_plural = "entries"
        constraints = [models.UniqueConstraint(fields=["match", "slot"], name="one_entry_per_slot")]
        indexes = [
            models.Index(fields=["bot", "-match"], name="entry_by_bot"),
            models.Index(fields=["version", "-match"], name="entry_by_version"),
            models.Index(fields=["version"], name="entry_faulty", condition=Q(faults__gt=0)),
        ]

    def __str__(self) -> str:
        return f"{self.version} in {self.match_id}"


class PlayQuerySet(models.QuerySet["Play"]):
    def visible_to(self, user: Reader | None) -> PlayQuerySet:
        """Those of matches that this user may open."""
        shown = self.exclude(match__kind__in=Match.UNLISTED)
        return shown.exclude(is_hidden_from(user, "match__pairing__tournament"))

    def not_reproduced(self) -> PlayQuerySet:
        """Whose bots did not choose the same again: something is wrong."""
        return self.filter(is_reproduced=False)


class Play(models.Model):
    """One play of a match's seed with one seating."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="plays")
    index = models.PositiveSmallIntegerField()
    seating = models.JSONField()  # the slot at each seat
    places = models.JSONField()  # by seat
    points = models.JSONField()  # by seat
    reason = models.CharField(max_length=120)
    faults = models.JSONField(default=list)  # seat, kind, sentence, detail (detail: owner only)
    decisions = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    replay = models.FileField(max_length=200)
    # Whether its WebAssembly bots chose the same when they were run again; null: never run again.
    is_reproduced = models.BooleanField(null=True)
    reproduced_note = models.CharField(max_length=200, blank=True, default="")

    objects = PlayQuerySet.as_manager()

    class Meta:
        ordering = ["match_id", "index"]
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="one_play_per_index")
        ]
        indexes = [
            models.Index(
                fields=["id"], name="play_not_reproduced", condition=Q(is_reproduced=False)
            )
        ]

    def __str__(self) -> str:
        return f"play {self.index} of match {self.match_id}"

    @property
    def file(self) -> str:
        """Where its replay lies; empty when this site has dropped it."""
        return self.replay.name or ""
