"""For machines and operators: alive, ready, metrics."""

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, JsonResponse
from django.utils.crypto import constant_time_compare
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from ladder.queries import operation
from ladder.web.operation.metrics import LadleCollector


def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is asked."""
    return HttpResponse("ok\n", content_type="text/plain")


def readyz(request: HttpRequest) -> JsonResponse:
    """Whether the service can do its work, and what is not ready if it cannot."""
    problems = [problem for check in CHECKS if (problem := check())]
    body = {"ready": not problems, "problems": problems}
    return JsonResponse(body, status=503 if problems else 200)


def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus metrics; with LADLE_METRICS_TOKEN set, only for its bearer."""
    expected = settings.METRICS_TOKEN
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if expected and not constant_time_compare(given, expected):
        return HttpResponseForbidden("The metrics need their token.\n", content_type="text/plain")
    registry = CollectorRegistry()
    registry.register(LadleCollector())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _database() -> str:
    try:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return "The database is behind: run `manage.py migrate`."
    except DatabaseError as error:
        return f"The database does not answer: {error}"
    return ""


def _broker() -> str:
    from celery import current_app

    if not settings.REDIS_URL:
        return ""
    try:
        with current_app.connection_for_write(connect_timeout=2) as broker:
            broker.ensure_connection(max_retries=1, timeout=2)
    except Exception as error:  # whatever the transport raises, the answer is the same
        return f"The broker does not answer: {error}"
    return ""


def _storage() -> str:
    # Written, not only looked at: a full or read-only disk still lists its files.
    try:
        default_storage.delete(default_storage.save("probe", ContentFile(b"probe")))
    except OSError as error:
        return f"The storage of sources and replays takes no file: {error.strerror}."
    return ""


def _static_files() -> str:
    if settings.DEBUG or getattr(staticfiles_storage, "hashed_files", True):
        return ""
    return "Pages have no style: run `manage.py collectstatic`."


def _workers() -> str:
    try:
        alive = operation.workers_alive()
    except DatabaseError:
        return ""  # told by the database's own check
    if not alive:
        return "No worker has been heard of for a minute."
    if all(worker.problem or worker.failing for worker in alive):
        return f"No worker can play: {alive[0].problem or alive[0].failing}"
    return ""


def _scheduler() -> str:
    try:
        is_heard = operation.scheduler_is_heard()
    except DatabaseError:
        return ""
    return "" if is_heard else "The scheduler has not been heard of."


CHECKS = [_database, _broker, _storage, _static_files, _workers, _scheduler]
