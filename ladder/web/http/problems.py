"""Problem documents of RFC 9457, as the API answers with: a code for programs, a sentence for
people."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import JsonResponse

from ladder.errors import Code

CONTENT_TYPE = "application/problem+json"
TOO_LARGE = "The request is larger than this server reads."


def document(
    number: int, code: Code, detail: str, errors: Any = None, **more: Any
) -> dict[str, Any]:
    data: dict[str, Any] = {
        "type": f"urn:ladle:problem:{code}",
        "title": HTTPStatus(number).phrase,
        "status": number,
        "detail": detail,
        "code": str(code),
    }
    if errors:
        data["errors"] = errors
    return data | more


def too_large() -> JsonResponse:
    """The answer to a request that is not read at all."""
    data = document(413, Code.TOO_LARGE, TOO_LARGE)
    return JsonResponse(data, status=413, content_type=CONTENT_TYPE)
