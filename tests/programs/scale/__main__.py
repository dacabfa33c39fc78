# ruff: noqa: T201
"""`make scale`: how throughput follows the workers, and what a long history costs.

Workers are the product's own, but their plays are free (see `free_worker`), so that the control
plane is measured: claim, finish, schedule, rate, wake-up, and the servers. CPU times are added up
over all processes of a part. A busy machine makes rates lower, not CPU.
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
from tests.programs.scale.inside import (
    COLD,
    COUNT,
    ONE_BOARD,
    PAGES,
    SIZE,
    STOCK,
    TURN,
    UPDATES,
    UPLOAD,
)
from tests.programs.scale.table import Figure, table
from tests.servers import PYTHON, ROOT, Server, free_port, manage, product_environment, wait_until

RATE = "matches/s"
WARM_MATCHES, SECONDS = 40, 20
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(prog="make scale")
    parser.add_argument("--processes", type=int, nargs="*", default=[1, 4, 16, 64])
    parser.add_argument(
        "--matches", type=int, default=100_000, help="on one board, for fit and pages"
    )
    parser.add_argument(
        "--in-flight", type=int, default=64, help="processes on one board, plays of 1 s; 0: none"
    )
    parser.add_argument("--databases", nargs="*", default=["postgresql", "sqlite"])
    chosen = parser.parse_args()
    for kind in chosen.databases:
        print(f"\n{kind}")
        figures = [one for count in chosen.processes for one in throughput(kind, count)]
        rates = [one for one in figures if one.unit == RATE]
        if rates:
            best = max(rate.value for rate in rates)
            figures.append(Figure("matches a second, the best of these", best, RATE, 100, True))
        if chosen.in_flight:
            figures += in_flight(kind, chosen.in_flight)
        figures += upload(kind)
        figures += history(kind, chosen.matches)
        print(f"\n{kind}\n\n{table(figures)}", flush=True)


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


def in_flight(kind: str, processes: int) -> list[Figure]:
    """Matches at a time on one board, whose plays take a second."""
    return throughput(kind, processes, seconds=1.0, only_one_board=True)


def throughput(
    kind: str, processes: int, *, seconds: float = 0.0, only_one_board: bool = False
) -> list[Figure]:
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
        updates, stored = updated(kind, environment), media_bytes(folder)
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
        done = max(played, 1)
        size = (media_bytes(folder) - stored) / done
        print(f"      files of replays: {size / 1000:.1f} kB a match")
        cpu = sum(spent.values()) * 1000 / done
        figures = [
            Figure(f"matches a second, {processes} processes, free plays", played / took, RATE),
            Figure(f"control plane, {processes} processes", cpu, "ms CPU a match", 10),
            Figure("files of replays", size / 1000, "kB a match"),
        ]
        if only_one_board:
            what = f"matches in flight on one board, {processes} processes, plays of {seconds:g} s"
            figures = [Figure(what, max(flying), "at a time", processes, at_least=True)]
        elif kind == "postgresql":
            news = [now - was for now, was in zip(updated(kind, environment), updates, strict=True)]
            print(
                f"      updates of ladder_match: {news[0] / done:.1f} a match,"
                f" {100 * news[1] / max(news[0], 1):.0f}% HOT; of ladder_rating:"
                f" {news[2] / done:.1f} a match, {100 * news[3] / max(news[2], 1):.0f}% HOT",
                flush=True,
            )
            share = 100 * news[1] / max(news[0], 1)
            figures.append(Figure("HOT updates of ladder_match", share, "%", 90, at_least=True))
        return figures


def updated(kind: str, environment: dict[str, str]) -> list[int]:
    """Rows of matches and ratings that were updated so far, and how many of them in place."""
    return [int(one) for one in asked(environment, UPDATES)] if kind == "postgresql" else []


def media_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in (folder / "var" / "media").rglob("*.xz"))


def upload(kind: str) -> list[Figure]:
    """After how many ticks an upload is seated while 10,000 bots wait on its board."""
    with site(kind) as (_, environment, _):
        ticks, wall, cpu = map(float, asked(environment, UPLOAD))
        print(
            f"  an upload while 10,000 bots wait: seated after {ticks:.0f} ticks,"
            f" {wall:.0f} ms each ({cpu:.0f} ms CPU of the scheduler)",
            flush=True,
        )
        return [
            Figure("an upload while 10,000 bots wait, seated after", ticks * wall / 1000, "s", 60)
        ]


def history(kind: str, matches: int) -> list[Figure]:
    """What a long history costs pages, and a scheduler that was started again."""
    figures = []
    with site(kind) as (_, environment, _):
        empty = int(asked(environment, SIZE)[0]) if kind == "postgresql" else 0
        asked(environment, STOCK.format(bots=5_000, times=matches // 1_000))
        if kind == "postgresql":
            size = (int(asked(environment, SIZE)[0]) - empty) / matches
            print(f"  rows of a two-seat match without replays: {size / 1000:.1f} kB")
            figures.append(Figure("rows of a two-seat match without replays", size / 1000, "kB", 6))
        past, cooking, bot = map(float, asked(environment, PAGES))
        print(
            f"  pages at {matches:,} matches, CPU of the web: past ladder {past:.0f} ms,"
            f" /cooking/ {cooking:.0f} ms, a different bot each time {bot:.0f} ms",
            flush=True,
        )
        pages = {"a past ladder": past, "/cooking/": cooking, "another bot's page each time": bot}
        figures += [
            Figure(f"{page} at {matches:,} matches", cost, "ms CPU", 15)
            for page, cost in pages.items()
        ]
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
        what = f"fit after a start, {matches:,} matches, from segments"
        figures += [Figure(what, float(again[1]), "s CPU", 1)]
        figures += [Figure(what, float(again[2]), "MB", 150)]
        for rate in (16, 320):
            cost, rewritten = map(float, asked(environment, TURN.format(rate=rate)))
            print(
                f"  scheduler, 5,000 bots, {rate} matches a fit: {cost:.1f} ms CPU and"
                f" {rewritten:.1f} ratings rewritten a match"
            )
            at = f"5,000 bots, {rate} matches a fit"
            figures += [Figure(f"scheduler, {at}", cost, "ms CPU a match", 2)]
            figures += [Figure(f"ratings rewritten, {at}", rewritten, "a match", 2)]
        return figures


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
