"""Nothing of ours can be reached through a webhook, however its address is written."""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from ladder.errors import LadderError
from ladder.services.webhooks import hooks, safety

PRIVATE_TEXT = """
127.0.0.1 127.1.2.3 0.0.0.0 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.254 192.168.0.1
192.168.255.255 169.254.169.254 169.254.0.1 100.64.0.1 100.127.255.255 192.0.0.1 192.0.2.1
198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 192.88.99.1 224.0.0.1 239.255.255.250
240.0.0.1 255.255.255.255 168.63.129.16 ::1 :: ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1
::ffff:169.254.169.254 ::ffff:192.168.1.1 ::ffff:0:127.0.0.1 ::127.0.0.1 ::7f00:1 ::10.0.0.1
::a9fe:a9fe fe80::1 fe80::1%lo fe80::a9fe:a9fe febf::1 fec0::1 fc00::1 fd00::1 fd00:ec2::254
fdff::1 ff02::1 ff05::2 100::1 2001:db8::1 2001::1 2001:10::1 2001:20::1 5f00::1
64:ff9b::127.0.0.1 64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::1
64:ff9b:1::7f00:1 2002:7f00:1:: 2002:7f00:0001::1 2002:a00:1:: 2002:c0a8:101:: 2002:a9fe:a9fe::1
2001:0:7f00:1::1 2001:0:4136:e378:8000:63bf:80ff:fffe 2606:4700::5efe:7f00:1
2606:4700::5efe:10.0.0.1 2606:4700::200:5efe:192.168.1.1
"""
PRIVATE = PRIVATE_TEXT.split()
PUBLIC_TEXT = """
1.1.1.1 8.8.8.8 93.184.216.34 172.32.0.1 100.128.0.1 2606:4700:4700::1111
2a00:1450:4001:81b::200e ::ffff:8.8.8.8 64:ff9b::8.8.8.8
"""
PUBLIC = PUBLIC_TEXT.split()
# Names and spellings that a resolver turns into an address of this machine.
SPELLINGS_TEXT = """
localhost localhost.localdomain 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 017700000001
0177.0.0.1 0 0.0 0x0 127.0.0.1. ⑫⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1 [::1] [::ffff:127.0.0.1] [::]
[fe80::1%25lo] [0:0:0:0:0:ffff:7f00:1]
"""
SPELLINGS = SPELLINGS_TEXT.split()
BAD_URLS = [
    *("ftp://example.org/", "file:///etc/passwd", "gopher://example.org/", "//example.org/", ""),
    *("http://example.org/", "https://", "https:///x", "javascript:alert(1)", "unix:///run/x"),
    *("https://user:pw@example.org/", "https://example.org:99999/", "https://exa\nmple.org/"),
    *("https://[::1", f"https://example.org/{'x' * 600}", "https://127.0.0.1/", "https://[::1]/"),
    *("https://169.254.169.254/latest/meta-data/", "https://[fe80::1%25lo]/"),
]


class Server(ThreadingHTTPServer):
    """Counts who got through."""

    daemon_threads = True
    asked = 0
    status = 200
    location = ""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        self.server.asked += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(self.server.status)
        if self.server.location:
            self.send_header("Location", self.server.location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Handler) as made:
        threading.Thread(target=made.serve_forever, daemon=True).start()
        yield made
        made.shutdown()


def resolve_to(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """A name server that gives these answers one after the other, the last one for ever."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def getaddrinfo(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        if host[0].isdigit():  # an address is itself
            return real(host, port, *_, **__)
        asked.append(host)
        answer = answers[min(len(asked), len(answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (text, port)) for text in answer]

    monkeypatch.setattr(safety.socket, "getaddrinfo", getaddrinfo)
    return asked


@pytest.mark.parametrize("text", PRIVATE)
def test_no_private_address_is_allowed(text: str) -> None:
    assert safety.is_forbidden(ipaddress.ip_address(text.partition("%")[0]))


@pytest.mark.parametrize("text", PUBLIC)
def test_public_addresses_are_allowed(text: str) -> None:
    assert not safety.is_forbidden(ipaddress.ip_address(text))


@pytest.mark.parametrize("host", SPELLINGS)
def test_no_spelling_of_this_machine_gets_through(host: str, server: Server) -> None:
    with pytest.raises(Exception) as refused:
        safety.post(f"http://{host}:{server.server_port}/", b"{}", {})
    assert not isinstance(refused.value, AssertionError)
    assert server.asked == 0


@pytest.mark.parametrize("url", BAD_URLS)
def test_an_address_that_cannot_be_right_is_refused_when_it_is_entered(url: str) -> None:
    with pytest.raises(LadderError):
        hooks.check_url(url)


@pytest.mark.parametrize("answer", [["10.0.0.7"], ["8.8.8.8", "127.0.0.1"], ["::1"]])
def test_a_name_with_any_private_address_is_refused(
    answer: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve_to(monkeypatch, answer)
    with pytest.raises(safety.Refused):
        safety.post("https://inner.example/", b"{}", {})


def test_a_name_that_changes_its_answer_is_looked_up_once(
    monkeypatch: pytest.MonkeyPatch, server: Server
) -> None:
    """Rebinding: public when it is checked, this machine when it is used."""
    asked = resolve_to(monkeypatch, ["192.0.2.1"], ["127.0.0.1"])
    monkeypatch.setattr(safety, "is_forbidden", lambda address: address.is_loopback)
    monkeypatch.setattr(safety.httpcore.SyncBackend, "connect_tcp", connect_nowhere)
    with pytest.raises(safety.httpcore.ConnectError):
        safety.post(f"http://rebound.example:{server.server_port}/", b"{}", {}, seconds=3)
    assert (len(asked), server.asked) == (1, 0)


def connect_nowhere(self: Any, host: str, *_: Any, **__: Any) -> Any:
    ipaddress.ip_address(host)  # it is asked for an address that was checked, never for a name
    raise safety.httpcore.ConnectError("nobody there")


def test_the_peer_is_looked_at_after_connecting(
    monkeypatch: pytest.MonkeyPatch, server: Server
) -> None:
    """Whatever lies between us and the network may lead to another place than was asked for."""
    resolve_to(monkeypatch, ["8.8.8.8"])
    real = safety.httpcore.SyncBackend.connect_tcp

    def led_astray(self: Any, host: str, port: int, *rest: Any, **more: Any) -> Any:
        return real(self, "127.0.0.1", port, *rest, **more)

    monkeypatch.setattr(safety.httpcore.SyncBackend, "connect_tcp", led_astray)
    with pytest.raises(safety.Refused):
        safety.post(f"http://astray.example:{server.server_port}/", b"{}", {})
    assert server.asked == 0


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int, server: Server, settings: Any) -> None:
    settings.WEBHOOK_ALLOW_LOOPBACK = True
    server.status, server.location = status, f"http://127.0.0.1:{server.server_port}/inner"
    assert safety.post(f"http://127.0.0.1:{server.server_port}/", b"{}", {}) == status
    assert server.asked == 1


def test_a_server_that_drips_is_cut_off_at_the_deadline(settings: Any) -> None:
    settings.WEBHOOK_ALLOW_LOOPBACK = True
    over = threading.Event()

    def drip(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection:
            while not over.wait(0.1):
                try:
                    connection.sendall(b"H")
                except OSError:
                    return

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=drip, args=[listening], daemon=True).start()
        port = listening.getsockname()[1]
        with pytest.raises((safety.httpcore.TimeoutException, safety.httpcore.ProtocolError)):
            safety.post(f"http://127.0.0.1:{port}/", b"{}", {}, seconds=1)
        over.set()


def test_the_corpus_is_large() -> None:
    assert len(set(PRIVATE)) + len(set(SPELLINGS)) + len(BAD_URLS) > 100
