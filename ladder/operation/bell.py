"""Waking up when an event was written: NOTIFY on PostgreSQL, the file's version on SQLite."""

from __future__ import annotations

import sqlite3
import time
from typing import Any, Protocol

import psycopg
from django.db import connection

CHANNEL = "ladle_events"
POLL_S = 0.05  # of SQLite; it costs some microseconds


class Bell(Protocol):
    def wait(self, seconds: float) -> None:
        """Return when something may have been written, or after this number of seconds."""

    def close(self) -> None: ...


class PostgresBell:
    """A connection of its own that listens; not through a pooler of transactions."""

    def __init__(self, channel: str = CHANNEL) -> None:
        # With all that Django connects with, TLS options of DATABASE_URL included.
        options: dict[str, Any] = connection.get_connection_params()
        self._connection = psycopg.connect(**options, autocommit=True)
        self._connection.execute(f"LISTEN {channel}")

    def wait(self, seconds: float) -> None:
        for _ in self._connection.notifies(timeout=seconds, stop_after=1):
            pass

    def close(self) -> None:
        self._connection.close()


class SqliteBell:
    """`data_version` changes when another connection has written."""

    def __init__(self, poll_s: float = POLL_S) -> None:
        self._poll_s = poll_s
        name = str(connection.settings_dict["NAME"])
        self._connection = sqlite3.connect(f"file:{name}?mode=ro", uri=True)
        self._seen = self._version()

    def _version(self) -> int:
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            version = self._version()
            if version != self._seen:
                self._seen = version
                return
            time.sleep(self._poll_s)

    def close(self) -> None:
        self._connection.close()


def open_bell(channel: str = CHANNEL, *, poll_s: float = POLL_S) -> Bell:
    """The bell of a channel; on SQLite it rings at every write, looked for that often."""
    return PostgresBell(channel) if connection.vendor == "postgresql" else SqliteBell(poll_s)
