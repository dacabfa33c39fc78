# ruff: noqa: T201
"""`make hosts`: what four worker hosts play together, beside what one of them plays.

A play takes a second and no CPU, as a host's own cores would do it, so that four hosts add up on
one machine. The rest is the product's. A host knows where the database and Redis are and nothing
else of the site; each even has a SECRET_KEY of its own.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import psycopg

from tests import servers
from tests.programs.hosts.__main__ import Host, ip
from tests.programs.scale.inside import ONE_BOARD
from tests.servers import Server, manage, product_environment, wait_until

HOSTS, PROCESSES, SECONDS = 4, 2, 30
SHARE = 0.8  # of four times what one host plays
FINISHED = "SELECT count(*) FROM ladder_match WHERE status = 'finished' AND kind = 'ladder'"


def worker(host: Host, folder: Path, shared: dict[str, str], ports: tuple[int, int]) -> Server:
    environment = product_environment(
        folder / f"var{host.number}",
        **shared,
        SCALE_SECONDS="1",
        SECRET_KEY=f"only of host {host.number} " * 5,
        DATABASE_URL=f"postgresql://ladle@{host.server}:{ports[0]}/postgres",
        REDIS_URL=f"redis://{host.server}:{ports[1]}/0",
    )
    argv = [*host.inside(), sys.executable, "-m", "tests.programs.scale.free_worker"]
    argv += ["-q", "worker", "-c", str(PROCESSES), "-n", f"{host.cable}@ladle"]
    argv += ["--without-gossip", "--without-mingle"]
    return Server(argv, environment=environment, log=folder / f"{host.cable}.log")


def main() -> int:
    ip("link", "set", "lo", "up")
    with tempfile.TemporaryDirectory(prefix="ladle-hosts-") as name, ExitStack() as stack:
        folder = Path(name)
        folder.chmod(0o755)
        redis = stack.enter_context(servers.redis(folder / "redis", host="0.0.0.0"))
        postgres = stack.enter_context(servers.postgres(folder / "postgres", host="*"))
        shared = {"LADLE_MEDIA": "database", "LADLE_WORKERS": str(PROCESSES)}
        environment = product_environment(
            folder / "var0",
            **shared,
            DATABASE_URL=f"postgresql://ladle@127.0.0.1:{postgres.port}/postgres",
            REDIS_URL=f"redis://127.0.0.1:{redis.port}/0",
        )
        manage(environment, "prepare")
        seat = "from ladder.services import demo; demo.seat_demo_bots()"
        manage(environment, "shell", "-v", "0", "-c", seat + ONE_BOARD)
        scheduler = servers.scheduler(environment, folder / "scheduler.log")
        stack.callback(scheduler.stop)
        scheduler.start()
        rates = {}
        with psycopg.connect(environment["DATABASE_URL"], autocommit=True) as database:
            for number in range(1, HOSTS + 1):
                host = Host(number)
                stack.callback(host.stop)
                host.start()
                server = worker(host, folder, shared, (postgres.port, redis.port))
                stack.callback(server.stop)
                server.start()
                if number in (1, HOSTS):
                    rates[number] = rate(database, number)
                    print(f"{number} hosts: {rates[number]:.2f} matches/s", flush=True)
    goal = SHARE * HOSTS * rates[1]
    is_met = rates[HOSTS] >= goal
    print(f"goal: {goal:.2f} matches/s with {HOSTS} hosts, {'met' if is_met else 'MISSED'}")
    return 0 if is_met else 1


def rate(database: psycopg.Connection, hosts: int) -> float:
    """Matches a second, once every host has played some."""
    by_host = f"{FINISHED} AND worker_name LIKE %s"
    for number in range(1, hosts + 1):
        wait_until(
            lambda: count(database, by_host, f"%host{number}%") > 2 * PROCESSES,  # noqa: B023
            300,
            f"host {number} plays",
        )
    before, began = count(database, FINISHED), time.monotonic()
    time.sleep(SECONDS)
    return (count(database, FINISHED) - before) / (time.monotonic() - began)


def count(database: psycopg.Connection, query: str, *values: str) -> int:
    row = database.execute(query, values).fetchone()
    assert row is not None
    return int(row[0])


if __name__ == "__main__":
    if os.geteuid() != 0:
        print("Namespaces with cables between them need root: run make hosts as root.")
        sys.exit(2)
    if "--inside" not in sys.argv:
        words = [sys.executable, "-m", "tests.programs.hosts.adding_up", "--inside"]
        os.execvp("unshare", ["unshare", "--net", *words])
    sys.exit(main())
