"""For machines and operators: alive, ready, metrics; and for everyone, the status."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from ladder.operation import health
from ladder.queries import operation
from ladder.queries.desk import desk
from ladder.queries.fairness import findings, linked_accounts
from ladder.web.http.pages import page_or_fragment
from ladder.web.operation.metrics import LadleCollector
from ladder.web.operation.plots import plots

STATUS_SECONDS = 5
PLOTS_SECONDS = 60
INDEPENDENT = "no bot can remember an earlier play"
LONG_WAIT = timedelta(minutes=10)


def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is asked."""
    return HttpResponse("ok\n", content_type="text/plain")


def readyz(request: HttpRequest) -> JsonResponse:
    """Whether the service can do its work, and what is not ready if it cannot."""
    problems = health.problems()
    body = {"ready": not problems, "problems": problems}
    return JsonResponse(body, status=503 if problems else 200)


def status(request: HttpRequest) -> HttpResponse:
    """Whether everything works, for everyone; operators have more on their desk."""
    context: Any = cache.get_or_set("status", _status, STATUS_SECONDS)
    return page_or_fragment(request, "ladder/home/status.html", "ladder/home/_status.html", context)


def fairness(request: HttpRequest) -> HttpResponse:
    """What honest play would hardly give, for operators to look at."""
    context = {"findings": findings(), "linked": linked_accounts()}
    return render(request, "ladder/operation/fairness.html", context)


def kitchen(request: HttpRequest) -> HttpResponse:
    """Workers, queue and ticks on one page with plots of a day, for 3 a.m."""
    context = {
        "desk": desk(),
        "day": cache.get_or_set("operators-day", lambda: plots(operation.day()), PLOTS_SECONDS),
    }
    return render(request, "admin/ladle_kitchen.html", context)


def _status() -> dict[str, Any]:
    activity, waits_since = operation.activity(), operation.waits_since()
    waited = timezone.now() - waits_since if waits_since else None
    parts = [
        ("Pages and API", True, "answering"),
        ("Matches", activity.workers > 0, _workers(activity.workers)),
        ("Independent plays", not (shared := health.independence()), shared or INDEPENDENT),
        ("Scheduling and ratings", (heard := operation.scheduler_is_heard()), _scheduler(heard)),
        ("Queue", waited is None or waited < LONG_WAIT, _queue(activity.waiting, waited)),
    ]
    return {
        "parts": parts,
        "is_well": all(is_well for _, is_well, _ in parts),
        "activity": activity,
        "finished": operation.finished_since(timezone.now() - timedelta(hours=1)),
    }


def _workers(alive: int) -> str:
    return f"played by {alive} worker{'s' * (alive != 1)}" if alive else "no worker is running"


def _scheduler(heard: bool) -> str:
    return "running" if heard else "not heard from for half a minute"


def _queue(waiting: int, waited: timedelta | None) -> str:
    if waited is None:
        return "nothing is waiting"
    matches = f"{waiting} match{'es' * (waiting != 1)}"
    return f"{matches} waiting, the first for {max(0, round(waited.total_seconds()))} s"


def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus metrics; with LADLE_METRICS_TOKEN set, only for its bearer."""
    expected = settings.METRICS_TOKEN
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if expected and not constant_time_compare(given, expected):
        return HttpResponseForbidden("The metrics need their token.\n", content_type="text/plain")
    registry = CollectorRegistry()
    registry.register(LadleCollector())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
