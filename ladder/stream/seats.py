"""`GET /api/v1/seat` and `POST /api/v1/decisions/ID/answer`: a remote bot's two doors.

Both are in this process, so that "our server is away" is one fact.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import msgspec
from django.conf import settings
from django.db import Error as DatabaseProblem

from engine.wire import PROTOCOL
from ladder.contract.remote import ANSWERING, Seat, SeatLine
from ladder.errors import Code, LadderError
from ladder.queries import remote as queries
from ladder.services.remote import seats
from ladder.stream import answers
from ladder.stream.answers import Receive, Send
from ladder.stream.asking import headers
from ladder.stream.seat_hub import SeatHub, Stream, encoded, event

T = TypeVar("T")
SEAT = "/api/v1/seat"
DECISIONS = "/api/v1/decisions/"
PATHS = (SEAT, DECISIONS)
KEEP_ALIVE_S = 5.0
LONGEST_POLL_S = 30.0
RETRY_S = 0.5
PARAMETERS = ("wait", "known", "format", "draining")
STATUS = {Code.NOT_FOUND: 404, Code.VALIDATION: 400}  # all other refusals are conflicts
NO_TOKEN = (
    "Send the bot's token in the header `Authorization: Bearer ladlebot_…`. You make one on the"
    " bot's page."
)
UNKNOWN_TOKEN = "This token is unknown or revoked, or its bot does not play now."
IN_ADDRESS = (
    "Send the token in the Authorization header, not in the address: addresses end up in logs."
    " Make a new token, since this one may have been seen."
)


@dataclass(eq=False)
class Refused(Exception):
    """An answer with a problem."""

    status: int
    code: str
    detail: str
    key: str = ""
    seconds: int = 0


class _Leaving(msgspec.Struct, forbid_unknown_fields=True):
    draining: bool


class _Given(msgspec.Struct, forbid_unknown_fields=True):
    action: str
    note: str = ""


async def answer(hub: SeatHub, scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Answer one request of a remote bot."""
    try:
        path, method = scope["path"].rstrip("/"), scope["method"]
        query = _query(scope)
        if method == "OPTIONS":
            await _allow(send)
        elif path == SEAT and method == "GET":
            seat = await _seat(hub, scope, "connects" if "wait" not in query else "answers")
            if "wait" in query:
                await _poll(hub, seat, query, send)
            else:
                await _stream(hub, seat, scope, query, receive, send)
        elif path == SEAT and method == "POST":
            await _drain(hub, scope, receive, send)
        elif path.startswith(DECISIONS) and path.endswith("/answer") and method == "POST":
            line = path.removeprefix(DECISIONS).removesuffix("/answer")
            await _take(hub, line, scope, receive, send)
        elif path == SEAT or path.endswith("/answer"):
            raise Refused(
                405, "method_not_allowed", "GET a seat; POST an answer, or draining to a seat."
            )
        else:
            raise Refused(404, "not_found", f"Not found. A seat is at {SEAT}.")
    except Refused as refused:
        facts: dict[str, Any] = {}
        if refused.key:
            facts = {"key": refused.key, "seconds": refused.seconds}
        await answers.problem(
            send,
            refused.status,
            refused.code,
            refused.detail,
            retry_after=refused.seconds or None,
            **facts,
        )
    except DatabaseProblem:
        words = "The database is away. Send this again."
        await answers.problem(send, 503, "internal", words, retry_after=2)


async def _allow(send: Send) -> None:
    """A page of the site asks first, where this process has a port of its own."""
    more = [(b"access-control-allow-methods", b"GET, POST"), (b"access-control-max-age", b"600")]
    await answers.start(send, 204, b"text/plain", more)
    await send({"type": "http.response.body", "body": b""})


def _query(scope: dict[str, Any]) -> dict[str, str]:
    text = scope.get("query_string", b"").decode("latin-1")
    query = dict(parse_qsl(text, keep_blank_values=True))
    if any(value.startswith(("ladle_", "ladlebot_", "ladleseat_")) for value in query.values()):
        raise Refused(400, "validation", IN_ADDRESS)
    unknown = sorted(query.keys() - set(PARAMETERS))
    if unknown:
        allowed = ", ".join(PARAMETERS)
        words = f"Unknown parameter {unknown[0][:40]!r}. Allowed: {allowed}."
        raise Refused(400, "validation", words)
    return query


async def _seat(hub: SeatHub, scope: dict[str, Any], rate: str) -> Seat:
    """Whose token it is; too many requests are refused with the time to wait."""
    kind, _, secret = headers(scope).get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not secret.strip():
        raise Refused(401, "not_authenticated", NO_TOKEN)
    seat = await hub.do(queries.seat_of, secret.strip())
    if seat is None:
        raise Refused(401, "authentication_failed", UNKNOWN_TOKEN)
    if seconds := hub.wait_s(rate, seat.holder):
        words = f"Too many requests. Try again in {seconds} s."
        raise Refused(429, "throttled", words, key=rate, seconds=seconds)
    return seat


def _check_room(hub: SeatHub) -> None:
    if hub.count >= settings.STREAM_MOST:
        words = f"All {settings.STREAM_MOST} streams are taken. Try again later."
        raise Refused(429, "throttled", words, key="streams", seconds=30)


async def _stream(
    hub: SeatHub,
    seat: Seat,
    scope: dict[str, Any],
    query: dict[str, str],
    receive: Receive,
    send: Send,
) -> None:
    _check_room(hub)
    accepts = headers(scope).get("accept", "")
    is_sse = query.get("format") == "sse" or "text/event-stream" in accepts
    stream = Stream(seat.holder, seat.token, is_draining=_is_draining(query))
    await hub.join(stream)
    gone = asyncio.ensure_future(_until_gone(receive, stream))
    try:
        kind = b"text/event-stream" if is_sse else b"application/x-ndjson"
        await answers.start(send, 200, kind + b"; charset=utf-8", [(b"x-accel-buffering", b"no")])
        await _write(hub, seat, stream, is_sse, send)
    finally:
        gone.cancel()
        await hub.part(stream)


async def _write(hub: SeatHub, seat: Seat, stream: Stream, is_sse: bool, send: Send) -> None:
    async def write(body: bytes, more: bool = True) -> None:
        await send({"type": "http.response.body", "body": body, "more_body": more})

    hello = {
        "type": "hello",
        "protocol": PROTOCOL,
        "bot": None if seat.holder.is_person else seat.holder.id,
        "name": seat.name,
        "open": len(stream.waiting),
        "keep_alive_s": int(KEEP_ALIVE_S),
    }
    await write(event(hello, is_sse))
    while not stream.reason:
        lines = stream.take()
        if lines:
            await _delivered(hub, lines)
            await write(b"".join(encoded(line, is_sse) for line in lines))
        else:
            with suppress(TimeoutError):
                await asyncio.wait_for(stream.has_news.wait(), KEEP_ALIVE_S)
            if not stream.has_news.is_set():
                await write(b": still here\n\n" if is_sse else b"\n")
    if stream.reason != "gone":
        await write(event({"type": "bye", "reason": stream.reason}, is_sse))
        await write(b"", more=False)


async def _delivered(hub: SeatHub, lines: Sequence[SeatLine]) -> None:
    """Start the bot's clock before it sees a question: afterwards it could prevent that."""
    while lines:
        try:
            await hub.do(seats.deliver, [line.id for line in lines])
            return
        except DatabaseProblem:
            await asyncio.sleep(RETRY_S)


async def _until_gone(receive: Receive, stream: Stream) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.close("gone")


async def _poll(hub: SeatHub, seat: Seat, query: dict[str, str], send: Send) -> None:
    """What is open and not known to the client yet, as soon as there is something."""
    text = query["wait"]
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise Refused(400, "validation", f"wait is {text[:20]!r}; write a number of seconds.")
    known = {id for id in query.get("known", "").split(",") if id}
    _check_room(hub)
    stream = Stream(
        seat.holder, seat.token, sent=known, is_poll=True, is_draining=_is_draining(query)
    )
    await hub.join(stream)
    try:
        with suppress(TimeoutError):
            wait = min(float(text), LONGEST_POLL_S)
            await asyncio.wait_for(stream.has_news.wait(), max(0.01, wait))
        if stream.reason == "revoked":
            raise Refused(401, "authentication_failed", UNKNOWN_TOKEN)
        lines = stream.take()
        body = msgspec.json.encode({"lines": [line.body for line in lines]})
        await _delivered(hub, lines)
        await answers.plain(send, 200, body, b"application/json")
    finally:
        await hub.part(stream)


async def _take(
    hub: SeatHub, line: str, scope: dict[str, Any], receive: Receive, send: Send
) -> None:
    seat = await _seat(hub, scope, "answers")
    given = await _read(receive, _Given, '{"action": "nori3"}')
    try:
        await hub.do(
            seats.answer, holder=seat.holder, line=line, action=given.action, note=given.note
        )
    except LadderError as error:
        raise Refused(STATUS.get(error.code, 409), error.code, str(error)) from None
    said = msgspec.json.encode({"id": line, "action": given.action})
    await answers.plain(send, 200, said, b"application/json")


async def _drain(hub: SeatHub, scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """A bot is about to leave: it learns what it still has to finish."""
    seat = await _seat(hub, scope, "answers")
    asked = await _read(receive, _Leaving, '{"draining": true}')
    if seat.holder.is_person:
        raise Refused(400, "validation", "Only bots announce that they leave.")
    plays = await hub.drain(seat.holder, asked.draining)
    await answers.plain(send, 200, msgspec.json.encode({"plays": plays}), b"application/json")


def _is_draining(query: dict[str, str]) -> bool:
    value = query.get("draining", "0")
    if value not in ("0", "1"):
        raise Refused(400, "validation", f"draining is {value[:20]!r}; write 0 or 1.")
    return value == "1"


async def _read(receive: Receive, kind: type[T], example: str) -> T:
    try:
        return msgspec.json.decode(await _body(receive), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        words = f"Send JSON such as {example}. Yours cannot be read: {error}."
        raise Refused(400, "malformed", words[:500]) from None


async def _body(receive: Receive) -> bytes:
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refused(400, "malformed", "The request body was cut off.")
        body += bytes(message.get("body", b""))
        if len(body) > ANSWERING.most_body:
            words = f"The body is longer than {ANSWERING.most_body} bytes, which is the limit."
            raise Refused(413, "too_large", words)
        if not message.get("more_body"):
            return body
