"""A site's stream in a process of its own, and readers of it, for tests."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests import servers
from tests.servers import BIN, Server, free_port, product_environment

WRITE = """
import sys, django; django.setup()
from django.db import transaction
from ladder.contract.events import Audience, EventBot, Facts, Kind
from ladder.boards import Board
from ladder.services.events.outbox import Draft, record
first, count, audience, each = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
for n in range(first, first + count, each):
    with transaction.atomic():
        record(Draft(Kind.BOT_RANKED, Facts(bots=[EventBot(id=k % 3, name=f"Bot {k}")], rank=k),
                     Audience(audience), board=Board("ramen_ramen", 2 + k % 2))
               for k in range(n, min(n + each, first + count)))
"""


def write_events(
    environment: dict[str, str], first: int, count: int, audience: str = "public", each: int = 1
) -> None:
    """Write events, numbered by their rank, from another process."""
    words = [servers.PYTHON, "-c", WRITE, str(first), str(count), audience, str(each)]
    done = servers.subprocess.run(
        words, cwd=servers.ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def stream_server(environment: dict[str, str], log: Path, port: int = 0) -> Server:
    port = port or free_port()
    words = [str(BIN / "gunicorn"), "--config", "ladder/stream/gunicorn.py"]
    words += ["--bind", f"127.0.0.1:{port}", "ladder.stream.app:application"]
    return Server(words, port=port, environment=environment, log=log)


@contextmanager
def site_with_stream(folder: Path, **settings: str) -> Iterator[tuple[dict[str, str], Server]]:
    environment = product_environment(folder / "var", **settings)
    servers.manage(environment, "migrate", "-v0")
    server = stream_server(environment, folder / "stream.log")
    server.start()
    try:
        yield environment, server
    finally:
        server.stop()


class Reader(threading.Thread):
    """Follows the stream by lines of JSON and comes back after every break, where it left off."""

    def __init__(self, port: int, query: str = "", after: int | None = None) -> None:
        super().__init__(daemon=True)
        self._port, self._query = port, query
        self.last = after
        self.lines: list[dict[str, Any]] = []
        self.breaks = 0
        self.is_open = threading.Event()
        self._over = threading.Event()
        self._socket: socket.socket | None = None

    @property
    def first(self) -> int:
        """The id after which it reads."""
        return int(self.lines[0]["id"])

    @property
    def events(self) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["kind"] not in ("hello", "reset")]

    def run(self) -> None:
        while not self._over.is_set():
            with suppress(OSError):
                self._follow()
            self.breaks += 1
            self._over.wait(0.1)

    def _follow(self) -> None:
        after = "" if self.last is None else f"&after={self.last}"
        with socket.create_connection(("127.0.0.1", self._port), timeout=30) as self._socket:
            path = f"/api/v1/events?format=ndjson{after}{self._query}"
            self._socket.sendall(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
            with self._socket.makefile("rb") as answer:
                for head in answer:
                    if head == b"\r\n":
                        break
                self.is_open.set()
                for line in answer:
                    if line.startswith(b"{") and line.endswith(b"}\n"):
                        self.lines.append(json.loads(line))
                        self.last = self.lines[-1]["id"]

    def break_off(self) -> None:
        if self._socket is not None:
            self._socket.close()

    def stop(self) -> None:
        self._over.set()
        with suppress(OSError):
            if self._socket is not None:
                self._socket.shutdown(socket.SHUT_RDWR)
