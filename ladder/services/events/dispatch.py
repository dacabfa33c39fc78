"""Handing events on: each becomes notices and deliveries once, however often we are killed."""

from __future__ import annotations

import structlog
from django.db import transaction

from ladder.models import Event, EventReader
from ladder.queries.events import as_value
from ladder.services.events.audience import recipients
from ladder.services.events.shown import shown
from ladder.services.notices import telling
from ladder.services.webhooks import hooks

log = structlog.get_logger(__name__)

READER = "dispatch"
BATCH = 200


def dispatch() -> int:
    """Hand on the next events; how many were read.

    What they become and how far we have read is one transaction: nothing is lost or doubled.
    """
    with transaction.atomic():
        EventReader.objects.get_or_create(name=READER)
        reader = EventReader.objects.select_for_update().get(name=READER)
        rows = list(Event.objects.after(reader.last)[:BATCH])
        has_routine = bool(rows) and hooks.has_routine()
        for row in rows:
            if not row.is_news and not has_routine:
                continue
            try:
                with transaction.atomic():
                    _hand_on(row)
            except Exception:
                # One that breaks must not hold up the others for ever.
                log.exception("event cannot be handed on", number=row.pk)
        if rows:
            reader.last = rows[-1].pk
            reader.save(update_fields=["last"])
    return len(rows)


def dispatch_all() -> None:
    while dispatch() == BATCH:
        pass


def _hand_on(row: Event) -> None:
    event = shown(as_value(row))
    users = recipients(row, event)
    if row.is_news:
        telling.tell(row, event, users)
    hooks.send_event(event, users, is_news=row.is_news)
