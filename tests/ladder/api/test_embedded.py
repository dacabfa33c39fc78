"""What the server of `make run` refuses before the application sees it."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

import pytest

from tests.servers import PYTHON, Server, free_port


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    port = free_port()
    words = [f"--listen=127.0.0.1:{port}", "--max-request-body-size=1000"]
    words += ["--max-request-header-size=2000", "wsgiref.simple_server:demo_app"]
    server = Server([PYTHON, "-m", "ladder.web.embedded", *words], port=port)
    server.start()
    yield port
    server.stop()


@pytest.mark.parametrize(
    ("request_bytes", "status", "code", "words"),
    [
        (
            b"POST /api/v1/bots/ HTTP/1.1\r\nContent-Length: 5000\r\n\r\n",
            413,
            "too_large",
            "larger",
        ),
        (b"GET / HTTP/1.1\r\nX: " + b"y" * 3000 + b"\r\n\r\n", 431, "too_large", "larger"),
        (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400, "malformed", "Invalid header"),
    ],
)
def test_a_request_that_is_not_read_is_refused_by_a_problem_document(
    port: int, request_bytes: bytes, status: int, code: str, words: str
) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(request_bytes)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))

    head, _, body = answer.partition(b"\r\n\r\n")
    told = json.loads(body)
    assert int(head.split()[1]) == status
    assert b"Content-Type: application/problem+json" in head
    assert (told["status"], told["code"]) == (status, code)
    assert words in told["detail"]
