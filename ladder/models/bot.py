from __future__ import annotations

from typing import Any

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from engine.game import Game
from engine.games import GAMES
from ladder.boards import Board, game_choices
from ladder.contract.accounts import Reader, manages
from ladder.contract.authorship import Authorship
from ladder.contract.remote import LANGUAGE as REMOTE_LANGUAGE
from ladder.models.names import look
from sandbox.languages import LANGUAGES
from sandbox.program import Program

NAME = RegexValidator(
    r"^[A-Za-z0-9](?:[A-Za-z0-9 _.\-]{0,30}[A-Za-z0-9])?$",
    "A name has 1 to 32 letters, digits, spaces, dots, dashes or underscores, and begins and"
    " ends with a letter or digit.",
)


class BotQuerySet(models.QuerySet["Bot"]):
    def playing(self) -> BotQuerySet:
        """Bots that the scheduler may seat."""
        return self.filter(
            status=Bot.Status.ACTIVE, active_version__isnull=False, owner__is_suspended=False
        )

    def visible_to(self, user: Reader | None) -> BotQuerySet:
        """The public ones, and the user's own; operators see all."""
        if user is not None and user.is_staff:
            return self
        shown = Q(is_public=True)
        if user is not None and user.is_authenticated:
            shown |= Q(owner=user)
        return self.filter(shown)


class Bot(models.Model):
    """A program that plays one game, through its versions."""

    class Status(models.TextChoices):
        ACTIVE = "active"
        RETIRED = "retired"
        SUSPENDED = "suspended"

    owner = models.ForeignKey("ladder.User", on_delete=models.PROTECT, related_name="bots")
    game = models.CharField(max_length=40, choices=game_choices)
    name = models.CharField(max_length=32, validators=[NAME])
    name_look = models.CharField(max_length=32, default="", editable=False)
    seat_counts = models.JSONField()  # the boards it plays on
    status = models.CharField(max_length=10, choices=Status, default=Status.ACTIVE)
    is_public = models.BooleanField(default=False)  # since a version of it was accepted
    is_source_public = models.BooleanField(default=False)
    meets_remote = models.BooleanField(default=False)  # its author lets remote bots play it
    is_house = models.BooleanField(default=False)
    house_slug = models.CharField(max_length=40, blank=True, default="")  # its file's, in the game
    # What its author says about it.
    description = models.TextField(blank=True, default="")
    homepage = models.CharField(max_length=200, blank=True, default="")
    licence = models.CharField(max_length=60, blank=True, default="")
    tags = models.JSONField(default=list, blank=True)  # to show; BotTag finds bots by them
    active_version = models.ForeignKey(
        "ladder.Version", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    retired_at = models.DateTimeField(null=True, blank=True)  # by its author, the last time

    objects = BotQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint("game", Lower("name"), name="one_bot_per_name_and_game"),
            models.UniqueConstraint(
                fields=["game", "house_slug"],
                name="one_bot_per_house_slug",
                condition=~Q(house_slug=""),
            ),
            models.CheckConstraint(
                condition=Q(is_house=True) ^ Q(house_slug=""), name="house_bots_have_a_slug"
            ),
        ]
        # For lists: by game, by status, by both or neither, each by number and by name.
        indexes = [
            models.Index(fields=["name", "id"], name="bot_by_name"),
            models.Index(fields=["game", "id"], name="bot_by_game"),
            models.Index(fields=["game", "name", "id"], name="bot_by_game_and_name"),
            models.Index(fields=["status", "id"], name="bot_by_status"),
            models.Index(fields=["status", "name", "id"], name="bot_by_status_and_name"),
            models.Index(fields=["game", "status", "id"], name="bot_by_both"),
            models.Index(fields=["game", "status", "name", "id"], name="bot_by_both_and_name"),
            models.Index(fields=["game", "name"], name="bot_house", condition=Q(is_house=True)),
            models.Index(fields=["game", "name_look"], name="bot_by_look"),
            models.Index(
                fields=["game", "id"], name="bot_open_source", condition=Q(is_source_public=True)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.name_look = look(self.name)
        super().save(*args, **kwargs)

    def is_managed_by(self, user: Reader) -> bool:
        """Whether this user may read and do what is its author's."""
        return manages(user, self.owner_id)

    @property
    def is_remote(self) -> bool:
        """Whether it plays over the network, without a program."""
        return hasattr(self, "remote")

    @property
    def seated_version(self) -> int | None:
        """The version that plays for it now: its active one, or the only one of a remote bot."""
        remote: Any = getattr(self, "remote", None)
        return self.active_version_id if remote is None else remote.version_id

    @property
    def rules(self) -> Game:
        return GAMES[self.game]

    @property
    def boards(self) -> list[Board]:
        return [Board(self.game, seats) for seats in self.seat_counts]


class BotTag(models.Model):
    """A bot by one of its tags, for lists; written with the bot's own `tags` by one service."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="tag_rows")
    tag = models.CharField(max_length=24)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tag", "bot"], name="one_row_per_tag")]

    def __str__(self) -> str:
        return self.tag


def language_choices() -> list[tuple[str, str]]:
    known = [(language.slug, language.name) for language in LANGUAGES]
    return [*known, (REMOTE_LANGUAGE, "remote")]


def authorship_choices() -> list[tuple[str, str]]:
    return [(one.value, one.value) for one in Authorship]


def source_path(version: Version, filename: str) -> str:
    ending = "zip" if version.is_bundle else version.language
    return f"sources/{version.bot_id}/{version.sha256}.{ending}"


class VersionQuerySet(models.QuerySet["Version"]):
    def accepted(self) -> VersionQuerySet:
        return self.filter(status=Version.Status.ACCEPTED)


class Version(models.Model):
    """One upload of a bot. Its content never changes."""

    class Status(models.TextChoices):
        CHECKING = "checking"
        ACCEPTED = "accepted"
        REJECTED = "rejected"

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    language = models.CharField(max_length=16, choices=language_choices)
    is_bundle = models.BooleanField(default=False)  # an archive of several files
    source = models.FileField(upload_to=source_path, max_length=200)
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    # What of its program matters; empty or of an older kind until it is asked for.
    essence = models.CharField(max_length=70, blank=True, default="")
    # A hash of what it did on its owner's check positions; empty if it failed there.
    behaviour = models.CharField(max_length=64, blank=True, default="")
    # The owner's first version with the same program or behaviour, whose rating it goes on with.
    same_as = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    status = models.CharField(max_length=10, choices=Status, default=Status.CHECKING)
    report = models.JSONField(default=dict, blank=True)  # the gate's, for the owner to read
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL)
    note = models.CharField(max_length=200, blank=True)
    # Who wrote it, as its owner declares; empty: not declared.
    authorship = models.CharField(max_length=8, choices=authorship_choices, blank=True, default="")
    activate_when_accepted = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    # While it is benched, and why; when its author let it play again in spite of its faults.
    benched_at = models.DateTimeField(null=True, blank=True)
    bench_reason = models.CharField(max_length=200, blank=True)
    returned_at = models.DateTimeField(null=True, blank=True)
    # Of its matches, thrown away because the machine seemed too slow for it.
    discarded_attempts = models.PositiveIntegerField(default=0)

    objects = VersionQuerySet.as_manager()

    class Meta:
        ordering = ["bot", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["bot", "number"], name="one_version_per_number"),
            models.UniqueConstraint(
                fields=["bot", "sha256", "language"], name="one_version_per_content"
            ),
        ]
        indexes = [models.Index(fields=["essence"], name="version_by_essence")]

    def __str__(self) -> str:
        return f"{self.bot} v{self.number}"

    @property
    def line(self) -> int:
        """The version whose rating it has: itself, or the first with the same program."""
        return self.same_as_id or self.pk

    @property
    def filename(self) -> str:
        return "bot.zip" if self.is_bundle else f"bot.{self.language}"

    def program(self) -> Program:
        """What it is made of, as the sandbox takes it."""
        with self.source.open("rb") as file:
            return Program(self.filename, file.read())
