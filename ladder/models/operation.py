from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class LockQuerySet(models.QuerySet["Lock"]):
    def take(self, name: str, holder: str, duration: timedelta) -> bool:
        """Hold the named lock for a while; the same holder may prolong it."""
        # By the database's clock: a host whose own is ahead must not lead for hours once dead.
        # Who holds it for longer than it can be held had such a clock.
        ended = Q(until__lte=Now()) | Q(until__gt=Now() + duration)
        free = self.filter(ended | Q(holder=holder), name=name)
        if free.update(holder=holder, until=Now() + duration):
            return True
        lapsed = datetime(2000, 1, 1, tzinfo=UTC)
        Lock.objects.bulk_create([Lock(name=name, holder="", until=lapsed)], ignore_conflicts=True)
        return bool(free.update(holder=holder, until=Now() + duration))

    def give_back(self, name: str, holder: str) -> None:
        self.filter(name=name, holder=holder).update(until=Now())


class Lock(models.Model):
    """A lease on something only one process may do, such as scheduling."""

    name = models.CharField(max_length=40, unique=True)
    holder = models.CharField(max_length=80)
    until = models.DateTimeField()

    objects = LockQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.name} held by {self.holder}"


class SiteSecretQuerySet(models.QuerySet["SiteSecret"]):
    def called(self, name: str) -> str:
        """A secret that all hosts of a site share; whoever asks first makes it."""
        known = self.filter(name=name).values_list("value", flat=True)
        for value in known:
            return value
        made = SiteSecret(name=name, value=secrets.token_hex(32))
        self.bulk_create([made], ignore_conflicts=True)  # another host may have been quicker
        return known.all()[0]


class SiteSecret(models.Model):
    """A secret of the whole site, which no host has to be given in its settings."""

    name = models.CharField(max_length=40, unique=True)
    value = models.CharField(max_length=64)

    objects = SiteSecretQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class Release(models.Model):
    """What the database was prepared for; workers of another kind do not play."""

    stamp = models.CharField(max_length=80)
    prepared_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.stamp


class Progress(models.Model):
    """How far work that follows the order in which matches ended has come."""

    name = models.CharField(max_length=40, unique=True)
    finished_at = models.DateTimeField()  # of the last match that was looked at
    match = models.BigIntegerField()  # its id; a match may be gone

    def __str__(self) -> str:
        return f"{self.name} up to {self.finished_at:%Y-%m-%d %H:%M}"


class WorkerQuerySet(models.QuerySet["Worker"]):
    def alive(self) -> WorkerQuerySet:
        return self.filter(seen_at__gte=Now() - timedelta(minutes=1))


class Worker(models.Model):
    """A process that plays matches, as of its last heartbeat."""

    name = models.CharField(max_length=80, unique=True)
    seen_at = models.DateTimeField()
    started_at = models.DateTimeField(auto_now_add=True)
    matches = models.PositiveIntegerField(default=0)
    failures = models.PositiveIntegerField(default=0)
    problem = models.TextField(blank=True)  # why it refuses to play, if it does
    notice = models.TextField(blank=True, default="")  # what visitors should know of its plays
    failing = models.TextField(blank=True)  # why one of its processes rests after many failures

    objects = WorkerQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
