"""What is thrown away after a while, and what is looked at again at random."""

from __future__ import annotations

import secrets
from datetime import timedelta

import structlog
from django.conf import settings
from django.core.files.storage import default_storage
from django.db.models import Max
from django.db.models.functions import Now
from django.utils import timezone

from ladder.models import IdempotencyKey, Match, Play, Worker
from ladder.queries.replays import fresh_verdict

log = structlog.get_logger(__name__)

KEPT_KEYS = timedelta(days=2)
KEPT_WORKERS = timedelta(hours=1)
DROPPED_KINDS = (Match.Kind.LADDER, Match.Kind.TRIAL, Match.Kind.CHECK)
LOOKED_AT = 500  # plays at a time: few enough for every database's limit of values in a query


def clean() -> None:
    IdempotencyKey.objects.filter(created_at__lt=Now() - KEPT_KEYS).delete()
    Worker.objects.filter(seen_at__lt=Now() - KEPT_WORKERS).delete()
    verify_one()


def drop_old_replays(after: int = 0) -> int:
    """Drop the files that are older than this site keeps them; results and digests stay.

    Looks at the next plays `after` that one and tells how far it came: 0 at the end. A row forgets
    its file before the file goes, so that at worst a file is left over.
    """
    if not settings.KEEP_REPLAYS_DAYS:
        return 0
    too_old = timezone.now() - timedelta(days=settings.KEEP_REPLAYS_DAYS)
    rows = Play.objects.filter(pk__gt=after).order_by("pk")
    looked_at = list(
        rows.values_list("pk", "replay", "match__kind", "match__finished_at")[:LOOKED_AT]
    )
    old = {
        pk: name
        for pk, name, kind, finished_at in looked_at
        if name and kind in DROPPED_KINDS and finished_at and finished_at < too_old
    }
    Play.objects.filter(pk__in=old).update(replay="")
    for name in old.values():
        default_storage.delete(name)
    if old:
        log.info("old replays dropped", count=len(old))
    last_finished = looked_at[-1][3] if looked_at else None
    return looked_at[-1][0] if last_finished and last_finished < too_old else 0


def verify_one() -> bool | None:
    """Referee one stored replay picked at random; None when there is none."""
    newest = Play.objects.aggregate(newest=Max("pk"))["newest"]
    if newest is None:
        return None
    kept = Play.objects.exclude(replay="")
    play = kept.filter(pk__gte=secrets.randbelow(newest) + 1).order_by("pk").first()
    if play is None:
        return None
    problem = fresh_verdict(play).problem
    if problem:
        log.error("stored replay is wrong", play=play.pk, problem=problem)
    return not problem
