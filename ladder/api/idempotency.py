"""`Idempotency-Key`: a POST that is sent again has one effect and gets the first answer.

The effect and the stored answer commit together, so a process that dies in between leaves
neither; its row, still without an answer, may be taken over after a while.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from typing import Any, TypeVar, overload

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ladder.api.problems import problem
from ladder.errors import Code, LadderError
from ladder.services import idempotency

HEADER = "Idempotency-Key"
MAX_LENGTH = 100
SECRETS = ("secret",)  # shown once: never stored, so null when the answer is given again

H = TypeVar("H", bound=Callable[..., Response])


@overload
def idempotent(handler: H) -> H: ...


@overload
def idempotent(handler: None = None, *, writes: bool) -> Callable[[H], H]: ...


def idempotent(handler: Any = None, *, writes: bool = True) -> Any:
    """For a view's `post`. Refusals have no effect and are not saved: the key stays free."""
    if handler is None:
        return lambda inner: idempotent(inner, writes=writes)

    @wraps(handler)
    def post(view: APIView, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = request.headers.get(HEADER)
        if key is not None and not (
            0 < len(key) <= MAX_LENGTH and key.isascii() and key.isprintable()
        ):
            raise LadderError(
                f"{HEADER} has 1 to {MAX_LENGTH} printable ASCII characters.",
                code=Code.BAD_IDEMPOTENCY_KEY,
            )
        if key is None or not request.user.is_authenticated:
            answer: Response = handler(view, request, *args, **kwargs)
            return answer
        row, is_ours = idempotency.reserve(request.user, key, digest(request))
        if not is_ours:
            return _known_answer(row, digest(request))
        try:
            with transaction.atomic() if writes else nullcontext():
                response: Response = handler(view, request, *args, **kwargs)
                _keep(row, response)
        except idempotency.Overtaken:
            return _under_way()
        except BaseException:
            idempotency.free(row)
            raise
        return response

    return post


def digest(request: Request) -> str:
    """What was asked, whatever boundary or key order it was written with."""
    parts: list[Any] = [request.method, request.get_full_path()]
    data = request.data
    if isinstance(data, bytes):
        parts.append(hashlib.sha256(data).hexdigest())
    elif hasattr(data, "lists"):  # a form with files
        for name, values in sorted(data.lists()):
            parts.append([name, *(_form_value(value) for value in values)])
    else:
        parts.append(data)
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _form_value(value: Any) -> Any:
    if not isinstance(value, UploadedFile):
        return value
    lines = [value.name, hashlib.sha256(value.read()).hexdigest()]
    value.seek(0)
    return lines


def _known_answer(row: idempotency.IdempotencyKey, asked: str) -> Response:
    if row.request_digest != asked:
        raise LadderError(
            f"This {HEADER} was used for another request.",
            code=Code.IDEMPOTENCY_KEY_REUSED,
        )
    if row.status is None:
        return _under_way()
    assert row.body is not None, "it is stored with the status"
    headers = {"Idempotency-Replayed": "true"}
    if row.body["location"]:
        headers["Location"] = row.body["location"]
    return Response(row.body["data"], status=row.status, headers=headers)


def _under_way() -> Response:
    return problem(
        409,
        Code.IN_PROGRESS,
        "The first request with this key is still under way.",
        headers={"Retry-After": "1"},
    )


def _keep(row: idempotency.IdempotencyKey, response: Response) -> None:
    data = response.data
    if isinstance(data, dict):
        data = {name: None if name in SECRETS else value for name, value in data.items()}
    body = {"data": data, "location": response.headers.get("Location", "")}
    idempotency.keep(row, response.status_code, body)
