"""Errors as RFC 9457 problem documents: a stable code for programs, a sentence for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import structlog
from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import set_rollback

from ladder.errors import Code, LadderError, Missing
from ladder.web.http.problems import CONTENT_TYPE, TOO_LARGE, document
from ladder.web.http.statuses import status_of

log = structlog.get_logger(__name__)

NOT_FOUND = "There is nothing here."


PARTS = {"index": "play"}  # what people call a part of an address
QUOTA_SECONDS = 3600  # quotas count a day back, so an hour from now may see room again

# DRF's words for its own errors, where ours are plainer.
CODES = {
    "parse_error": Code.MALFORMED,
    "permission_denied": Code.NOT_ALLOWED,
    "invalid": Code.VALIDATION,
}


class TooLarge(exceptions.APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = Code.TOO_LARGE
    default_detail = TOO_LARGE


class Changed(exceptions.APIException):
    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_code = Code.CHANGED
    default_detail = "It was changed since you read it. Read it again, then repeat your change."


class TooMany(exceptions.Throttled):
    """Which limit is used up, beside how long to wait."""

    def __init__(self, *, key: str, wait: float) -> None:
        super().__init__(wait)
        self.key = key


def problem(number: int, code: Code, detail: str, **more: Any) -> Response:
    headers = more.pop("headers", None)
    body = document(number, code, detail, **more)
    return Response(body, status=number, headers=headers, content_type=CONTENT_TYPE)


def handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """What the API answers to an exception; None leaves it to Django's debug page."""
    set_rollback()
    if isinstance(error, LadderError):
        if error.code is Code.QUOTA:
            return _too_many(Code.QUOTA, str(error), "quota", QUOTA_SECONDS)
        return problem(status_of(error), error.code, str(error))
    if isinstance(error, Http404):
        return problem(404, Code.NOT_FOUND, _not_found(context["kwargs"]))
    if isinstance(error, PermissionDenied):
        return problem(403, Code.NOT_ALLOWED, str(error) or "You may not do this.")
    if isinstance(error, RequestDataTooBig):
        return problem(413, TooLarge.default_code, TooLarge.default_detail)
    if isinstance(error, SuspiciousOperation):
        return problem(400, Code.MALFORMED, "The request cannot be read.")
    if isinstance(error, exceptions.ValidationError):
        errors = list(_flat(error.detail))
        return problem(400, Code.VALIDATION, _summary(errors), errors=errors)
    if isinstance(error, exceptions.APIException):
        return _of_framework(error)
    if settings.DEBUG:
        return None
    log.exception("request failed", path=context["request"].path)
    return problem(500, Code.INTERNAL, "The server failed; the fault is ours and has been logged.")


def _not_found(address: dict[str, Any]) -> str:
    """Names what was asked for."""
    parts = [f"{PARTS.get(name, name)} {value}" for name, value in address.items()]
    return str(Missing(", ".join(parts))) if parts else NOT_FOUND


@csrf_exempt  # there is nothing to protect
def unknown_address(request: HttpRequest, rest: str = "") -> JsonResponse:
    """The answer to an address that the API does not have."""
    return JsonResponse(
        document(404, Code.NOT_FOUND, NOT_FOUND), status=404, content_type=CONTENT_TYPE
    )


def _of_framework(error: exceptions.APIException) -> Response:
    headers = {}
    if header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = header
    if isinstance(error, exceptions.Throttled):
        wait = max(1, round(getattr(error, "wait", None) or 1))
        detail = f"Too many requests. Try again in {wait} s."
        return _too_many(Code.THROTTLED, detail, getattr(error, "key", "all"), wait)
    data = str(error.get_codes())
    code = CODES.get(data) or Code(data)
    return problem(error.status_code, code, str(error.detail), headers=headers or None)


def _too_many(code: Code, detail: str, key: str, seconds: int) -> Response:
    headers = {"Retry-After": str(seconds)}
    return problem(429, code, detail, headers=headers, key=key, seconds=seconds)


def _flat(detail: Any, field: str = "") -> Iterator[dict[str, str]]:
    """Nested validation messages as one list, each with the path of its field."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            own = "" if name == "non_field_errors" else str(name)
            yield from _flat(inner, ".".join(filter(None, (field, own))))
    elif isinstance(detail, list):
        nested = any(isinstance(one, dict | list) for one in detail)
        for index, inner in enumerate(detail):
            if inner:
                yield from _flat(inner, f"{field}.{index}".lstrip(".") if nested else field)
    else:
        yield {"field": field, "message": str(detail)}


def _summary(errors: list[dict[str, str]]) -> str:
    if not errors:
        return "The request is not valid."
    first = errors[0]
    return f"{first['field']}: {first['message']}" if first["field"] else first["message"]
