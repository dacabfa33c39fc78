"""`make run`: what it says, and how it stops."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ladder import serve
from tests.servers import PYTHON, ROOT, free_port, product_environment, wait_until

STUBBORN = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = os.fork()
if child:
    open(sys.argv[1], "w").write(str(child))
time.sleep(600)
"""


@pytest.mark.parametrize(
    ("host", "place"),
    [("127.0.0.1", "localhost"), ("::1", "[::1]"), ("0.0.0.0", "0.0.0.0"), ("here", "here")],
)
def test_the_address_can_be_opened_as_it_is_printed(monkeypatch, tmp_path, host, place):
    monkeypatch.setenv("LADLE_VAR", str(tmp_path / "var"))
    monkeypatch.delenv("ALLOWED_HOSTS", raising=False)

    assert f"http://{place}:8000/" in serve.greeting(host, 8000)
    assert place in serve.prepare_environment(host, 8000)["ALLOWED_HOSTS"].split(",")


def test_it_does_not_say_that_bots_play_where_they_cannot(monkeypatch, tmp_path):
    assert "Demo bots are playing." in serve.greeting("::1", 8000)

    monkeypatch.setenv("PATH", str(tmp_path))  # no bwrap

    said = serve.greeting("::1", 8000)
    assert "playing" not in said
    assert "No bot can play: bubblewrap is missing" in said


def test_ctrl_c_ends_a_service_that_takes_its_time_and_all_it_started(tmp_path):
    told = tmp_path / "child"
    words = [sys.executable, "-c", STUBBORN, str(told)]
    service = serve.Service("stubborn", words, dict(os.environ))
    wait_until(lambda: told.exists() and told.read_text(), 20, "it has a child")
    ctrl_c = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)

    try:
        ctrl_c.start()
        serve.run([service])
    finally:
        signal.signal(signal.SIGINT, before[0])
        signal.signal(signal.SIGTERM, before[1])

    assert service.process.returncode == -signal.SIGKILL
    wait_until(lambda: _is_gone(int(told.read_text())), 20, "its child is gone")


def _start(var: Path) -> tuple[int, str]:
    """`make run` with a database that cannot be, at which it ends: its status, and what it said."""
    environment = product_environment(var, DATABASE_URL="nonsense://", PORT=str(free_port()))
    words = [PYTHON, "-m", "ladder.serve"]
    with open(var / "said", "w+") as said:  # no pipe: whatever it left behind would hold that
        done = subprocess.run(words, cwd=ROOT, env=environment, stderr=said)
        said.seek(0)
        return done.returncode, said.read()


def _listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == 0


def test_a_second_start_in_a_folder_is_refused_and_leaves_the_first_its_redis(tmp_path):
    with socket.socket(socket.AF_UNIX) as redis, serve.only_one_in(tmp_path):
        redis.bind(str(tmp_path / "redis.sock"))
        redis.listen()

        status, said = _start(tmp_path)

        assert status == 1
        assert f"Ladle runs in {tmp_path} already. Stop it first" in said
        assert _listens(tmp_path / "redis.sock")


def test_a_start_that_fails_leaves_no_redis_behind(tmp_path):
    status, said = _start(tmp_path)

    assert status == 1 and "Setting up failed" in said
    assert (tmp_path / "redis.log").exists()
    wait_until(lambda: not _listens(tmp_path / "redis.sock"), 20, "its Redis has ended")


def _is_gone(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.parametrize(
    "address", ["nonsense://", "here", "mysql://me:hush@h/x", "postgresql://["]
)
def test_a_bad_database_address_ends_in_one_sentence_without_the_password(tmp_path, address):
    environment = product_environment(tmp_path / "var", DATABASE_URL=address)

    done = subprocess.run(
        [PYTHON, "manage.py", "check"], cwd=ROOT, env=environment, capture_output=True, text=True
    )

    assert done.returncode == 3
    assert done.stderr.startswith("DATABASE_URL is not a database address")
    assert done.stderr.count("\n") == 1
    assert "hush" not in done.stderr
