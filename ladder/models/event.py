"""The outbox: what happened, written in the transaction that caused it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from ladder.contract.events import Audience, Kind


def kind_choices() -> list[tuple[str, str]]:
    return [(kind.value, kind.value) for kind in Kind]


class EventQuerySet(models.QuerySet["Event"]):
    def after(self, last: int) -> EventQuerySet:
        """What a reader that has read up to that id has not seen, oldest first.

        Ids are in the order of commits: SQLite has one writer, and on PostgreSQL a trigger makes
        writers of events take turns (migration 0040). So no event appears behind a reader's back.
        """
        return self.filter(pk__gt=last).order_by("pk")

    def public(self) -> EventQuerySet:
        return self.filter(audience=Audience.PUBLIC)

    def news(self) -> EventQuerySet:
        """Public ones for people to read; routine ladder matches are only for programs."""
        return self.public().filter(is_news=True).order_by("-pk")


class Event(models.Model):
    """Something that happened. A log: it outlives what it is about, so it has no foreign keys."""

    kind = models.CharField(max_length=24, choices=kind_choices)
    audience = models.CharField(max_length=10)
    at = models.DateTimeField()
    game = models.CharField(max_length=40, null=True)  # noqa: DJ001  no board is not an empty one
    seats = models.PositiveSmallIntegerField(null=True)
    bot = models.BigIntegerField(null=True)  # whom it is about
    owner = models.BigIntegerField(null=True)  # the author of that bot, or whom it is for
    tournament = models.BigIntegerField(null=True)
    match = models.BigIntegerField(null=True)
    is_news = models.BooleanField()
    facts = models.JSONField()  # ladder.contract.events.Facts

    objects = EventQuerySet.as_manager()

    class Meta:
        # Of news alone: a ladder match touches none of them.
        indexes = [
            models.Index(fields=["-id"], name="event_news", condition=Q(is_news=True)),
            models.Index(
                fields=["game", "seats", "-id"], name="event_by_board", condition=Q(is_news=True)
            ),
            models.Index(fields=["bot", "-id"], name="event_by_bot", condition=Q(is_news=True)),
            models.Index(fields=["owner", "-id"], name="event_by_owner", condition=Q(is_news=True)),
            models.Index(
                fields=["tournament", "-id"],
                name="event_by_tournament",
                condition=Q(is_news=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class EventReader(models.Model):
    """How far a reader of the outbox has come; moved in the transaction that writes its work."""

    name = models.CharField(max_length=40, unique=True)
    last = models.BigIntegerField(default=0)  # id of the last event that was read

    def __str__(self) -> str:
        return f"{self.name} up to {self.last}"
