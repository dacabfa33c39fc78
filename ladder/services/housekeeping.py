"""What is thrown away after a while, and what is looked at again at random."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta

import structlog
from django.conf import settings
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now
from django.utils import timezone

from ladder.models import IdempotencyKey, Match, Play, Progress, Worker
from ladder.replays.referee import fresh_verdict
from ladder.services import exhibitions, kept_plays, sessions
from ladder.services.events import outbox
from ladder.services.fairness import addresses, looking
from ladder.services.notices import telling
from ladder.services.publishing import trusted
from ladder.services.remote import people
from ladder.services.webhooks import sending

log = structlog.get_logger(__name__)

KEPT_KEYS = timedelta(days=2)
KEPT_WORKERS = timedelta(hours=1)
DROPPED_KINDS = (Match.Kind.LADDER, Match.Kind.TRIAL, Match.Kind.CHECK, Match.Kind.EXHIBITION)
LOOKED_AT = 500  # matches at a time: few enough for every database's limit of values in a query
DROPPED = "replays dropped"
BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)


def clean() -> None:
    IdempotencyKey.objects.filter(created_at__lt=Now() - KEPT_KEYS).delete()
    Worker.objects.filter(seen_at__lt=Now() - KEPT_WORKERS).delete()
    addresses.forget_addresses()
    exhibitions.forget_old()
    outbox.forget_old()
    telling.forget_old()
    sending.forget_old()
    kept_plays.forget_guest_plays()
    people.forget_old()
    sessions.forget_ended()
    trusted.forget_old()
    looking.look_at_due_board()
    verify_one()


def drop_old_replays() -> bool:
    """Drop the files that are older than this site keeps them; results and digests stay.

    Looks at the matches that ended after those it has looked at, a batch at a time; whether there
    are more. A row forgets its file before the file goes, so that at worst a file is left over.
    """
    if not settings.KEEP_REPLAYS_DAYS:
        return False
    too_old = timezone.now() - timedelta(days=settings.KEEP_REPLAYS_DAYS)
    done = Progress.objects.filter(name=DROPPED).first()
    moment, match = (done.finished_at, done.match) if done else (BEGINNING, 0)
    due = Match.all_objects.ended_after(moment, match).filter(finished_at__lt=too_old)
    columns = ("finished_at", "pk", "kind", "pairing__tournament__cup_on")
    looked_at = list(due.values_list(*columns)[:LOOKED_AT])
    if not looked_at:
        return False
    dropped = [pk for _, pk, kind, cup in looked_at if kind in DROPPED_KINDS or cup is not None]
    plays = Play.objects.filter(match__in=dropped).exclude(replay="").order_by()
    last_end, last_match, *_ = looked_at[-1]
    assert last_end is not None  # it has ended
    with transaction.atomic():
        names = list(plays.values_list("replay", flat=True))
        plays.update(replay="")
        Progress.objects.update_or_create(
            name=DROPPED, defaults={"finished_at": last_end, "match": last_match}
        )
    default_storage.delete_all(names)  # type: ignore[attr-defined]  # both of ours have it
    if names:
        log.info("old replays dropped", count=len(names))
    return len(looked_at) == LOOKED_AT


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
