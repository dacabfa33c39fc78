"""Nudges: a message that says "there is work", never which. Workers ask the database for that,
so priorities hold on any broker and a message lost or delivered twice does no harm."""

import structlog
from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu.exceptions import ChannelError, OperationalError

log = structlog.get_logger(__name__)

TASK = "ladder.work"
LIFE_SECONDS = 60  # older ones say nothing new: the scheduler has repeated itself since
ENOUGH = 16  # waiting messages; more would wake nobody sooner


def nudge(times: int = 1) -> None:
    """Wake workers once the current transaction is committed."""
    transaction.on_commit(lambda: _send(times), robust=True)


def _send(times: int) -> None:
    try:
        for _ in range(min(times, ENOUGH - _waiting())):
            current_app.send_task(TASK, expires=LIFE_SECONDS)
    except (OperationalError, OSError) as error:
        log.warning("nudge lost; the scheduler will repeat it", error=str(error))


def _waiting() -> int:
    with current_app.pool.acquire(block=True) as connection:
        channel = connection.default_channel
        try:
            queue = channel.queue_declare(settings.CELERY_TASK_DEFAULT_QUEUE, passive=True)
        except ChannelError:  # there is none yet
            return 0
    return queue.message_count
