"""What the documented commands write to their logs."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests import servers
from tests.servers import manage, product_environment, wait_until

MATCH = """
from tests.factories import make_match
print(make_match().pk)
"""


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


@pytest.mark.jail
def test_a_match_is_found_in_the_workers_log_by_its_number(tmp_path):
    environment = product_environment(tmp_path / "var", LADLE_LOG_FORMAT="json")
    manage(environment, "migrate", "-v0")
    number = int(manage(environment, "shell", "-v0", "-c", MATCH))
    log = tmp_path / "log"
    # As the documentation starts it: no level on the command line.
    worker = servers.worker(environment, log)
    worker.start()
    try:
        wait_until(lambda: "match finished" in log.read_text(), 60, lambda: log.read_text())
    finally:
        worker.stop()

    told = [line for line in lines(log.read_text()) if line.get("match") == number]
    assert [line["event"] for line in told] == ["match claimed", "match finished"]
    assert all(line["attempt"] == 1 for line in told)


REQUEST = """
from django.test import Client
from django.http import HttpRequest
print(Client().get("/healthz", headers={"host": "127.0.0.1"})["X-Request-ID"])
"""


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_request_leaves_one_line_with_the_id_its_client_got(tmp_path, form):
    environment = product_environment(tmp_path / "var", LADLE_LOG_FORMAT=form)

    done = servers.run_manage(environment, "shell", "-v0", "-c", REQUEST)

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
