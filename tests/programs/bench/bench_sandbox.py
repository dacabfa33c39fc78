"""The sandbox against python-chess's engine pipe and a bare C pipe, as ratios within one run."""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import chess
import chess.engine

from engine import games, wire
from engine.chance import SeededChance
from engine.game import Limits
from engine.match import Answer, Question, question
from sandbox.languages import PYTHON
from sandbox.player import JailedPlayer, encode
from sandbox.pool import Pool
from sandbox.program import script
from tests.programs.bench.rows import Progress, Row

GAME = games.get("ramen_ramen")
ROUNDS = 4000
STARTS = 25
BLOCKS = 40  # rounds are measured in this many blocks, ours and theirs in turn
QUICK_BOT = 'def decide(view):\n    return view["legal"][0]\n'
BUSY_BOT = """
def decide(view):
    total = 0
    for number in range(60000):
        total += number * number % 7
    return view["legal"][0]
"""
UCI_ENGINE = """
import sys
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "uci":
        print("id name still\\nuciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        print("bestmove e2e4", flush=True)
    elif word == "quit":
        break
"""
PING_PONG = r"""
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static char buffer[1 << 20];
static double took[1 << 20];

static void take(int fd, long size) {
  while (size > 0) {
    long got = read(fd, buffer, size);
    if (got <= 0) exit(1);
    size -= got;
  }
}

static void give(int fd, long size) {
  if (write(fd, buffer, size) != size) exit(1);
}

static int order(const void *a, const void *b) {
  double difference = *(const double *)a - *(const double *)b;
  return (difference > 0) - (difference < 0);
}

int main(int argc, char **argv) {
  long down = atol(argv[1]), up = atol(argv[2]), rounds = atol(argv[3]);
  int there[2], back[2];
  struct timespec from, to;
  if (pipe(there) || pipe(back)) return 1;
  if (fork() == 0) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(atoi(argv[4]), &cores);
    if (sched_setaffinity(0, sizeof cores, &cores)) return 1;
    for (long i = 0; i < rounds; i++) {
      take(there[0], down);
      give(back[1], up);
    }
    return 0;
  }
  for (long i = 0; i < rounds; i++) {
    clock_gettime(CLOCK_MONOTONIC, &from);
    give(there[1], down);
    take(back[0], up);
    clock_gettime(CLOCK_MONOTONIC, &to);
    took[i] = (to.tv_sec - from.tv_sec) * 1e6 + (to.tv_nsec - from.tv_nsec) / 1e3;
  }
  qsort(took, rounds, sizeof(double), order);
  printf("%f\n", took[rounds / 2]);
}
"""


NOTE = (
    "Sandbox: a decision of a jailed bot that thinks nothing, from question to answer, against the"
    " same bytes through a pipe between two C processes and a move of an engine that thinks"
    " nothing through python-chess; the calmest of many blocks taken in turn. Across cores, waking"
    " the other core is most of it for everyone, so only one core is judged."
)


def run(progress: Progress) -> list[Row]:
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder, Pool() as pool:
        home, *others = sorted(os.sched_getaffinity(0))
        with pinned(home):
            progress("decisions on one core")
            rows += decision_rows("one core", Path(folder), pool, core=home)
            if others:
                progress("decisions across cores")
                rows += decision_rows("two cores", Path(folder), pool, core=others[0])
            progress("starts")
            rows += start_rows(Path(folder), pool)
            progress("CPU charged beside hogs")
            rows += fairness_rows(pool)
        progress("memory")
        return rows + memory_rows()


@contextmanager
def pinned(core: int) -> Iterator[None]:
    """Keep this process and the children it starts on one core."""
    before = os.sched_getaffinity(0)
    for thread in os.listdir("/proc/self/task"):  # the one that starts sandboxes among them
        os.sched_setaffinity(int(thread), {core})
    try:
        yield
    finally:
        for thread in os.listdir("/proc/self/task"):
            os.sched_setaffinity(int(thread), before)


def opening() -> Question:
    """The first decision of a real play, 36 legal actions and all."""
    state = GAME.start(2, SeededChance(1, []))
    return question(state, 0, [])


def decision_rows(where: str, folder: Path, pool: Pool, *, core: int) -> list[Row]:
    """A decision with the bot on the given core, and the same with the others' pipes."""
    asked = opening()
    told = encode(wire.decide(asked, id="0" * 16, cpu_left_ms=1000))
    assert asked.legal is not None
    down = len(told) + 1
    up = len(f'{{"id":"{"0" * 16}","action":"{asked.legal[0]}"}}') + 1
    with ExitStack() as stack:
        player = stack.enter_context(JailedPlayer(script(QUICK_BOT, "quick.py"), pool=pool))
        player.start(game=GAME, seat=0, seats=2, options={})
        assert player.pid is not None
        os.sched_setaffinity(player.pid, {core})
        uci = stack.enter_context(uci_engine(folder, core))
        pipe = c_pipe(folder, core)

        def ours() -> float:
            return median_us(lambda: expect(player.decide(asked)))

        blocks = [(ours(), pipe(down, up), uci()) for _ in range(BLOCKS)]
    # The calmest block of each: other programs on the machine only ever add time.
    mine, bare, uci_took = (min(column) for column in zip(*blocks, strict=True))
    name = f"sandboxed decision, {down} bytes, {where}"
    judged = where == "one core"
    return [
        Row(f"{name} v a C pipe", "us", mine, bare, 8.0 if judged else None),
        Row(f"{name} v python-chess", "us", mine, uci_took, 0.25 if judged else None),
    ]


def expect(reply: object) -> None:
    assert isinstance(reply, Answer), reply


def median_us(act: Callable[[], None]) -> float:
    took = []
    for _ in range(ROUNDS // BLOCKS):
        began = time.perf_counter_ns()
        act()
        took.append(time.perf_counter_ns() - began)
    return statistics.median(took) / 1e3


def c_pipe(folder: Path, core: int) -> Callable[[int, int], float]:
    source, program = folder / "ping.c", folder / "ping"
    if not program.exists():
        source.write_text(PING_PONG)
        subprocess.run(["gcc", "-O2", "-o", str(program), str(source)], check=True)

    def measure(down: int, up: int) -> float:
        words = [str(program), str(down), str(up), str(ROUNDS // BLOCKS), str(core)]
        return float(subprocess.run(words, check=True, capture_output=True).stdout)

    return measure


@contextmanager
def uci_engine(folder: Path, core: int) -> Iterator[Callable[[], float]]:
    """The median time of python-chess's asynchronous `play` with an engine that thinks nothing."""
    loop = asyncio.new_event_loop()
    transport, engine = loop.run_until_complete(chess.engine.popen_uci(uci_command(folder)))
    os.sched_setaffinity(transport.get_pid(), {core})
    board, limit = chess.Board(), chess.engine.Limit(nodes=1)

    async def moves() -> float:
        took = []
        for _ in range(ROUNDS // BLOCKS // 3):
            began = time.perf_counter_ns()
            await engine.play(board, limit)
            took.append(time.perf_counter_ns() - began)
        return statistics.median(took) / 1e3

    def measure() -> float:
        return loop.run_until_complete(moves())

    try:
        yield measure
    finally:
        loop.run_until_complete(engine.quit())
        loop.close()


def uci_command(folder: Path) -> list[str]:
    script = folder / "still.py"
    script.write_text(UCI_ENGINE)
    return [sys.executable, "-I", "-S", str(script)]


def start_rows(folder: Path, pool: Pool) -> list[Row]:
    """From wanting a bot to having it loaded and ready for its first question."""
    mine, theirs = [], []
    loop = asyncio.new_event_loop()
    pool.take(PYTHON, memory_mb=256).close()
    for _ in range(STARTS):
        time.sleep(0.1)
        began = time.perf_counter()
        with pool.take(PYTHON, memory_mb=256) as process:
            fault = process.load(script(QUICK_BOT, "quick.py"), game=GAME.slug, limits=Limits())
            mine.append((time.perf_counter() - began) * 1e3)
            assert fault is None, fault
        time.sleep(0.1)
        began = time.perf_counter()
        _, engine = loop.run_until_complete(chess.engine.popen_uci(uci_command(folder)))
        theirs.append((time.perf_counter() - began) * 1e3)
        loop.run_until_complete(engine.quit())
    loop.close()
    name = "a bot ready to play v python-chess popen_uci"
    return [Row(name, "ms", statistics.median(mine), statistics.median(theirs), 0.18)]


def fairness_rows(pool: Pool) -> list[Row]:
    """CPU charged for the same work, alone and beside three hogs on its core."""
    hog = [sys.executable, "-I", "-S", "-c", "while True: pass"]
    alone = charged_ms(pool)
    hogs = [subprocess.Popen(hog) for _ in range(3)]
    try:
        beside = charged_ms(pool)
    finally:
        for process in hogs:
            process.kill()
            process.wait()
    name = "CPU charged for a decision beside three hogs v alone"
    return [Row(name, "ms", beside, alone, 1.15)]


def charged_ms(pool: Pool) -> float:
    asked = opening()
    with JailedPlayer(script(BUSY_BOT, "busy.py"), pool=pool) as player:
        player.start(game=GAME, seat=0, seats=2, options={})
        spent = []
        for _ in range(60):
            reply = player.decide(asked)
            assert isinstance(reply, Answer), reply
            spent.append(reply.cpu_us / 1000)
    return statistics.median(spent)


def memory_rows() -> list[Row]:
    """Memory of a seat whose bot waits, its jail included, shared pages divided by their users."""
    with Pool() as pool, ExitStack() as stack:
        bots = [stack.enter_context(pool.take(PYTHON, memory_mb=256)) for _ in range(6)]
        for bot in bots:
            assert bot.load(script(QUICK_BOT, "q.py"), game="", limits=Limits()) is None
        jails = descendants(os.getpid())
        total = sum(pss_mb(pid) for pid in jails)
    return [Row("memory of an idle bot and its jail v 16 MB", "MB", total / len(bots), 16.0, 1.0)]


def descendants(pid: int) -> list[int]:
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        for child in Path(f"/proc/{pid}/task/{task}/children").read_text().split():
            found += [int(child), *descendants(int(child))]
    return found


def pss_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    raise AssertionError("the kernel tells no Pss")
