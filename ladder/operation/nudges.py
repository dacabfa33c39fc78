"""Nudges: a message that says "there is work of this kind", never which. Workers ask the database
for that, so priorities hold on any broker and a message lost or delivered twice does no harm."""

from collections.abc import Collection

import structlog
from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu.exceptions import ChannelError, OperationalError

from ladder.models import Match

log = structlog.get_logger(__name__)

TASK = "ladder.work"
LIFE_SECONDS = 60  # older ones say nothing new: the scheduler has repeated itself since
ENOUGH = 64  # waiting messages; more would wake nobody sooner


def nudge(priority: int, times: int = 1) -> None:
    """Wake workers for such matches once the current transaction is committed."""
    queue = queue_of(priority)
    if queue is not None:
        transaction.on_commit(lambda: _send(queue, times), robust=True)


def queue_of(priority: int) -> str | None:
    """The queue whose workers play such matches; None for those that keepers look for."""
    if priority == Match.PRIORITY[Match.Kind.EXHIBITION]:
        return settings.QUEUES[Match.PRIORITY[Match.Kind.LADDER]]  # by the ladder's own workers
    return settings.QUEUES[priority] if priority < len(settings.QUEUES) else None


def served() -> Collection[int]:
    """The priorities that this worker was started for: all, or those of its `-Q`."""
    consumed = current_app.amqp.queues.consume_from
    return [priority for priority in Match.PRIORITY.values() if queue_of(priority) in consumed]


def _send(queue: str, times: int) -> None:
    try:
        for _ in range(min(times, ENOUGH - _waiting(queue))):
            current_app.send_task(TASK, queue=queue, expires=LIFE_SECONDS)
    except (OperationalError, OSError) as error:
        log.warning("nudge lost; the scheduler will repeat it", error=str(error))


def _waiting(queue: str) -> int:
    with current_app.pool.acquire(block=True) as connection:
        try:
            found = connection.default_channel.queue_declare(queue, passive=True)
        except ChannelError:  # there is none yet
            return 0
    return int(found.message_count)
