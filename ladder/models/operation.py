from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone


class LockQuerySet(models.QuerySet["Lock"]):
    def take(self, name: str, holder: str, duration: timedelta) -> bool:
        """Hold the named lock for a while; the same holder may prolong it."""
        now = timezone.now()
        free = self.filter(Q(until__lte=now) | Q(holder=holder), name=name)
        if free.update(holder=holder, until=now + duration):
            return True
        self.bulk_create([Lock(name=name, holder="", until=now)], ignore_conflicts=True)
        return bool(free.update(holder=holder, until=now + duration))

    def give_back(self, name: str, holder: str) -> None:
        self.filter(name=name, holder=holder).update(until=timezone.now())


class Lock(models.Model):
    """A lease on something only one process may do, such as scheduling."""

    name = models.CharField(max_length=40, unique=True)
    holder = models.CharField(max_length=80)
    until = models.DateTimeField()

    objects = LockQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.name} held by {self.holder}"


class WorkerQuerySet(models.QuerySet["Worker"]):
    def alive(self) -> WorkerQuerySet:
        return self.filter(seen_at__gte=timezone.now() - timedelta(minutes=1))


class Worker(models.Model):
    """A process that plays matches, as it last told of itself."""

    name = models.CharField(max_length=80, unique=True)
    seen_at = models.DateTimeField()
    started_at = models.DateTimeField(auto_now_add=True)
    matches = models.PositiveIntegerField(default=0)
    failures = models.PositiveIntegerField(default=0)
    problem = models.TextField(blank=True)  # why it refuses to play, if it does

    objects = WorkerQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
