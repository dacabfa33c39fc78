"""Notices do not pile up for ever."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from ladder.models import Notice, User
from ladder.services.notices import telling


def test_old_notices_are_dropped_and_new_ones_stay(alice: User, settings) -> None:
    now = timezone.now()
    for days in (400, 200, 1):
        at = now - timedelta(days=days)
        Notice.objects.create(user=alice, kind="bot.ranked", event=days, text="x", page="/", at=at)

    assert telling.forget_old() == 2
    assert [notice.event for notice in Notice.objects.all()] == [1]
    settings.KEEP_NOTICES_DAYS = 0
    Notice.objects.update(at=now - timedelta(days=9999))
    assert telling.forget_old() == 0
