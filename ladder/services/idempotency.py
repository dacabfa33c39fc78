"""Keys of requests that may be sent again: who is first, and what they were answered.

The unique row of (user, key) decides. One without an answer may be taken over after a while;
`created_at` is the fence, so that whoever was taken over cannot store theirs.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from ladder.models import IdempotencyKey as IdempotencyKey  # the type of what is reserved
from ladder.models import User

ABANDONED_AFTER = timedelta(seconds=60)


class Overtaken(Exception):
    """Another request took this key over while we were slow."""


def reserve(user: User, key: str, asked: str) -> tuple[IdempotencyKey, bool]:
    """The row of this key, and whether it is ours to answer."""
    try:
        with transaction.atomic():
            row = IdempotencyKey.objects.create(user=user, key=key, request_digest=asked)
        return row, True
    except IntegrityError:
        pass
    known = IdempotencyKey.objects.filter(user=user, key=key).first()
    if known is None:  # its holder was refused just now, which freed the key
        return reserve(user, key, asked)
    now = timezone.now()
    abandoned = known.status is None and known.created_at < now - ABANDONED_AFTER
    if abandoned and known.request_digest == asked and _ours(known).update(created_at=now):
        known.created_at = now
        return known, True
    return known, False


def keep(row: IdempotencyKey, status: int, body: dict[str, Any]) -> None:
    """Store the answer; Overtaken when the key is no longer ours."""
    if not _ours(row).update(status=status, body=body):
        raise Overtaken


def free(row: IdempotencyKey) -> None:
    """Give the key back: the request had no effect."""
    _ours(row).delete()


def _ours(row: IdempotencyKey) -> Any:
    return IdempotencyKey.objects.filter(pk=row.pk, status=None, created_at=row.created_at)
