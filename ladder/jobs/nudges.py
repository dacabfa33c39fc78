"""Nudges: a message that says "there is work", never which. Workers ask the database for that,
so priorities hold on any broker and a message lost or delivered twice does no harm."""

import logging

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)

TASK = "ladder.work"


def nudge(times: int = 1) -> None:
    """Wake workers once the current transaction is committed."""
    transaction.on_commit(lambda: _send(times), robust=True)


def _send(times: int) -> None:
    try:
        for _ in range(times):
            current_app.send_task(TASK)
    except (OperationalError, OSError) as error:
        log.warning("nudge lost; the scheduler will repeat it error=%s", error)
