"""Threads of the scheduler's process that speak with other people's servers.

They may wait for minutes, and nothing waits for them: what they send is rows that others write.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import structlog
from django.db import close_old_connections, connection

from ladder.services.notices import mailing

log = structlog.get_logger(__name__)

PERIOD_S = 1.0
JOBS: dict[str, Callable[[], int]] = {"mail": mailing.send_due}


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
            job()
        except Exception:
            log.exception("courier failed", job=threading.current_thread().name)
    connection.close()
