"""What is thrown away after a while, and what is looked at again at random."""

from __future__ import annotations

import secrets
from datetime import timedelta

import structlog
from django.db.models import Max
from django.utils import timezone

from ladder.models import IdempotencyKey, Play, Worker
from ladder.queries.replays import fresh_verdict

log = structlog.get_logger(__name__)

KEPT_KEYS = timedelta(days=2)
KEPT_WORKERS = timedelta(hours=1)


def clean() -> None:
    now = timezone.now()
    IdempotencyKey.objects.filter(created_at__lt=now - KEPT_KEYS).delete()
    Worker.objects.filter(seen_at__lt=now - KEPT_WORKERS).delete()
    verify_one()


def verify_one() -> bool | None:
    """Referee one stored replay picked at random; None when there is none."""
    newest = Play.objects.aggregate(newest=Max("pk"))["newest"]
    if newest is None:
        return None
    play = Play.objects.filter(pk__gte=secrets.randbelow(newest) + 1).order_by("pk").first()
    if play is None:
        return None
    problem = fresh_verdict(play).problem
    if problem:
        log.error("stored replay is wrong", play=play.pk, problem=problem)
    return not problem
