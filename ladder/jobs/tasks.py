"""Celery's side: thin. A message says that there is work; the database says which."""

import time
from typing import Any

from celery import Task, shared_task
from celery.signals import worker_init, worker_shutdown
from django.conf import settings

from ladder.jobs import worker
from ladder.operation import nudges

SLICE_SECONDS = 2.0


@shared_task(name=nudges.TASK, bind=True, Request="ladder.jobs.request:WorkRequest")
def work(task: Task) -> None:
    """Play what waits, one match after the other: a message costs more than finding the next.

    After a while it passes the rest on to a new message, so that a worker can be stopped.
    """
    ends = time.monotonic() + SLICE_SECONDS
    while worker.work_once():
        if time.monotonic() > ends:
            nudges.nudge(settings.QUEUES.index(task.request.delivery_info["routing_key"]))
            break
    worker.report_done()


@worker_init.connect
def on_worker_init(**_: Any) -> None:
    worker.register()


@worker_shutdown.connect
def on_worker_shutdown(**_: Any) -> None:
    worker.unregister()
