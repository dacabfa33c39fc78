"""`ladle connect` lets a program play, drains on Ctrl-C, and says what is wrong."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

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
def token(site: RemoteSite) -> str:
    return site.make_bots(("Far", "ramen_ramen", "fast"))["Far"][1]


def connect(site: RemoteSite, token: str, *words: str) -> subprocess.Popen[str]:
    environment = {**site.environment, "LADLE_BOT_TOKEN": token, "LADLE_SERVER": site.url}
    return subprocess.Popen(
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
        assert process.wait(10) == 130
    wait_until(lambda: site.census()[-1]["status"] == "finished", 20, site.log)


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
