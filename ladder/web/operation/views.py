"""For machines and operators: alive, ready, metrics."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, JsonResponse
from django.utils.crypto import constant_time_compare
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from ladder.services import health
from ladder.web.operation.metrics import LadleCollector


def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is asked."""
    return HttpResponse("ok\n", content_type="text/plain")


def readyz(request: HttpRequest) -> JsonResponse:
    """Whether the service can do its work, and what is not ready if it cannot."""
    problems = health.problems()
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
