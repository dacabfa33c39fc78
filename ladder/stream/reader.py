"""The one thread that reads events from the database, for all who listen."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import structlog
from django.db import Error as DatabaseProblem
from django.db import close_old_connections, connection

from ladder.operation.bell import Bell, open_bell
from ladder.queries import events
from ladder.services.events.shown import shown
from ladder.stream.hub import Hub, Sent

log = structlog.get_logger(__name__)

BATCH = 100  # well below what may wait for one listener, which writes between two batches
LONGEST_SILENCE_S = 2.0  # the database is asked then, bell or no bell
REST_S = 1.0  # after the database was away


class Reader:
    """Follows the outbox and publishes what is new in the hub, in the loop's thread."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._loop = asyncio.get_running_loop()
        self._stop = threading.Event()
        self.is_ready = asyncio.Event()
        # For readers that come back after a longer time, one after the other.
        self._pool = ThreadPoolExecutor(1, "events of before")
        self._thread = threading.Thread(target=self._run, name="events", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def earlier(self, last: int, count: int) -> list[Sent]:
        """Stored events after an id, oldest first."""
        return await self._loop.run_in_executor(self._pool, _read, last, count)

    async def oldest(self) -> int:
        """The id of the oldest event that is stored."""
        return (await self._loop.run_in_executor(self._pool, _ends))[0]

    def _run(self) -> None:
        last: int | None = None
        bell: Bell | None = None
        while not self._stop.is_set():
            try:
                close_old_connections()
                if bell is None:
                    bell = open_bell()  # before the first look, or something could fall between
                if last is None:
                    last = events.ends()[1]
                    self._call(self._begin, last)
                last = self._publish_new(last)
                bell.wait(LONGEST_SILENCE_S)
            except Exception as error:
                # Whatever it is, readers keep their connections and we try again.
                log.warning("stream cannot read events", error=str(error))
                if bell is not None:
                    with suppress(Exception):
                        bell.close()
                bell = None
                with suppress(DatabaseProblem):
                    connection.close()
                self._stop.wait(REST_S)

    def _publish_new(self, last: int) -> int:
        """All there is after an id; up to which id has been read now."""
        while True:
            newest = events.ends()[1]  # asked first: what is written later is read next time
            found = _read(last, BATCH)
            is_all = len(found) < BATCH
            seen = max(last, newest) if is_all else last
            last = max([seen, *(sent.event.id for sent in found)])
            if found or is_all:
                self._call(self._hub.publish, found, last)
            if is_all:
                return last

    def _begin(self, last: int) -> None:
        self._hub.begin(last)
        self.is_ready.set()

    def _call(self, function: object, *arguments: object) -> None:
        with suppress(RuntimeError):  # the loop is closed: we are ending
            self._loop.call_soon_threadsafe(function, *arguments)  # type: ignore[arg-type]


def _read(last: int, count: int) -> list[Sent]:
    close_old_connections()
    return [Sent.of(shown(event)) for event in events.after(last, count)]


def _ends() -> tuple[int, int]:
    close_old_connections()
    return events.ends()
