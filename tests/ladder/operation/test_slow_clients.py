"""The web process of `make run` beside clients who send slowly, in pieces, or without a length."""

from __future__ import annotations

import json
import socket
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from ladder import serve
from tests.servers import PYTHON, Server, free_port, manage, product_environment


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder = tmp_path_factory.mktemp("slow")
    environment = product_environment(folder / "var")
    manage(environment, "migrate", "-v0")
    number = free_port()
    argv = [PYTHON, *serve.web_command("127.0.0.1", number)[1:]]
    server = Server(argv, port=number, environment=environment, log=folder / "web.log")
    server.start()
    try:
        yield number
    finally:
        server.stop()


def connect(stack: ExitStack, port: int, sent: bytes) -> socket.socket:
    client = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
    client.sendall(sent)
    return client


def test_half_sent_requests_keep_nobody_else_waiting(port):
    head = b"POST /api/v1/verify/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n"
    with ExitStack() as stack:
        for _ in range(60):
            connect(stack, port, b"GET / HTTP/1.1\r\nHost: local")
        for _ in range(30):
            connect(stack, port, head + b"Content-Type: application/json\r\n\r\n{")

        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=20) as answer:
            assert answer.read() == b"ok\n"


def test_one_address_cannot_take_all_connections(port):
    with ExitStack() as stack:
        for _ in range(1100):
            connect(stack, port, b"GET / HTTP/1.1\r\nHost: local")

        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=20) as answer:
            assert answer.read() == b"ok\n"


def test_a_body_in_chunks_is_read_whole(port):
    body = json.dumps({"nonsense": "x" * 100}).encode()
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:30], body[30:]))
    request = b"POST /api/v1/verify/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    request += b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    with ExitStack() as stack:
        client = connect(stack, port, request + chunks + b"0\r\n\r\n")
        answer = b"".join(iter(lambda: client.recv(65536), b""))

    whole = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/verify/",
        data=body,
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(whole, timeout=20) as expected:
        assert answer.partition(b"\r\n\r\n")[2] == expected.read()


def test_a_body_of_unknown_length_is_refused_rather_than_taken_for_empty(client):
    answer = client.post(
        "/api/v1/verify/",
        data=b"",
        content_type="application/json",
        headers={"Transfer-Encoding": "chunked"},
        CONTENT_LENGTH="",
    )

    assert answer.status_code == 411


def test_trace_is_not_allowed(client):
    assert client.trace("/sign-in/").status_code == 405


@pytest.mark.parametrize(("proxies", "believed"), [("0", False), ("1", True)])
def test_only_a_proxy_may_say_that_the_client_spoke_tls(tmp_path, proxies, believed):
    environment = product_environment(tmp_path / "var", LADLE_TRUSTED_PROXIES=proxies)
    code = """
from django.test import RequestFactory
print(RequestFactory().get("/", headers={"X-Forwarded-Proto": "https"}).is_secure())
"""

    assert manage(environment, "shell", "-v0", "-c", code) == f"{believed}\n"


def test_pages_are_plain_but_there_without_collectstatic(tmp_path):
    environment = product_environment(tmp_path / "var", DEBUG="0", SECRET_KEY="x" * 60)
    manage(environment, "migrate", "-v0")
    code = """
from django.test import Client
print(Client().get("/sign-in/", secure=True, headers={"host": "127.0.0.1"}).status_code)
"""

    assert manage(environment, "shell", "-v0", "-c", code).endswith("200\n")


@pytest.mark.services
def test_pages_are_there_while_redis_is_away(tmp_path):
    gone = f"redis://127.0.0.1:{free_port()}/0"
    environment = product_environment(tmp_path / "var", REDIS_URL=gone)
    manage(environment, "migrate", "-v0")
    code = """
from django.test import Client
client = Client(headers={"host": "127.0.0.1"})
print([client.get(path).status_code for path in ("/", "/api/v1/matches/", "/matches/")])
print(client.post("/sign-in/", {"username": "x", "password": "y"}).status_code)
"""

    assert manage(environment, "shell", "-v0", "-c", code).endswith("[200, 200, 200]\n400\n")
