"""`GET /api/v1/events`: server-sent events or lines of JSON, as a bare ASGI application.

gunicorn -c ladder/stream/gunicorn.py ladder.stream.app:application
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any, Literal

import django
import msgspec

from ladder import environment

environment.load()
django.setup()

from django.conf import settings  # noqa: E402

from ladder.contract.events import Mark  # noqa: E402
from ladder.stream import answers, asking, seats  # noqa: E402
from ladder.stream.answers import Receive, Send  # noqa: E402
from ladder.stream.hub import Hub, Listener, Sent  # noqa: E402
from ladder.stream.reader import BATCH, Reader  # noqa: E402
from ladder.stream.seat_hub import SeatHub  # noqa: E402

PATH = "/api/v1/events"
KEEP_ALIVE_S = 15.0
MOST_EARLIER = 5000  # events that are sent again; readers who missed more start over
READY_S = 5.0  # how long a request waits for the first look into the database


class Stream:
    """The application: one hub, one reader, and a coroutine for each connection."""

    def __init__(self) -> None:
        self.hub = Hub()
        self._reader: Reader | None = None
        self._seats: SeatHub | None = None
        self._by_address: Counter[str] = Counter()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self._started()
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                if self._reader is not None:
                    self._reader.stop()
                for listener in self.hub.listeners:
                    listener.drop()
                if self._seats is not None:
                    await self._seats.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def _started(self) -> Reader:
        if self._reader is None:
            self._reader = Reader(self.hub)
            self._reader.start()
            self._seats = SeatHub()
            self._seats.start()
        return self._reader

    async def _answer(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        reader = self._started()
        with suppress(TimeoutError):
            await asyncio.wait_for(reader.is_ready.wait(), READY_S)
        is_ready = reader.is_ready.is_set()
        if scope["path"] == "/healthz":
            await answers.plain(
                send, 200 if is_ready else 503, b"ok\n" if is_ready else b"no database\n"
            )
        elif scope["path"].startswith(seats.PATHS):
            assert self._seats is not None
            await seats.answer(self._seats, scope, receive, send)
        elif scope["path"].rstrip("/") != PATH:
            await answers.problem(
                send, 404, "not_found", f"There is nothing here. Events are at {PATH}."
            )
        elif scope["method"] == "OPTIONS":
            await answers.start(
                send, 204, b"text/plain", [(b"access-control-allow-methods", b"GET")]
            )
            await send({"type": "http.response.body", "body": b""})
        elif scope["method"] not in ("GET", "HEAD"):
            await answers.problem(send, 405, "method_not_allowed", "Only GET is allowed.")
        elif not is_ready:
            await answers.problem(
                send, 503, "internal", "The database is away. Try again.", retry_after=5
            )
        else:
            await self._open(scope, receive, send)

    async def _open(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        try:
            asked = asking.read(scope)
        except asking.BadRequest as error:
            await answers.problem(send, 400, "validation", str(error))
            return
        address = asking.address_of(scope)
        if len(self.hub.listeners) >= settings.STREAM_MOST:
            words = f"All {settings.STREAM_MOST} streams are taken. Try again later."
            await answers.problem(send, 503, "throttled", words, retry_after=30)
            return
        if self._by_address[address] >= settings.STREAM_MOST_PER_ADDRESS:
            words = f"You have {settings.STREAM_MOST_PER_ADDRESS} streams open, which is the limit."
            await answers.problem(send, 429, "throttled", words, retry_after=30)
            return
        kind = b"text/event-stream" if asked.is_sse else b"application/x-ndjson"
        # nginx passes on at once what it would otherwise gather.
        await answers.start(send, 200, kind + b"; charset=utf-8", [(b"x-accel-buffering", b"no")])
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body", "body": b""})
            return
        listener = Listener(asked.filter)
        self._by_address[address] += 1
        self.hub.listeners.add(listener)
        gone = asyncio.ensure_future(_until_gone(receive, listener))
        try:
            await self._write(listener, asked, send)
        finally:
            gone.cancel()
            self.hub.listeners.discard(listener)
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]

    async def _write(self, listener: Listener, asked: asking.Asked, send: Send) -> None:
        """What was missed, then what happens, until one of us leaves."""

        async def write(body: bytes, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": body, "more_body": more})

        def encoded(events: Iterable[Sent]) -> bytes:
            return b"".join(sent.sse if asked.is_sse else sent.line for sent in events)

        now = self.hub.last
        if asked.is_sse:
            await write(b"retry: 2000\n\n")
        if asked.after is None:
            await write(_mark("hello", now, asked.is_sse))
        else:
            await self._catch_up(listener, asked, now, write, encoded)
        while not listener.is_dropped:
            with suppress(TimeoutError):
                await asyncio.wait_for(listener.has_news.wait(), KEEP_ALIVE_S)
            news = [sent for sent in listener.take() if sent.event.id > now]
            if not listener.is_dropped:
                await write(encoded(news) or (b": still here\n\n" if asked.is_sse else b"\n"))
        await write(b"", more=False)

    async def _catch_up(
        self,
        listener: Listener,
        asked: asking.Asked,
        now: int,
        write: Callable[[bytes], Awaitable[None]],
        encoded: Callable[[Iterable[Sent]], bytes],
    ) -> None:
        """Send again what came after the id that the reader saw last, or say that it is unknown."""
        assert self._reader is not None and asked.after is not None
        text = asked.after
        last = int(text) if text.isascii() and text.isdigit() and len(text) < 17 else -1
        recent = self.hub.since(last)
        if recent is not None and last <= now:
            await write(
                encoded(s for s in recent if s.event.id <= now and asked.filter.wants(s.event))
            )
            return
        is_kept = 0 <= last <= now and last >= await self._reader.oldest() - 1
        for _ in range(MOST_EARLIER // BATCH):
            if not is_kept or listener.is_dropped:
                break
            page = await self._reader.earlier(last, BATCH)
            await write(
                encoded(s for s in page if s.event.id <= now and asked.filter.wants(s.event))
            )
            if len(page) < BATCH or page[-1].event.id >= now:
                return
            last = page[-1].event.id
        # The reader's place is unknown or too long ago: what it shows must be fetched again.
        await write(_mark("reset", now, asked.is_sse))


def _mark(kind: Literal["hello", "reset"], now: int, is_sse: bool) -> bytes:
    data = msgspec.json.encode(Mark(kind=kind, id=now))
    return b"id: %d\ndata: %b\n\n" % (now, data) if is_sse else data + b"\n"


async def _until_gone(receive: Receive, listener: Listener) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    listener.drop()


application = Stream()
