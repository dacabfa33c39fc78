"""`ladle connect` lets a program play, drains on Ctrl-C, and says what is wrong."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.ladder.remote.proxy import Proxy
from tests.ladder.remote.site import RemoteSite, remote_site
from tests.servers import BIN, wait_until

pytestmark = [pytest.mark.jail]

PROGRAM = """
import json, sys
for text in sys.stdin:
    line = json.loads(text)
    if line["type"] == "decide":
        print(json.dumps({"id": line["id"], "action": line["legal"][0]}), flush=True)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RemoteSite]:
    with remote_site(tmp_path_factory.mktemp("connect")) as made:
        yield made


@pytest.fixture(scope="module")
def tokens(site: RemoteSite) -> dict[str, str]:
    made = site.make_bots(("Far", "ramen_ramen", "fast"), ("Deaf", "ramen_ramen", "fast"))
    return {name: token for name, (_, token) in made.items()}


@pytest.fixture(scope="module")
def token(tokens: dict[str, str]) -> str:
    return tokens["Far"]


class Connected(subprocess.Popen[str]):
    """A process that ends with its block, so that a failed test does not wait for it."""

    def __exit__(self, *raised: Any) -> None:
        self.kill()
        super().__exit__(*raised)


def connect(site: RemoteSite, token: str, *words: str, server: str = "") -> Connected:
    environment = {**site.environment, "LADLE_BOT_TOKEN": token}
    environment["LADLE_SERVER"] = server or site.url
    return Connected(
        [str(BIN / "ladle"), "connect", *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_program_plays_a_match_and_leaves_on_ctrl_c(
    site: RemoteSite, token: str, tmp_path: Path
) -> None:
    program = tmp_path / "bot.py"
    program.write_text(PROGRAM)
    with connect(site, token, "Far", "--json", "--", "python3", str(program)) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["name"] == "Far"
        site.challenge(("Far", ["greedy"]))
        for text in process.stdout:
            line = json.loads(text)
            if line["type"] == "end":
                break
        assert line["fault"] is None
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    wait_until(lambda: site.census()[-1]["status"] == "finished", 20, site.log)


def test_a_match_goes_on_through_a_proxy_that_restarts(
    site: RemoteSite, token: str, tmp_path: Path
) -> None:
    program = tmp_path / "bot.py"
    program.write_text(PROGRAM)
    words = ("Far", "--json", "--", "python3", str(program))
    with (
        Proxy(site.stream.port) as proxy,
        connect(site, token, *words, server=proxy.url) as process,
    ):
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["name"] == "Far"
        site.challenge(("Far", ["greedy"]))
        line = {}
        for decided, text in enumerate(process.stdout, 1):
            line = json.loads(text)
            if line["type"] == "end":
                break
            if decided in (3, 9, 15):
                proxy.restart()
        assert line["fault"] is None
        assert proxy.connections > 3, "it came back each time"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    wait_until(lambda: site.census()[-1]["status"] == "finished", 20, site.log)
    assert site.census()[-1]["faults"] == []


def test_a_client_that_never_reads_holds_up_nobody(
    site: RemoteSite, tokens: dict[str, str]
) -> None:
    """Its own connection waits; another bot is answered meanwhile."""
    deaf, quick = tokens["Deaf"], tokens["Far"]
    request = f"GET /api/v1/seat HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {deaf}\r\n\r\n"
    socks = []
    for _ in range(20):  # each replaces the one before, and none is read
        made = socket.create_connection(("127.0.0.1", site.stream.port))
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        made.sendall(request.encode())
        socks.append(made)
    began = time.monotonic()
    for _ in range(5):
        polled = httpx.get(
            f"{site.url}/api/v1/seat",
            params={"wait": "0"},
            headers={"Authorization": f"Bearer {quick}"},
        )
        assert polled.json() == {"lines": []}
    assert time.monotonic() - began < 20
    for made in socks:
        made.close()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["Far", "--", "no-such-program"], "cannot be started"),
        (["Other", "--", "true"], "this token is for Far"),
    ],
)
def test_a_mistake_is_one_sentence(
    site: RemoteSite, token: str, words: list[str], says: str
) -> None:
    _, errors = connect(site, token, *words).communicate(timeout=30)
    assert says in errors
    assert "Traceback" not in errors


def test_bad_requests_are_answered_with_the_reason(site: RemoteSite, token: str) -> None:
    mine = {"Authorization": f"Bearer {token}"}
    url = f"{site.url}/api/v1"
    answer = f"{url}/decisions/0123456789abcdef/answer"
    in_address = httpx.get(f"{url}/seat", params={"token": token})
    assert (in_address.status_code, "header" in in_address.json()["detail"]) == (400, True)
    assert httpx.get(f"{url}/seat").status_code == 401
    assert httpx.post(answer, headers=mine, json={"action": "x"}).status_code == 404
    assert httpx.post(answer, headers=mine, content=b"{").json()["code"] == "malformed"
    assert httpx.post(answer, headers=mine, json={"actoin": "x"}).status_code == 400
    assert httpx.post(answer, headers=mine, content=b"x" * 20000).status_code == 413
    polled = httpx.get(f"{url}/seat", params={"wait": "0"}, headers=mine)
    assert polled.json() == {"lines": []}


def test_a_newer_stream_closes_the_older(site: RemoteSite, token: str) -> None:
    mine = {"Authorization": f"Bearer {token}"}
    with httpx.stream("GET", f"{site.url}/api/v1/seat", headers=mine, timeout=20) as older:
        lines = older.iter_lines()
        assert json.loads(next(lines))["type"] == "hello"
        with httpx.stream("GET", f"{site.url}/api/v1/seat", headers=mine, timeout=20) as newer:
            assert json.loads(next(newer.iter_lines()))["type"] == "hello"
            rest = [json.loads(text) for text in lines if text]
    assert rest == [{"type": "bye", "reason": "replaced"}]
