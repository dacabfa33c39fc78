"""What the documented commands write to their logs."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests import servers
from tests.servers import manage, product_environment, run_manage, wait_until

ASKED = """
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from ladder.models import Token
from tests.factories import make_bot, make_user

user = make_user()
own, other = make_bot(user), make_bot(source="def decide(view):\\n    raise ValueError\\n")
secret = Token.issue(user=user, name="test", scope="submit")[1]
client = Client(headers={"host": "127.0.0.1", "authorization": f"Bearer {secret}"})
table = {"game": "ramen_ramen", "seats": 2, "bot": own.pk, "opponents": [other.pk]}
challenge = client.post("/api/v1/challenges/", table, "application/json")
file = SimpleUploadedFile("bot.py", b"def decide(view):\\n    return view['legal'][0]\\n")
upload = client.post(f"/api/v1/bots/{own.pk}/versions/", {"file": file})
print(challenge["X-Request-ID"], upload["X-Request-ID"], challenge.json()["id"])
"""


PLAY_ALL = """
from ladder.models import Match
from tests.local_play import play_and_finish
for match in Match.objects.open():
    play_and_finish(match)
"""


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


@pytest.mark.services
@pytest.mark.jail
def test_a_challenge_and_an_upload_are_followed_by_the_id_of_their_request(tmp_path):
    environment = product_environment(tmp_path / "var", LADLE_LOG_FORMAT="json")
    log = tmp_path / "log"
    # As the documentation starts it: no level on the command line.
    worker = servers.worker(environment, log)
    with servers.private_redis(environment):
        manage(environment, "migrate", "-v0")
        challenge, upload, number = manage(environment, "shell", "-v0", "-c", ASKED).split()
        worker.start()
        try:
            wait_until(lambda: log.read_text().count("match finished") == 2, 90, log.read_text)
        finally:
            worker.stop()

    written = lines(log.read_text())
    played = [line for line in written if line.get("request") == challenge]
    once = ["bot fault", "play finished"]
    assert [line["event"] for line in played] == ["match claimed", *once * 2, "match finished"]
    assert {(line["match"], line["attempt"]) for line in played} == {(int(number), 1)}
    at_fault = [(line["play"], line["seat"]) for line in played if "seat" in line]
    assert at_fault in ([(1, 1), (2, 2)], [(1, 2), (2, 1)])
    checked = [line["event"] for line in written if line.get("request") == upload]
    assert checked[0] == "match claimed" and checked[-1] == "match finished"
    assert set(checked[1:-1]) == {"play finished"}


def test_the_scheduler_tells_of_each_tick_when_it_is_created_and_rated(tmp_path):
    environment = product_environment(tmp_path / "var", LADLE_LOG_FORMAT="json")
    manage(environment, "migrate", "-v0")
    manage(
        environment, "shell", "-v0", "-c", "from tests.factories import *; make_bot(); make_bot()"
    )

    first = run_manage(environment, "scheduler", "--once")
    manage(environment, "shell", "-v0", "-c", PLAY_ALL)
    second = run_manage(environment, "scheduler", "--once")

    def ticks(text: str, event: str) -> set[tuple[object, object]]:
        told = [line for line in lines(text) if line["event"] == event]
        return {(line["board"], line["tick"]) for line in told}

    created = ticks(first.stderr, "tick created")
    assert {tick for _, tick in created} >= {1}  # boards in equal need take turns by lot
    assert ticks(second.stderr, "tick rated") == created


REQUEST = """
from django.test import Client
from django.http import HttpRequest
print(Client().get("/healthz", headers={"host": "127.0.0.1"})["X-Request-ID"])
"""


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_request_leaves_one_line_with_the_id_its_client_got(tmp_path, form):
    environment = product_environment(tmp_path / "var", LADLE_LOG_FORMAT=form)

    done = run_manage(environment, "shell", "-v0", "-c", REQUEST)

    found = [line for line in done.stderr.splitlines() if done.stdout.strip() in line]
    assert len(found) == 1
    if form == "json":
        assert json.loads(found[0])["path"] == "/healthz"
    else:
        assert "event=request" in found[0] and "path=/healthz" in found[0]


@pytest.mark.parametrize(
    "words",
    [
        ["manage.py", "check"],
        ["-m", "celery", "-A", "ladder.jobs.celery", "worker"],
        ["-m", "gunicorn", "ladder.wsgi", "--bind", "127.0.0.1:0", "--no-control-socket"],
    ],
)
def test_a_bad_setting_gives_one_sentence_and_no_traceback(tmp_path, words):
    environment = product_environment(tmp_path / "var", LADLE_LOG_LEVEL="LOUD")

    done = subprocess.run(
        [servers.PYTHON, *words],
        cwd=servers.ROOT, env=environment, capture_output=True, text=True, timeout=120,
    )  # fmt: skip

    assert done.returncode != 0
    assert "LADLE_LOG_LEVEL is 'LOUD'; write one of DEBUG, INFO, WARNING, ERROR" in done.stderr
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"PORT": "abc"}, "PORT is 'abc'"),
        ({"HOST": "999.1.1.1"}, "cannot listen on 999.1.1.1"),
        ({"LADLE_VAR": "/proc/nowhere"}, "cannot write /proc/nowhere"),
    ],
)
def test_make_run_says_in_one_sentence_what_is_wrong(tmp_path, settings, words):
    environment = product_environment(tmp_path / "var", PORT=str(servers.free_port())) | settings

    done = subprocess.run(
        [servers.PYTHON, "-m", "ladder.serve"],
        cwd=servers.ROOT, env=environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip

    assert done.returncode == 1
    assert words in done.stderr
    assert "Traceback" not in done.stderr
