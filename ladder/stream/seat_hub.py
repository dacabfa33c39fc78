"""The connected remote bots: one thread reads the database for all of them.

Seats are level-triggered: a bot is sent what is open now, with no cursor to lose.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
import structlog
from django.db import Error as DatabaseProblem
from django.db import close_old_connections, connection

from ladder.contract.remote import Admission, Holder, SeatLine
from ladder.operation.bell import Bell, open_bell
from ladder.queries import remote as queries
from ladder.services.remote import seats

log = structlog.get_logger(__name__)
T = TypeVar("T")

HEARTBEAT_S = 1.5
BELL_S = 0.02  # on SQLite
REST_S = 1.0  # after the database was away
READERS = 2  # connections for what requests ask
RATES = {"connects": (30, 60.0), "answers": (600, 60.0)}  # requests in seconds, per holder


@dataclass(eq=False, slots=True)
class Stream:
    """One open connection of a bot or a person, or one poll."""

    holder: Holder
    token: str  # its digest: when the holder's token changes, the stream is closed
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    waiting: dict[str, SeatLine] = field(default_factory=dict)
    sent: set[str] = field(default_factory=set)
    has_news: asyncio.Event = field(default_factory=asyncio.Event)
    reason: str = ""  # why it is to be closed
    is_poll: bool = False
    is_draining: bool = False

    def show(self, lines: Iterable[SeatLine]) -> None:
        """What is open for this bot now."""
        known = {line.id: line for line in lines}
        self.sent &= known.keys()
        self.waiting = {id: line for id, line in known.items() if id not in self.sent}
        if self.waiting:
            self.has_news.set()

    def take(self) -> list[SeatLine]:
        self.has_news.clear()
        lines = list(self.waiting.values())
        self.sent |= self.waiting.keys()
        self.waiting = {}
        return lines

    def close(self, reason: str) -> None:
        self.reason = self.reason or reason
        self.waiting = {}
        self.has_news.set()


class SeatHub:
    """All streams of remote bots in this process."""

    def __init__(self) -> None:
        self.process = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        self._loop = asyncio.get_running_loop()
        self._streams: dict[str, Stream] = {}  # by id; replaced as a whole, for the thread
        self._stop = threading.Event()
        self._look = threading.Event()  # a stream came: look at once
        self._pool = ThreadPoolExecutor(READERS, "seats")
        self._thread = threading.Thread(target=self._run, name="seats", daemon=True)
        self._recent: dict[tuple[str, Holder], deque[float]] = {}

    @property
    def count(self) -> int:
        return len(self._streams)

    def start(self) -> None:
        self._thread.start()

    async def stop(self) -> None:
        """An orderly end: bots come back to the next process and are not charged for it."""
        self._stop.set()
        for stream in self._streams.values():
            stream.close("restart")
        with suppress(Exception):
            await self.do(seats.goodbye, self.process)
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def do(self, verb: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """Run a question or a verb on one of few connections."""

        def run() -> T:
            close_old_connections()
            return verb(*arguments, **named)

        return await self._loop.run_in_executor(self._pool, run)

    def wait_s(self, key: str, holder: Holder) -> int:
        """Count one more of these; after how many seconds it is allowed, 0 for now."""
        most, period = RATES[key]
        now = time.monotonic()
        times = self._recent.setdefault((key, holder), deque())
        while times and now - times[0] > period:
            times.popleft()
        if len(times) >= most:
            return max(1, round(period - (now - times[0])))
        times.append(now)
        return 0

    async def join(self, stream: Stream) -> None:
        """From now on this stream is sent what is open; the bot's older ones are closed."""
        for other in self._streams.values():
            if other.holder == stream.holder and not other.is_poll and not stream.is_poll:
                other.close("replaced")
        if stream.is_poll:
            await self.do(
                seats.poll,
                holder=stream.holder,
                process=self.process,
                is_draining=stream.is_draining,
            )
        else:
            await self.do(
                seats.arrive,
                holder=stream.holder,
                stream=stream.id,
                process=self.process,
                is_draining=stream.is_draining,
            )
        self._streams = {**self._streams, stream.id: stream}
        stream.show(await self.do(queries.open_lines, [stream.holder]))

    async def drain(self, holder: Holder, is_draining: bool) -> list[int]:
        """Give a bot no new plays; its stream ends at once if it has none to finish."""
        plays = await self.do(seats.drain, bot=holder.id, is_draining=is_draining)
        if is_draining and not plays:
            for stream in self._streams.values():
                if stream.holder == holder:
                    stream.close("drained")
        return plays

    async def part(self, stream: Stream) -> None:
        self._streams = {id: other for id, other in self._streams.items() if other is not stream}
        with suppress(Exception):  # the database may be away: the heartbeat reports it
            if stream.is_poll:
                await self.do(seats.end_poll, holder=stream.holder)
            elif not self._stop.is_set():
                await self.do(seats.leave, holder=stream.holder, stream=stream.id)

    def _run(self) -> None:
        bell: Bell | None = None
        beaten = 0.0
        while not self._stop.is_set():
            try:
                close_old_connections()
                if bell is None:
                    bell = open_bell(seats.CHANNEL, poll_s=BELL_S)
                if time.monotonic() - beaten >= HEARTBEAT_S:
                    seats.heartbeat(self.process)
                    beaten = time.monotonic()
                self._publish()
                bell.wait(HEARTBEAT_S)
            except Exception as error:
                # Whatever it is, bots keep their connections and we try again.
                log.warning("stream cannot read seats", error=str(error))
                if bell is not None:
                    with suppress(Exception):
                        bell.close()
                bell = None
                with suppress(DatabaseProblem):
                    connection.close()
                self._stop.wait(REST_S)

    def _publish(self) -> None:
        streams = self._streams
        if not streams:
            return
        holders = {stream.holder for stream in streams.values()}
        lines: dict[Holder, list[SeatLine]] = {holder: [] for holder in holders}
        for line in queries.open_lines(holders):
            lines[line.holder].append(line)
        admitted = queries.admitted(holders)
        with suppress(RuntimeError):  # the loop is closed: we are ending
            self._loop.call_soon_threadsafe(self._show, streams, lines, admitted)

    def _show(
        self,
        streams: dict[str, Stream],
        lines: dict[Holder, list[SeatLine]],
        admitted: dict[Holder, Admission],
    ) -> None:
        for stream in streams.values():
            admission = admitted.get(stream.holder)
            if admission is None or admission.token != stream.token:
                stream.close("revoked")  # or its owner was suspended, or the bot retired
            elif not stream.is_poll and admission.stream != stream.id:
                stream.close("replaced")  # by a newer one in another process
            elif stream.id in self._streams:
                stream.show(lines[stream.holder])


def encoded(line: SeatLine, is_sse: bool) -> bytes:
    return event(line.body, is_sse)


def event(data: dict[str, Any], is_sse: bool) -> bytes:
    body = msgspec.json.encode(data)
    return b"event: %b\ndata: %b\n\n" % (data["type"].encode(), body) if is_sse else body + b"\n"
