"""A bot's process and what becomes of it."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.game import Limits
from engine.match import Fault
from sandbox import process
from sandbox.errors import SandboxError
from sandbox.languages import PYTHON
from sandbox.pool import Pool
from sandbox.process import BotProcess
from sandbox.program import script
from sandbox.table import Tablemates
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


def test_a_thread_that_waits_for_a_processor_is_delayed(pool: Pool) -> None:
    """Four processes that burn on one core: each waits for three quarters of the time."""
    burn = [sys.executable, "-c", "while True: pass"]
    burning = [subprocess.Popen(burn) for _ in range(4)]
    try:
        for child in burning:
            os.sched_setaffinity(child.pid, {0})
        pid = burning[0].pid
        clock = (~pid << 3) | 2
        while (cpu := time.clock_gettime_ns(clock)) < SECOND // 4:
            time.sleep(0.05)
        assert scheduling.delay_ns(pid, cpu) > cpu
        assert scheduling.delay_ns(pid, 100 * cpu) == 0, "its own other threads were in its way"
    finally:
        for child in burning:
            child.kill()
            child.wait()


def test_a_bot_that_sleeps_is_not_delayed(pool: Pool) -> None:
    source = "import time\ntime.sleep(0.4)\n" + ECHO
    with pool.take(PYTHON, memory_mb=64) as bot:
        assert bot.load(script(source, "b.py"), game="g", limits=Limits()) is None

        assert 0.3 * SECOND < bot.slept_ns() < 2 * SECOND


def test_a_bot_may_sleep_for_so_long_and_no_longer(pool: Pool) -> None:
    source = "import time\ntime.sleep(30)\n" + ECHO
    with pool.take(PYTHON, memory_mb=64) as bot:
        limits = Limits(sleep_ms=300)
        fault = bot.load(script(source, "b.py"), game="g", limits=limits)

    assert isinstance(fault, Fault)
    assert fault.kind == "timeout"
    assert fault.sentence == (
        "the bot slept for over 0.3 seconds of the match, the last time during loading"
    )


HOARDS = """
import ctypes, time
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
for _ in range(10):  # memory that is no longer writable, which RLIMIT_DATA does not count
    at = libc.mmap(None, ctypes.c_size_t(8 << 20), 3, 0x22, -1, ctypes.c_long(0))
    ctypes.memset(at, 1, 8 << 20)
    libc.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(8 << 20), 1)
time.sleep(1)
def decide(view):
    return ""
"""


def test_what_a_bot_truly_holds_is_bounded(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    def told() -> Fault | None:
        with pool.take(PYTHON, memory_mb=64) as bot:
            return bot.load(script(HOARDS, "b.py"), game="g", limits=Limits(memory_mb=64))

    assert told() is None, "80 MB and a little are less than 64 and 64"

    monkeypatch.setattr(process, "SPARE_MB", 8)
    fault = told()
    assert fault is not None
    assert fault.kind == "memory"
    assert "MB of memory during loading; the limit is 64 MB" in fault.sentence


def test_a_bot_killed_from_outside_is_our_failure(pool: Pool) -> None:
    with loaded(pool.take(PYTHON, memory_mb=64), ECHO) as bot:
        signal.pidfd_send_signal(bot.pidfd, signal.SIGKILL)

        with pytest.raises(SandboxError, match="killed from outside"):
            ask(bot, question(word="soup"))


def test_waiting_for_a_bot_is_told_now_and_then(pool: Pool) -> None:
    beats: list[int] = []
    source = "import time\ntime.sleep(0.1)\n" + ECHO
    with pool.take(PYTHON, memory_mb=64) as bot:
        table = Tablemates(lambda: beats.append(1))
        bot.load(script(source, "b.py"), game="g", limits=Limits(), table=table)

    assert beats, "a lease would lapse while several bots sleep at their import"
