"""How much a user may do: counted so that two requests at once cannot share the last room."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from ladder.errors import QuotaReached
from ladder.models import User


def hold(user_id: int) -> None:
    """Let other requests that count what this user has wait for the transaction's end."""
    # Rows that only point to the user need not wait.
    User.objects.select_for_update(no_key=True).get(pk=user_id)


def check(user_id: int, rows: QuerySet, most: int, sentence: str) -> None:
    """Refuse one more when there are so many; `{count}` in the sentence is how many there are."""
    hold(user_id)
    count = rows.count()
    if count >= most:
        raise QuotaReached(sentence.format(count=count))


def day_ago() -> datetime:
    return timezone.now() - timedelta(days=1)
