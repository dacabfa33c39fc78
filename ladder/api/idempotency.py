"""`Idempotency-Key`: a POST that is sent again has one effect and gets the first answer.

The unique row of (user, key) decides who is first. The effect and the stored answer commit
together, so a process that dies in between leaves neither; its row, still without an answer,
may be taken over after a while. `created_at` is the fence: whoever was taken over cannot commit.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import nullcontext
from datetime import timedelta
from functools import wraps
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ladder.api.problems import problem
from ladder.errors import LadderError
from ladder.models import IdempotencyKey

HEADER = "Idempotency-Key"
MAX_LENGTH = 100
ABANDONED_AFTER = timedelta(seconds=60)
SECRETS = ("secret",)  # shown once: never stored, so null when the answer is given again

Handler = Callable[..., Response]


class _Overtaken(Exception):
    """Another request took this key over while we were slow."""


def idempotent(handler: Handler | None = None, *, writes: bool = True) -> Any:
    """For a view's `post`. Refusals have no effect and are not kept: the key stays free."""
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
                code="bad_idempotency_key",
                status=400,
            )
        if key is None or not request.user.is_authenticated:
            return handler(view, request, *args, **kwargs)
        row, is_ours = _reserve(request, key, digest(request))
        if not is_ours:
            return _known_answer(row, digest(request))
        try:
            with transaction.atomic() if writes else nullcontext():
                response = handler(view, request, *args, **kwargs)
                _keep(row, response)
        except _Overtaken:
            return _under_way()
        except BaseException:
            IdempotencyKey.objects.filter(
                pk=row.pk, status=None, created_at=row.created_at
            ).delete()
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
    told = [value.name, hashlib.sha256(value.read()).hexdigest()]
    value.seek(0)
    return told


def _reserve(request: Request, key: str, asked: str) -> tuple[IdempotencyKey, bool]:
    """The row of this key, and whether it is ours to answer."""
    try:
        with transaction.atomic():
            row = IdempotencyKey.objects.create(user=request.user, key=key, request_digest=asked)
        return row, True
    except IntegrityError:
        pass
    known = IdempotencyKey.objects.filter(user=request.user, key=key).first()
    if known is None:  # its holder was refused just now, which freed the key
        return _reserve(request, key, asked)
    now = timezone.now()
    abandoned = known.status is None and known.created_at < now - ABANDONED_AFTER
    if abandoned and known.request_digest == asked:
        taken = IdempotencyKey.objects.filter(
            pk=known.pk, status=None, created_at=known.created_at
        ).update(created_at=now)
        if taken:
            known.created_at = now
            return known, True
    return known, False


def _known_answer(row: IdempotencyKey, asked: str) -> Response:
    if row.request_digest != asked:
        raise LadderError(
            f"This {HEADER} was used for another request.",
            code="idempotency_key_reused",
            status=422,
        )
    if row.status is None:
        return _under_way()
    headers = {"Idempotency-Replayed": "true"}
    if row.body["location"]:
        headers["Location"] = row.body["location"]
    return Response(row.body["data"], status=row.status, headers=headers)


def _under_way() -> Response:
    return problem(
        409,
        "in_progress",
        "The first request with this key is still under way.",
        headers={"Retry-After": "1"},
    )


def _keep(row: IdempotencyKey, response: Response) -> None:
    data = response.data
    if isinstance(data, dict):
        data = {name: None if name in SECRETS else value for name, value in data.items()}
    kept = IdempotencyKey.objects.filter(pk=row.pk, status=None, created_at=row.created_at).update(
        status=response.status_code,
        body={"data": data, "location": response.headers.get("Location", "")},
    )
    if not kept:
        raise _Overtaken
