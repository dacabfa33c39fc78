# ruff: noqa: T201
"""`make scale`: how throughput follows the workers, and what a long history costs.

Workers are the product's own, but their plays are free (see `free_worker`), so that the control
plane is measured: claim, finish, schedule, rate, wake-up, and the servers. CPU times are added up
over all processes of a part. The goals are the issue's; a busy machine makes rates lower, not CPU.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests import servers
from tests.servers import PYTHON, ROOT, Server, free_port, manage, product_environment, wait_until

WARM_MATCHES, SECONDS = 40, 20
TICKS = os.sysconf("SC_CLK_TCK")
COUNT = "from ladder.models import Match; print(Match.all_objects.filter(status='{}').count())"
SIZE = """
from django.db import connection
cursor = connection.cursor()
cursor.execute("SELECT pg_database_size(current_database())")
print(cursor.fetchone()[0])
"""
STOCK = """
from tests.programs.bench import stock
stock.make_matches(stock.make_bots({bots}), 1_000)
stock.multiply_matches({times})
"""
ONE_BOARD = """
from ladder.models import Rating
Rating.objects.exclude(game="ramen_ramen", seats=2).update(is_listed=False)
"""
COLD = """
import resource, time
from tests.programs.bench.stock import BOARD
from ladder.services.rating import fitting, segments
began = time.process_time()
{seal}
sealed = time.process_time() - began
began = time.process_time()
fitting.rate(BOARD)
spent = time.process_time() - began
print(sealed, spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""
TURN = """
import time
from random import Random
from tests.programs.bench.stock import BOARD
from tests.programs.storm.costs import _finish
from ladder.services import scheduling
from ladder.services.rating import fitting
RATE = {rate} // 16  # of 4 ticks of 4 matches
fitting.rate(BOARD)
spent = matches = 0
for seed in range(3):
    queued, ticks = scheduling.Queued.now(BOARD), {{}}
    began = time.process_time()
    for part in range(RATE):
        ticks |= scheduling.create_ticks(BOARD, 4, queued=queued, rng=Random(16 * seed + part))
    spent += time.process_time() - began
    for tick in ticks:
        _finish(tick)
    began = time.process_time()
    fitting.rate(BOARD, list(ticks))
    spent += time.process_time() - began
    matches += sum(ticks.values())
print(1000 * spent / matches)
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="make scale")
    parser.add_argument("--processes", type=int, nargs="*", default=[1, 4, 16, 64])
    parser.add_argument("--matches", type=int, default=1_000_000, help="on one board, for the fit")
    parser.add_argument("--databases", nargs="*", default=["postgresql", "sqlite"])
    chosen = parser.parse_args()
    for kind in chosen.databases:
        print(f"\n{kind}")
        for processes in chosen.processes:
            throughput(kind, processes)
        if kind == "postgresql":
            throughput(kind, 64, seconds=1.0, only_one_board=True)
        history(kind, chosen.matches)


@contextmanager
def site(kind: str, **settings: str) -> Iterator[tuple[Path, dict[str, str], dict[str, Server]]]:
    """A folder, the settings, and the servers of a site with its house and demo bots."""
    with tempfile.TemporaryDirectory(prefix="ladle-scale-") as name, ExitStack() as stack:
        folder = Path(name)
        folder.chmod(0o755)
        running: dict[str, Server] = {}
        if kind == "postgresql":
            running["PostgreSQL"] = stack.enter_context(servers.postgres(folder / "postgres"))
            running["Redis"] = stack.enter_context(servers.redis(folder / "redis"))
            port, broker = running["PostgreSQL"].port, running["Redis"].port
            settings["DATABASE_URL"] = f"postgresql://ladle@127.0.0.1:{port}/postgres"
            settings["REDIS_URL"] = f"redis://127.0.0.1:{broker}/0"
        environment = product_environment(
            folder / "var",
            DEBUG="0",
            SECRET_KEY="only for measuring " * 3,
            LADLE_LOG_LEVEL="WARNING",
            **settings,
        )
        if kind != "postgresql":
            running["Redis"] = stack.enter_context(servers.private_redis(environment))
        manage(environment, "prepare")
        yield folder, environment, running


def asked(environment: dict[str, str], code: str) -> list[str]:
    """What a piece of code prints inside the site's settings, with the tests' packages."""
    words = [sys.executable, "manage.py", "shell", "-v0", "-c", code]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert not done.returncode, done.stderr
    return done.stdout.split()


def throughput(
    kind: str, processes: int, *, seconds: float = 0.0, only_one_board: bool = False
) -> None:
    with (
        site(kind, LADLE_WORKERS=str(processes)) as (folder, environment, running),
        ExitStack() as stack,
    ):
        asked(environment, "from ladder.services import demo; demo.seat_demo_bots()")
        if only_one_board:
            asked(environment, ONE_BOARD)
        free = {**environment, "SCALE_SECONDS": str(seconds)}
        words = [
            sys.executable,
            "-m",
            "tests.programs.scale.free_worker",
            "-q",
            "worker",
            "-c",
            str(processes),
        ]
        words += ["-n", f"w{free_port()}@scale", "--without-gossip", "--without-mingle"]
        running["workers"] = Server(words, environment=free, log=folder / "worker.log")
        scheduler = [PYTHON, "manage.py", "scheduler"]
        running["scheduler"] = Server(
            scheduler, environment=environment, log=folder / "scheduler.log"
        )
        for part in ("workers", "scheduler"):
            running[part].start()
            stack.callback(running[part].stop)

        def count(status: str) -> int:
            return int(asked(environment, COUNT.format(status))[0])

        wait_until(lambda: count("finished") >= WARM_MATCHES, 300, "matches are played")
        began, before = time.monotonic(), count("finished")
        spent = {part: cpu_s(server) for part, server in running.items()}
        flying = []
        while time.monotonic() - began < SECONDS:
            time.sleep(SECONDS / 4)
            flying.append(count("running"))
        spent = {part: cpu_s(server) - spent[part] for part, server in running.items()}
        played, took = count("finished") - before, time.monotonic() - began
        by_part = ", ".join(f"{part} {1000 * s / max(played, 1):.1f}" for part, s in spent.items())
        what = f"one board, plays of {seconds:g} s" if only_one_board else "free plays"
        print(
            f"  {processes:3} processes, {what}: {played / took:.1f} matches/s,"
            f" {sum(spent.values()) * 1000 / max(played, 1):.1f} ms CPU a match ({by_part});"
            f" running: {', '.join(map(str, flying))}",
            flush=True,
        )


def history(kind: str, matches: int) -> None:
    """What a long history costs a scheduler that was started again."""
    with site(kind) as (_, environment, _):
        empty = int(asked(environment, SIZE)[0]) if kind == "postgresql" else 0
        asked(environment, STOCK.format(bots=5_000, times=matches // 1_000))
        if kind == "postgresql":
            size = (int(asked(environment, SIZE)[0]) - empty) / matches
            print(f"  rows of a two-seat match without replays: {size / 1000:.1f} kB")
        before = asked(environment, COLD.format(seal=""))
        after = asked(environment, COLD.format(seal="segments.seal(BOARD)"))
        again = asked(environment, COLD.format(seal=""))
        for what, (sealed, cpu, memory) in {
            "from the rows of all matches": before,
            "the first time, sealing": after,
            "from segments": again,
        }.items():
            print(
                f"  fit after a start, {matches:,} matches, {what}: {float(cpu):.1f} s CPU,"
                f" {memory} MB (sealing {float(sealed):.1f} s)",
                flush=True,
            )
        for rate in (16, 320):
            (cost,) = asked(environment, TURN.format(rate=rate))
            print(
                f"  scheduler, 5,000 bots, {rate} matches a fit: {float(cost):.1f} ms CPU a match"
            )


def cpu_s(server: Server) -> float:
    """CPU time of a server's process group, children that ended included."""
    assert server.process is not None
    group, total = server.process.pid, 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
        if int(fields[2]) == group or int(fields[3]) == group:
            total += sum(map(int, fields[11:15]))
    return total / TICKS


if __name__ == "__main__":
    main()
