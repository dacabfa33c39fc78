"""Celery's side: thin. A message says that there is work; the database says which."""

from typing import Any

from celery import shared_task
from celery.signals import worker_init

from ladder import queue, worker


@shared_task(name=queue.TASK)
def work() -> None:
    worker.work_once()


@worker_init.connect
def on_worker_init(**_: Any) -> None:
    worker.open_station()
