"""A long log of events and notices, for the plans of the questions about them."""

from __future__ import annotations

from django.utils import timezone

from ladder.models import Event, Notice, User


def make_events(user: User, rows: int) -> None:
    now = timezone.now()
    Event.objects.bulk_create(
        Event(
            kind="bot.ranked" if n % 50 == 0 else "match.finished",
            audience="public",
            at=now,
            game="ramen_ramen",
            seats=2,
            bot=n if n % 50 == 0 else None,
            owner=user.pk if n % 50 == 0 else None,
            tournament=n if n % 100 == 0 else None,
            is_news=n % 50 == 0,
            facts={},
        )
        for n in range(rows)
    )
    Notice.objects.bulk_create(
        Notice(user=user, kind="bot.ranked", event=n, text="", page="/", at=now, read_at=now)
        for n in range(rows)
    )
