"""What a remote bot is answered at its two doors, well-behaved or not."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.ladder.events.streaming import stream_server
from tests.servers import Server, manage, product_environment, wait_until

pytestmark = pytest.mark.services

MAKE = """
import json
from ladder.services.remote import bots
from ladder.models import User
from tests.factories import make_user
owner, _ = User.objects.get_or_create(username="owner")
remote, token = bots.create(owner=owner, game="ramen_ramen", name={name!r})
print(json.dumps([remote.pk, token]))
"""
ASK = """
import json, secrets
from django.db.models.functions import Now
from ladder.models import Bot, Line, Match, Sitting
from ladder.services.remote import tables
version = Bot.objects.get(pk={bot}).remote.version
match = tables.queue(game="ramen_ramen", seats=2, versions=[version, version], why="a test")
line = Line.objects.create(id=secrets.token_hex(8), sitting_id=match.pk, number=0,
    remote_id={bot}, seat=0, type="decide", body={{"type": "decide", "id": "x"}}, opened_at=Now())
print(json.dumps(line.pk))
"""
OF_LINE = "import json; from ladder.models import Line; line = Line.objects.get(pk={line!r});"
REVOKE = """
import json
from ladder.models import Bot, RemoteBot
from ladder.services.remote import bots
{verb}
print(json.dumps(1))
"""
REVOKED = {
    "revoked": "bots.revoke_token(remote=RemoteBot.objects.get(pk={bot}))",
    "renewed": "bots.renew_token(remote=RemoteBot.objects.get(pk={bot}))",
    "suspended": "Bot.objects.get(pk={bot}).owner.__class__.objects.update(is_suspended=True)",
    "retired": "Bot.objects.filter(pk={bot}).update(status='retired')",
}


@dataclass
class Doors:
    environment: dict[str, str]
    server: Server
    made: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.port}/api/v1"

    def shell(self, code: str) -> Any:
        output = manage(self.environment, "shell", "-v", "0", "-c", code)
        return json.loads(output.splitlines()[-1])

    def bot(self) -> tuple[int, dict[str, str]]:
        """A new remote bot and the headers by which it shows who it is."""
        self.made += 1
        bot, token = self.shell(MAKE.format(name=f"Far {self.made}"))
        return bot, {"Authorization": f"Bearer {token}"}


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    folder: Path = tmp_path_factory.mktemp("doors")
    environment = product_environment(folder / "var", LADLE_STREAM_MOST="3")
    manage(environment, "migrate", "-v0")
    server = stream_server(environment, folder / "stream.log")
    server.start()
    try:
        yield Doors(environment, server)
    finally:
        server.stop()


class Reader(threading.Thread):
    """Reads a stream until it ends."""

    def __init__(self, url: str, headers: dict[str, str]) -> None:
        super().__init__(daemon=True)
        self.lines: list[str] = []
        self._url, self._headers = url, headers
        self.start()
        wait_until(lambda: self.lines, 20, lambda: "a hello")

    def run(self) -> None:
        with (
            suppress(httpx.HTTPError),  # the server stopped
            httpx.stream("GET", self._url, headers=self._headers, timeout=60) as answer,
        ):
            self.lines.extend(line for line in answer.iter_lines() if line.strip())


@pytest.mark.parametrize("how", REVOKED)
def test_a_token_that_ended_is_served_no_more(doors: Doors, how: str) -> None:
    (bot, headers), (poller, its_headers) = doors.bot(), doors.bot()
    stream = Reader(f"{doors.url}/seat", headers)
    polled: list[httpx.Response] = []
    poll = threading.Thread(
        target=lambda: polled.append(
            httpx.get(f"{doors.url}/seat?wait=30", headers=its_headers, timeout=60)
        )
    )
    poll.start()

    for one in (bot, poller):
        doors.shell(REVOKE.format(verb=REVOKED[how].format(bot=one)))
        line = doors.shell(ASK.format(bot=one))  # whoever still listens would be sent this

    stream.join(20)
    poll.join(20)
    assert json.loads(stream.lines[-1]) == {"type": "bye", "reason": "revoked"}
    assert [answer.status_code for answer in polled] == [401]
    assert httpx.get(f"{doors.url}/seat?wait=0", headers=headers).status_code == 401
    posted = httpx.post(
        f"{doors.url}/decisions/{line}/answer", json={"action": "x"}, headers=its_headers
    )
    assert posted.status_code == 401
    if how == "suspended":
        doors.shell(REVOKE.format(verb=REVOKED[how].format(bot=bot).replace("True", "False")))


def test_polls_count_as_streams(doors: Doors) -> None:
    """LADLE_STREAM_MOST is 3 here."""
    bots = [doors.bot()[1] for _ in range(4)]
    polls = [
        threading.Thread(target=httpx.get, args=[f"{doors.url}/seat?wait=10"], kwargs={
            "headers": headers, "timeout": 30})
        for headers in bots[:3]
    ]  # fmt: skip
    for poll in polls:
        poll.start()
    refused: list[httpx.Response] = []

    def is_full() -> bool:
        time.sleep(0.2)  # not to take the readers from the polls
        answer = httpx.get(f"{doors.url}/seat?wait=0", headers=bots[3], timeout=30)
        refused.append(answer)
        return answer.status_code == 429

    wait_until(is_full, 20, lambda: f"{refused}")
    assert refused[-1].json()["key"] == "streams" and refused[-1].json()["seconds"] > 0
    assert refused[-1].headers["Retry-After"] == str(refused[-1].json()["seconds"])
    for poll in polls:
        poll.join(30)
    assert httpx.get(f"{doors.url}/seat?wait=0", headers=bots[3]).status_code == 200


def test_the_second_stream_of_a_token_replaces_the_first(doors: Doors) -> None:
    _, headers = doors.bot()
    first = Reader(f"{doors.url}/seat", headers)
    second = Reader(f"{doors.url}/seat", headers)
    first.join(20)
    assert json.loads(first.lines[-1]) == {"type": "bye", "reason": "replaced"}
    assert second.is_alive()


def test_events_by_the_accept_header(doors: Doors) -> None:
    bot, headers = doors.bot()
    stream = Reader(f"{doors.url}/seat", {**headers, "Accept": "text/event-stream"})
    doors.shell(ASK.format(bot=bot))
    wait_until(lambda: "event: decide" in stream.lines, 20, lambda: f"{stream.lines}")
    assert stream.lines[0] == "event: hello"


def test_too_many_requests_are_told_when_to_come_back(doors: Doors) -> None:
    _, headers = doors.bot()
    with httpx.Client(headers=headers) as client:
        answers = [client.get(f"{doors.url}/seat", params={"wait": "x"}) for _ in range(1)]
        while answers[-1].status_code == 400:
            answers.append(client.get(f"{doors.url}/seat", params={"wait": "x"}))
    assert answers[-1].status_code == 429
    assert answers[-1].json()["key"] == "answers"
    assert 0 < answers[-1].json()["seconds"] <= 60


def test_answers_that_are_refused_say_why(doors: Doors) -> None:
    bot, headers = doors.bot()
    _, stranger = doors.bot()
    line = doors.shell(ASK.format(bot=bot))
    url = f"{doors.url}/decisions/{line}/answer"

    def post(expected: int, **kwargs: Any) -> str:
        answer = httpx.post(url, **{"headers": headers, **kwargs})
        assert answer.status_code == expected, answer.text
        code: str = answer.json().get("code", "")
        return code

    assert post(404, json={"action": "a"}, headers=stranger) == "not_found"
    assert post(400, content=b"{") == "malformed"
    assert post(400, json={"action": 3}) == "malformed"
    assert post(400, json={"action": "a\x00"}) == "validation"
    assert post(413, content=b"x" * 20_000) == "too_large"
    assert post(400, json={"action": "a"}, params={"key": headers["Authorization"][7:]})
    assert post(200, json={"action": "a"}) == ""
    assert post(200, json={"action": "a"}) == ""
    assert post(409, json={"action": "b"}) == "already_answered"


def test_the_clock_runs_before_a_question_is_seen_and_a_withdrawn_one_is_not_answered(
    doors: Doors,
) -> None:
    bot, headers = doors.bot()
    line = doors.shell(ASK.format(bot=bot))
    seen = httpx.get(f"{doors.url}/seat?wait=10", headers=headers, timeout=30).json()["lines"]
    assert len(seen) == 1
    assert doors.shell(OF_LINE.format(line=line) + "print(json.dumps(bool(line.delivered_at)))")
    doors.shell(OF_LINE.format(line=line) + "line.state='withdrawn'; line.save(); print(1)")
    url = f"{doors.url}/decisions/{line}/answer"
    answer = httpx.post(url, json={"action": "a"}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (409, "match_over")
