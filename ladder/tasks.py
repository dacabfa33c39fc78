"""Celery's side: thin. A message says that there is work; the database says which."""

from celery import shared_task

from ladder import queue, worker


@shared_task(name=queue.TASK)
def work() -> None:
    worker.work_once()
