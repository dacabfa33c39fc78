"""What every answer of the stream's process begins with, and its problems."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import msgspec

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
ALLOWED_HEADERS = b"last-event-id, accept, cache-control, authorization, content-type"
COMMON = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-allow-headers", ALLOWED_HEADERS),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]


async def start(
    send: Send, status: int, kind: bytes, more: Iterable[tuple[bytes, bytes]] = ()
) -> None:
    headers = [(b"content-type", kind), *COMMON, *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})


async def plain(send: Send, status: int, body: bytes, kind: bytes = b"text/plain") -> None:
    await start(send, status, kind, [(b"content-length", str(len(body)).encode())])
    await send({"type": "http.response.body", "body": body})


async def problem(
    send: Send,
    status: int,
    code: str,
    detail: str,
    *,
    retry_after: int | None = None,
    **facts: object,
) -> None:
    """As the rest of the API has it (RFC 9457), with further facts for programs."""
    data = {"type": f"urn:ladle:problem:{code}", "title": code, "status": status, "detail": detail}
    body = msgspec.json.encode(data | {"code": code} | facts)
    more = [(b"content-length", str(len(body)).encode())]
    if retry_after is not None:
        more.append((b"retry-after", str(retry_after).encode()))
    if status == 401:
        more.append((b"www-authenticate", b"Bearer"))
    await start(send, status, b"application/problem+json", more)
    await send({"type": "http.response.body", "body": body})
