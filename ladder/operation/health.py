"""What a deployment needs: each check answers with a sentence on what to do, or with none."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from functools import lru_cache

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import Error as DatabaseProblem
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from ladder.queries import operation

LEAST_FREE_BYTES = 1 << 30
PROBE_SECONDS = 10


def database() -> str:
    try:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return "The database is behind: run `manage.py migrate`."
    except DatabaseProblem as error:
        return f"The database does not answer: {error}"
    return ""


def broker() -> str:
    from celery import current_app

    try:
        with current_app.connection_for_write(connect_timeout=2) as broker:
            broker.ensure_connection(max_retries=1, timeout=2)
    except Exception as error:  # whatever the transport raises, the answer is the same
        return f"The broker does not answer: {error}"
    return ""


def storage() -> str:
    # Written, not only looked at: a full or read-only disk still lists its files.
    try:
        default_storage.delete(default_storage.save("readyz.probe", ContentFile(b"probe")))
    except OSError as error:
        return f"The storage of sources and replays takes no file: {error.strerror or error}."
    except DatabaseProblem as error:  # it holds the files
        return f"The storage of sources and replays takes no file: {error}"
    return ""


def storage_lately() -> str:
    """The same, asked once in a while: /readyz is open to all, and must not write for each."""
    return _storage(int(time.monotonic() / PROBE_SECONDS))


@lru_cache(maxsize=1)
def _storage(period: int) -> str:
    return storage()


def static_files() -> str:
    if settings.DEBUG or getattr(staticfiles_storage, "hashed_files", True):
        return ""
    return "Pages have no style: run `manage.py collectstatic`."


def workers() -> str:
    try:
        alive = operation.workers_alive()
    except DatabaseProblem:
        return ""  # reported by the database's own check
    if not alive:
        return "No worker has been heard of for a minute."
    if all(worker.problem or worker.failing for worker in alive):
        return f"No worker can play: {alive[0].problem or alive[0].failing}"
    return ""


def independence() -> str:
    """Whether some worker's bots can remember earlier plays."""
    try:
        notices = [worker.notice for worker in operation.workers_alive() if worker.notice]
    except DatabaseProblem:
        return ""
    return f"{notices[0][0].upper()}{notices[0][1:]}" if notices else ""


def scheduler() -> str:
    try:
        is_heard = operation.scheduler_is_heard()
    except DatabaseProblem:
        return ""
    return "" if is_heard else "The scheduler has not been heard of."


def disk() -> str:
    free = shutil.disk_usage(settings.MEDIA_ROOT if settings.MEDIA_ROOT.exists() else "/").free
    if free >= LEAST_FREE_BYTES:
        return ""
    return f"Only {free >> 20} MB are free for replays: make room."


CHECKS: list[Callable[[], str]] = [
    database,
    broker,
    storage_lately,
    static_files,
    workers,
    scheduler,
]


def problems() -> list[str]:
    return [problem for check in CHECKS if (problem := check())]
