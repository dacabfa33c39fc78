"""A bot's process and what becomes of it."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.game import Limits
from engine.match import Fault
from sandbox.errors import SandboxError
from sandbox.languages import PYTHON
from sandbox.pool import Pool
from sandbox.process import BotProcess
from sandbox.program import script
from sandbox.table import Table
from sandbox.verdict import scheduling

pytestmark = pytest.mark.jail

ECHO = "def decide(view):\n    return view['word']\n"
SECOND = 10**9


@pytest.fixture
def pool() -> Iterator[Pool]:
    with Pool() as jails:
        yield jails


def question(**view: object) -> bytes:
    return json.dumps({"type": "decide", "id": "7", "view": view}).encode() + b"\n"


def ask(process: BotProcess, line: bytes, seconds: float = 30) -> bytes | Fault:
    return process.ask(
        line,
        what="a test",
        cpu_until=process.cpu_ns() + 20 * SECOND,
        wall_ns=int(seconds * SECOND),
    )


def loaded(process: BotProcess, source: str) -> BotProcess:
    assert process.load(script(source, "b.py"), game="g", limits=Limits()) is None
    return process


def test_a_question_larger_than_the_pipe_arrives_whole(pool: Pool) -> None:
    with loaded(
        pool.take(PYTHON, memory_mb=64), "def decide(view):\n    return str(len(view['word']))"
    ) as bot:
        reply = ask(bot, question(word="x" * 1_000_000))

    assert reply == b'{"id":"7","action":"1000000"}'


def test_lines_told_while_the_bot_is_busy_arrive_in_order(pool: Pool) -> None:
    source = (
        "import time\nheard = []\n"
        "def start(line):\n    heard.append(line['seat']); time.sleep(0.01)\n"
        "def decide(view):\n    return str(heard)\n"
    )
    with loaded(pool.take(PYTHON, memory_mb=64), source) as bot:
        for seat in range(3):
            bot.tell(b'{"type":"start","seat":%d}\n' % seat)
        reply = ask(bot, question())

    assert reply == b'{"id":"7","action":"[0, 1, 2]"}'


def test_the_bot_runs_as_a_user_of_no_rights_and_with_its_limits(pool: Pool) -> None:
    with loaded(pool.take(PYTHON, memory_mb=99), ECHO) as bot:
        status = Path(f"/proc/{bot.pid}/status").read_text()
        limits = Path(f"/proc/{bot.pid}/limits").read_text()

    uids = next(line for line in status.splitlines() if line.startswith("Uid:")).split()[1:]
    assert os.geteuid() != 0 or all(60706 <= int(uid) < 61184 for uid in uids)
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert f"{name}:\t0000000000000000" in status
    assert "NoNewPrivs:\t1" in status
    assert "Seccomp:\t2" in status
    assert str(99 * 2**20) in limits


def test_two_bots_run_as_two_users_when_the_worker_is_root(pool: Pool) -> None:
    if os.geteuid() != 0:
        pytest.skip("a plain user has only one id to give")
    with pool.take(PYTHON, memory_mb=64) as one, pool.take(PYTHON, memory_mb=64) as two:
        owners = {os.stat(f"/proc/{bot.pid}").st_uid for bot in (one, two)}

    assert len(owners) == 2


def test_a_killed_worker_takes_its_bots_along() -> None:
    code = (
        "import time\n"
        "from sandbox.languages import PYTHON\n"
        "from sandbox.pool import Pool\n"
        "bot = Pool().take(PYTHON, memory_mb=64)\n"
        "print(bot.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    root = str(Path(__file__).parent.parent.parent)
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=root, stdout=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdout is not None
        pidfd = os.pidfd_open(int(worker.stdout.readline()))

        worker.send_signal(signal.SIGKILL)

    assert select.select([pidfd], [], [], 30)[0], "the bot outlived its worker"
    os.close(pidfd)


def test_a_closed_process_refuses_to_talk(pool: Pool) -> None:
    bot = loaded(pool.take(PYTHON, memory_mb=64), ECHO)
    bot.close()

    with pytest.raises(AssertionError):
        bot.tell(b"{}\n")


def test_closing_twice_is_harmless(pool: Pool) -> None:
    bot = pool.take(PYTHON, memory_mb=64)

    bot.close()
    bot.close()

    assert not bot.alive


def test_no_file_descriptor_is_left_open(pool: Pool) -> None:
    loaded(pool.take(PYTHON, memory_mb=64), ECHO).close()  # the first also starts what lasts
    before = sorted(os.listdir("/proc/self/fd"))

    loaded(pool.take(PYTHON, memory_mb=64), ECHO).close()

    assert sorted(os.listdir("/proc/self/fd")) == before


def test_a_thread_that_wanted_to_run_and_could_not_was_starved() -> None:
    pid = os.getpid()
    late = scheduling.snapshot(pid)
    wanted = {task: value - 10**12 for task, value in late.wanted.items()}
    early = scheduling.Snapshot(late.at - 10**9, wanted, late.disk)

    assert "too little of the processor" in str(scheduling.our_fault(pid, early))


def test_a_process_that_slept_has_only_itself_to_blame(pool: Pool) -> None:
    with pool.take(PYTHON, memory_mb=64) as bot:
        early = scheduling.snapshot(bot.pid)
        early = scheduling.Snapshot(early.at - 3600 * SECOND, early.wanted, early.disk)

        assert scheduling.our_fault(bot.pid, early) is None


def test_half_of_the_time_spent_on_a_disk_is_our_fault() -> None:
    pid = os.getpid()
    late = scheduling.snapshot(pid)
    early = scheduling.Snapshot(late.at - SECOND, late.wanted, late.disk - SECOND)

    assert "disk" in str(scheduling.our_fault(pid, early))


def test_a_bot_killed_from_outside_is_our_failure(pool: Pool) -> None:
    with loaded(pool.take(PYTHON, memory_mb=64), ECHO) as bot:
        signal.pidfd_send_signal(bot.pidfd, signal.SIGKILL)

        with pytest.raises(SandboxError, match="killed from outside"):
            ask(bot, question(word="soup"))


def test_waiting_for_a_bot_is_told_now_and_then(pool: Pool) -> None:
    beats: list[int] = []
    source = "import time\ntime.sleep(0.1)\n" + ECHO
    with pool.take(PYTHON, memory_mb=64) as bot:
        table = Table(lambda: beats.append(1))
        bot.load(script(source, "b.py"), game="g", limits=Limits(), table=table)

    assert beats, "a lease would lapse while several bots sleep at their import"
