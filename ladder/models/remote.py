"""Bots that play over the network: who they are, where they sit, and what they are asked."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from ladder.boards import Board
from ladder.contract.remote import ANSWERING, Tempo
from ladder.models.bot import Bot, Version
from ladder.models.match import Match

STREAM_SILENT_S = 5  # a stream process not heard of for this long is down


def tempo_choices() -> list[tuple[str, str]]:
    return [(tempo.value, tempo.value) for tempo in Tempo]


class RemoteBotQuerySet(models.QuerySet["RemoteBot"]):
    def by_secret(self, secret: str) -> RemoteBot | None:
        """The bot that this token belongs to, if it may play."""
        found = self.may_play().filter(digest=RemoteBot.digest_of(secret))
        return found.select_related("bot").first()

    def may_play(self) -> RemoteBotQuerySet:
        """Those with a token whose bot and owner are in good standing."""
        active = self.filter(bot__status=Bot.Status.ACTIVE, digest__isnull=False)
        return active.filter(bot__owner__is_active=True, bot__owner__is_suspended=False)

    def online(self) -> RemoteBotQuerySet:
        """Those with an open stream, held by a process that was heard of lately."""
        alive = StreamProcess.objects.alive().values("name")
        here = Q(presence__gone_at=None) | Q(presence__gone_at__gt=Now())
        return self.filter(here, presence__process__in=alive)

    def takes_plays(self) -> RemoteBotQuerySet:
        """Those that may be given a new play now: connected, and not about to leave."""
        return self.online().filter(presence__is_draining=False)


class RemoteBot(models.Model):
    """What a bot without a program has instead of one."""

    bot = models.OneToOneField(
        Bot, on_delete=models.CASCADE, primary_key=True, related_name="remote"
    )
    # The row by which matches and replays name it. It has no file and is never activated, so the
    # ladder of sandboxed bots cannot seat it.
    version = models.OneToOneField(Version, on_delete=models.PROTECT, related_name="+")
    description = models.CharField(max_length=200, blank=True)  # self-declared: model, hardware
    tempo = models.CharField(max_length=8, choices=tempo_choices, default=Tempo.NORMAL)
    takes_challenges = models.BooleanField(default=True)  # of other owners
    plays_rated = models.BooleanField(default=True)  # in the open class, while it is connected
    prefix = models.CharField(max_length=16, blank=True, default="")  # of its token, to tell it by
    digest = models.CharField(max_length=64, unique=True, null=True)  # noqa: DJ001  null: revoked
    token_made_at = models.DateTimeField(null=True, blank=True)

    objects = RemoteBotQuerySet.as_manager()

    def __str__(self) -> str:
        return f"remote bot {self.pk}"

    @staticmethod
    def digest_of(secret: str) -> str:
        return hashlib.sha256(secret.encode()).hexdigest()

    def issue_token(self) -> str:
        """A new secret, shown once; the one before stops working when this is saved."""
        secret = f"ladlebot_{secrets.token_urlsafe(32)}"
        self.prefix, self.digest = secret[:16], self.digest_of(secret)
        return secret


class StreamProcessQuerySet(models.QuerySet["StreamProcess"]):
    def alive(self) -> StreamProcessQuerySet:
        return self.filter(seen_at__gte=Now() - timedelta(seconds=STREAM_SILENT_S))


class StreamProcess(models.Model):
    """A process that holds streams of remote bots, and when it was heard of last."""

    name = models.CharField(max_length=80, unique=True)
    seen_at = models.DateTimeField()

    objects = StreamProcessQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class Attending(models.Model):
    """Where someone with a seat is connected, or since when it is gone."""

    stream = models.CharField(max_length=16)  # the newest one; an older one is closed
    process = models.CharField(max_length=80)
    since = models.DateTimeField()
    gone_at = models.DateTimeField(null=True, blank=True)
    absences = models.PositiveIntegerField(default=0)
    round_trip_ms = models.PositiveIntegerField(null=True, blank=True)  # of its last decision

    class Meta:
        abstract = True


class Presence(Attending):
    """Where a remote bot is connected."""

    remote = models.OneToOneField(
        RemoteBot, on_delete=models.CASCADE, primary_key=True, related_name="presence"
    )
    # It finishes its plays and leaves: it is given no new ones.
    is_draining = models.BooleanField(default=False, db_default=False)

    def __str__(self) -> str:
        return f"presence of {self.remote_id}"


class Sitting(models.Model):
    """A table with remote bots: its match has the seed, this row has the answers given."""

    match = models.OneToOneField(
        Match, on_delete=models.CASCADE, primary_key=True, related_name="sitting"
    )
    is_rated = models.BooleanField(default=False)  # in the open class
    counted_at = models.DateTimeField(null=True, blank=True)  # in the ratings there
    # By decision: [seat, action, microseconds of CPU] or [seat, null, kind, sentence, detail].
    given = models.JSONField(default=list)
    clocks = models.JSONField(default=dict)  # by seat: milliseconds of budget and of grace used

    class Meta:
        indexes = [
            models.Index(
                fields=["match"],
                name="sitting_uncounted",
                condition=Q(is_rated=True, counted_at=None),
            )
        ]

    def __str__(self) -> str:
        return f"sitting of match {self.match_id}"


class Line(models.Model):
    """One line for a remote bot or a person: a decision to make, or the end of a play."""

    class Type(models.TextChoices):
        DECIDE = "decide"
        END = "end"

    class State(models.TextChoices):
        OPEN = "open"
        ANSWERED = "answered"  # the door has its answer
        TAKEN = "taken"  # the table has it too
        EXPIRED = "expired"  # its time was used up
        TOLD = "told"  # of an end: it was sent
        WITHDRAWN = "withdrawn"  # the match was called off

    id = models.CharField(max_length=16, primary_key=True)
    sitting = models.ForeignKey(Sitting, on_delete=models.CASCADE, related_name="lines")
    number = models.PositiveIntegerField()  # how many answers were given before it
    # Whose it is: one of the two.
    remote = models.ForeignKey(
        RemoteBot, null=True, blank=True, on_delete=models.CASCADE, related_name="lines"
    )
    person = models.ForeignKey(
        "ladder.Person", null=True, blank=True, on_delete=models.CASCADE, related_name="lines"
    )
    seat = models.PositiveSmallIntegerField()
    type = models.CharField(max_length=6, choices=Type)
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    body = models.JSONField(default=dict)  # emptied once it is of no use
    opened_at = models.DateTimeField()
    delivered_at = models.DateTimeField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    action = models.CharField(max_length=ANSWERING.most_action, blank=True, default="")
    note = models.CharField(max_length=ANSWERING.most_note, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sitting", "number"], name="one_line_per_number"),
            models.CheckConstraint(
                condition=Q(remote=None) ^ Q(person=None), name="a_line_is_a_bots_or_a_persons"
            ),
        ]
        indexes = [
            models.Index(fields=["remote"], name="line_open", condition=Q(state="open")),
            models.Index(fields=["person"], name="line_open_person", condition=Q(state="open")),
            models.Index(fields=["sitting"], name="line_answered", condition=Q(state="answered")),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.id}"


class OpenRatingQuerySet(models.QuerySet["OpenRating"]):
    def on(self, board: Board) -> OpenRatingQuerySet:
        return self.filter(game=board.game, seats=board.seats)

    def listed(self) -> OpenRatingQuerySet:
        return self.exclude(bot__status=Bot.Status.RETIRED)

    def ranked(self) -> OpenRatingQuerySet:
        """Remote bots that are known well enough; house and sandboxed bots only mark the scale."""
        return self.listed().filter(is_remote=True, is_provisional=False)


class OpenRating(models.Model):
    """The rating of a bot on a board of the open class, apart from the sandboxed ladder."""

    game = models.CharField(max_length=40)
    seats = models.PositiveSmallIntegerField()
    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="open_ratings")
    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="+")
    is_remote = models.BooleanField()
    milli = models.IntegerField()  # thousandths of an Elo point
    low_milli = models.IntegerField()
    high_milli = models.IntegerField()
    plays = models.PositiveIntegerField(default=0)
    is_provisional = models.BooleanField(default=True)
    # The same without plays that ended by someone else's fault.
    fair_milli = models.IntegerField()
    fair_low_milli = models.IntegerField()
    fair_high_milli = models.IntegerField()
    fair_plays = models.PositiveIntegerField(default=0)
    last_played_at = models.DateTimeField(null=True, blank=True)

    objects = OpenRatingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "seats", "version"], name="one_open_rating_per_board"
            )
        ]
        indexes = [
            models.Index(fields=["game", "seats", "-milli", "version"], name="open_rating_order")
        ]

    def __str__(self) -> str:
        return f"{self.version_id} in the open class of {self.game}/{self.seats}"
