"""Threads of the scheduler's process that speak with other people's servers.

They may wait for minutes, and nothing waits for them: what they send is rows that others write.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import structlog
from django.db import close_old_connections, connection

from ladder.models import Delivery
from ladder.services.notices import mailing
from ladder.services.webhooks import sending

log = structlog.get_logger(__name__)

PERIOD_S = 1.0


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(sending.AT_ONCE, "webhooks")


def send_webhooks() -> int:
    return sending.send_due(lambda job, rows: _pool().map(_alone(job), rows))


def _alone(job: Callable[[Delivery], None]) -> Callable[[Delivery], None]:
    """The same in a thread that leaves no connection behind."""

    def run(delivery: Delivery) -> None:
        try:
            job(delivery)
        finally:
            connection.close()

    return run


JOBS: dict[str, Callable[[], int]] = {"mail": mailing.send_due, "webhooks": send_webhooks}


def start(stop: threading.Event) -> list[threading.Thread]:
    """A thread for each kind of sending; they end soon after `stop` is set."""
    threads = [
        threading.Thread(target=_run, args=[job, stop], name=name, daemon=True)
        for name, job in JOBS.items()
    ]
    for thread in threads:
        thread.start()
    return threads


def _run(job: Callable[[], int], stop: threading.Event) -> None:
    while not stop.wait(PERIOD_S):
        close_old_connections()
        try:
            while job() and not stop.is_set():
                pass  # there may be more
        except Exception:
            log.exception("courier failed", job=threading.current_thread().name)
    connection.close()
