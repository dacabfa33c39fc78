"""`ladle connect` when its program dies, cannot start, or is asked to leave; its live table."""

from __future__ import annotations

import io
import json
import os
import pty
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from ladder.cli.remote.tables import tables
from ladle.programs import PlaySeat, State
from tests.ladder.remote.site import RemoteSite, fresh_name, remote_site
from tests.ladder.remote.test_connect import PROGRAM, connect
from tests.servers import BIN, wait_until

pytestmark = [pytest.mark.jail]

DIES = """
import json, pathlib, sys
marks = pathlib.Path(sys.argv[1])
for number, text in enumerate(sys.stdin):
    line = json.loads(text)
    if line["type"] == "decide":
        if number > 2 and len(list(marks.iterdir())) < int(sys.argv[2]):
            (marks / str(len(list(marks.iterdir())))).touch()
            sys.exit(7)
        print(json.dumps({"id": line["id"], "action": line["legal"][0]}), flush=True)
"""
SLOW = PROGRAM.replace("import json, sys", "import json, sys, time").replace(
    "print(json", "time.sleep(0.4); print(json"
)
STATE = """
import json
from ladder.errors import LadderError
from ladder.models import Bot, Match, User
from ladder.queries import remote
from ladder.boards import Board
from ladder.services import challenges
from ladder.services.remote import open_class
own = Bot.objects.get(name={name!r})
house = Bot.objects.get(game=own.game, house_slug="greedy")
before = Match.objects.count()
queued = open_class.fill()
try:
    challenges.challenge(by=own.owner, board=Board(own.game, 2), own=own, others=[house])
    refusal = ""
except LadderError as error:
    refusal = str(error)
found = remote.find(own.pk)
print(json.dumps([found.is_online, found.is_draining, queued, refusal]))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RemoteSite]:
    folder = tmp_path_factory.mktemp("programs")
    with remote_site(folder, LADLE_MAX_OPEN_REMOTE_PER_USER="100") as made:
        made.make_bots(("Unused", "ramen_ramen", "normal"))
        yield made


NEW = """
import json
from ladder.models import User
from ladder.services.remote import bots
owner = User.objects.get(username="alice")
print(json.dumps(bots.create(owner=owner, game="ramen_ramen", name={name!r})[1]))
"""


@pytest.fixture
def bot(site: RemoteSite) -> tuple[str, str]:
    """The name and the token of a new remote bot."""
    name = fresh_name()
    return name, site.shell(NEW.format(name=name))


def written(folder: Path, text: str) -> str:
    path = folder / "bot.py"
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def until(process: subprocess.Popen[str], *types: str) -> list[dict[str, Any]]:
    """The lines of a connection up to the first of one of these types."""
    assert process.stdout is not None
    lines = []
    for text in process.stdout:
        lines.append(json.loads(text))
        if lines[-1]["type"] in types:
            return lines
    raise AssertionError(f"it ended: {lines} {process.stderr and process.stderr.read()}")


def test_a_program_that_dies_in_a_play_is_started_again_once(
    site: RemoteSite, bot: tuple[str, str], tmp_path: Path
) -> None:
    name, token = bot
    (marks := tmp_path / "marks").mkdir()
    program = written(tmp_path, DIES)
    with connect(site, token, name, "--json", "--", "python3", program, str(marks), "1") as process:
        until(process, "hello")
        [match] = site.challenge((name, ["greedy"]))
        *before, restarted = until(process, "restarted")
        assert restarted["play"] == match and "exit code 7" in restarted["why"]
        after = until(process, "end")
        assert after[-1]["fault"] is None and before
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    [row] = [row for row in site.census() if row["match"] == match]
    assert row["faults"] == [] and row["verified"] == 1


def test_a_program_that_dies_again_takes_no_new_matches_and_can_be_replaced(
    site: RemoteSite, bot: tuple[str, str], tmp_path: Path
) -> None:
    name, token = bot
    (marks := tmp_path / "marks").mkdir()
    program = written(tmp_path, DIES)
    with connect(site, token, name, "--json", "--", "python3", program, str(marks), "9") as process:
        until(process, "hello")
        [match] = site.challenge((name, ["greedy"]))
        until(process, "restarted")
        failed = until(process, "failed")[-1]
        assert (failed["play"], "exit code 7" in failed["why"]) == (match, True)
        assert 0 < failed["left_s"] <= 600
        until(process, "draining")
        assert site.shell(STATE.format(name=name))[1], "it takes no new matches"
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) != 0
        errors = process.stderr.read() if process.stderr else ""
        assert "Traceback" not in errors
    program = written(tmp_path, PROGRAM)
    with connect(site, token, name, "--json", "--", "python3", program) as process:
        assert until(process, "end")[-1]["fault"] is None
        process.send_signal(signal.SIGINT)
        process.wait(20)


def test_a_program_that_cannot_be_started_says_why(
    site: RemoteSite, bot: tuple[str, str], tmp_path: Path
) -> None:
    name, token = bot
    program = written(tmp_path, "#!/no/such/interpreter\n")
    with connect(site, token, name, "--", program) as process:
        assert process.stdout is not None and "Connected" in process.stdout.readline()
        site.challenge((name, ["greedy"]))
        told = process.stdout.readline() + process.stdout.readline()
        assert told.count("cannot be started") == 2 and "The bot takes no new matches" in told
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            time.sleep(0.5)
        process.wait(20)


def test_ctrl_c_takes_no_new_matches_and_finishes_those_under_way(
    site: RemoteSite, bot: tuple[str, str], tmp_path: Path
) -> None:
    name, token = bot
    program = written(tmp_path, SLOW)
    with connect(site, token, name, "--json", "--", "python3", program) as process:
        until(process, "hello")
        matches = site.challenge((name, ["greedy"]), (name, ["random"]))
        until(process, "answered")
        process.send_signal(signal.SIGINT)
        assert until(process, "draining")[-1]["plays"] == matches
        is_online, is_draining, queued, refusal = site.shell(STATE.format(name=name))
        assert (is_online, is_draining, queued) == (True, True, 0)
        assert refusal == f"{name} is finishing its plays before it disconnects."
        lines = until(process, "end") + until(process, "end")
        assert sorted(line["play"] for line in lines if line["type"] == "end") == matches
        assert all(line["fault"] is None for line in lines if line["type"] == "end")
        assert process.wait(20) == 0
    wait_until(lambda: not site.shell(STATE.format(name=name))[0], 20, "it is offline")


def test_a_terminal_shows_a_table_of_the_plays_under_way(
    site: RemoteSite, bot: tuple[str, str], tmp_path: Path
) -> None:
    name, token = bot
    ours, theirs = pty.openpty()
    environment = {
        **site.environment,
        **{"LADLE_BOT_TOKEN": token, "LADLE_SERVER": site.url, "COLUMNS": "120", "TERM": "xterm"},
    }
    argv = [str(BIN / "ladle"), "connect", name, "--", "python3", written(tmp_path, SLOW)]
    seen = b""

    def read() -> None:
        nonlocal seen
        while True:
            try:
                seen += os.read(ours, 65536)
            except OSError:
                return

    with subprocess.Popen(argv, env=environment, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        threading.Thread(target=read, daemon=True).start()
        wait_until(lambda: b"No match under way" in seen, 30, lambda: seen.decode())
        site.challenge((name, ["greedy"]))
        for words in (b"House greedy", b"thinking", b"Clock left"):
            wait_until(lambda words=words: words in seen, 30, lambda: seen.decode())
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            time.sleep(0.5)
        process.wait(20)


def test_the_table_has_the_clock_the_round_trip_and_the_opponents() -> None:
    own = PlaySeat(4711, 1, {}, ["House Chef", "Far", "House Wok"], left_ms=60_000)
    own.asked_at, own.state, own.decisions, own.round_trip_ms = 100.0, State.THINKING, 12, 83
    out = Console(width=100, record=True, file=io.StringIO())
    out.print(tables([own], 107.0))
    row = next(line for line in out.export_text().splitlines() if "4711" in line)
    assert " ".join(row.split()) == "4711 House Chef, House Wok 12 53 s 83 ms thinking"
