"""A server that webhooks are sent to, for tests; it needs no Django."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Receiver(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.statuses: list[int] = []  # of the next answers; then 200

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook"


class Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append(({k.lower(): v for k, v in self.headers.items()}, body))
        self.send_response(self.server.statuses.pop(0) if self.server.statuses else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None: ...
