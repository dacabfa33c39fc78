# ruff: noqa: T201
"""`make hosts`: a server host and two worker hosts that share nothing but a network.

Each host is a network namespace. The server has PostgreSQL, Redis, web and scheduler; a worker host
has a worker and a folder of its own. One is cut off in the middle of a match, another finishes it,
and the lost one comes back. Then everything is counted.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import psycopg

from ladder.client.client import Client
from tests import servers
from tests.programs.storm.site import BEGIN, END, LIMITS, Site
from tests.servers import PYTHON, Server, manage, product_environment, run_manage, wait_until

ADDRESS = "10.77.{0}.{1}"  # of worker host {0}: 1 is the server's end, 2 the host's own
RUNNING = "SELECT id FROM ladder_match WHERE status = 'running' AND worker_name LIKE %s"
CUTS = 3
PATIENCE_S = 300


class Host:
    """A worker host: a namespace that lives as long as its first process, and a cable to it."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.cable = f"host{number}"
        named = f"echo {self.cable} > /proc/sys/kernel/hostname && exec sleep infinity"
        self._first = Server(["unshare", "--net", "--uts", "sh", "-c", named])

    def start(self) -> None:
        self._first.start()
        assert self._first.process is not None
        own = os.readlink("/proc/self/ns/net")
        pid = self._first.process.pid
        wait_until(lambda: os.readlink(f"/proc/{pid}/ns/net") != own, 30, "a namespace is made")
        ip("link", "add", self.cable, "type", "veth", "peer", "name", "eth0", "netns", str(pid))
        ip("addr", "add", f"{self.server}/24", "dev", self.cable)
        ip("link", "set", self.cable, "up")
        for words in (
            ["link", "set", "lo", "up"],
            ["addr", "add", f"{ADDRESS.format(self.number, 2)}/24", "dev", "eth0"],
            ["link", "set", "eth0", "up"],
        ):
            subprocess.run([*self.inside(), "ip", *words], check=True)

    @property
    def server(self) -> str:
        """The server's address as this host knows it."""
        return ADDRESS.format(self.number, 1)

    def inside(self) -> list[str]:
        assert self._first.process is not None
        return ["nsenter", "--net", "--uts", f"--target={self._first.process.pid}", "--"]

    def cut_off(self) -> None:
        ip("link", "set", self.cable, "down")

    def plug_in(self) -> None:
        ip("link", "set", self.cable, "up")

    def stop(self) -> None:
        self._first.stop()


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def worker(host: Host, folder: Path, shared: dict[str, str], ports: tuple[int, int]) -> Server:
    environment = product_environment(
        folder / f"var{host.number}",
        **shared,
        DATABASE_URL=f"postgresql://ladle@{host.server}:{ports[0]}/postgres",
        REDIS_URL=f"redis://{host.server}:{ports[1]}/0",
    )
    argv = [*host.inside(), PYTHON, "-m", "celery", "-A", "ladder.jobs.celery", "-q", "worker"]
    argv += ["-c", "1", "-n", f"{host.cable}@ladle", "--without-gossip", "--without-mingle"]
    return Server(argv, environment=environment, log=folder / f"{host.cable}.log")


def main() -> int:
    if os.geteuid() != 0:
        print("Namespaces with cables between them need root: run make hosts as root.")
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    ip("link", "set", "lo", "up")
    with tempfile.TemporaryDirectory(prefix="ladle-hosts-") as name, ExitStack() as stack:
        folder = Path(name)
        folder.chmod(0o755)
        redis = stack.enter_context(servers.redis(folder / "redis", host="0.0.0.0"))
        postgres = stack.enter_context(servers.postgres(folder / "postgres", host="*"))
        runtime = stack.enter_context(servers.runtime_folder())
        shared = {**LIMITS, "LADLE_MEDIA": "database", "LADLE_RUNTIME": runtime}
        environment = product_environment(
            folder / "var0",
            **shared,
            DATABASE_URL=f"postgresql://ladle@127.0.0.1:{postgres.port}/postgres",
            REDIS_URL=f"redis://127.0.0.1:{redis.port}/0",
        )
        manage(environment, "prepare")
        site = Site(environment, folder)
        site.token = site.shell(BEGIN)
        hosts = [Host(1), Host(2)]
        for host in hosts:
            stack.callback(host.stop)
            host.start()
        ports = postgres.port, redis.port
        site.processes = {
            "web": site.processes["web"],
            "scheduler": site.processes["scheduler"],
            **{host.cable: worker(host, folder, shared, ports) for host in hosts},
        }
        for server in site.processes.values():
            stack.callback(server.stop)
            server.start()
        return play(site, hosts)


def play(site: Site, hosts: list[Host]) -> int:
    """Cut a host off in the middle of a match, again and again; then count."""
    with psycopg.connect(site.environment["DATABASE_URL"], autocommit=True) as database:
        wait_until(lambda: finished_by(database, hosts[0]) > 0, PATIENCE_S, "host 1 has played")
        wait_until(lambda: finished_by(database, hosts[1]) > 0, PATIENCE_S, "host 2 has played")
        for cut in range(CUTS):
            host = hosts[cut % 2]
            match = cut_in_a_match(database, host)
            site.upload()
            wait_until(lambda: is_finished(database, match), PATIENCE_S, f"match {match} is over")  # noqa: B023
            host.plug_in()
            before = finished_by(database, host)
            wait_until(
                lambda: finished_by(database, host) > before,  # noqa: B023
                PATIENCE_S,
                f"{host.cable} plays again",
            )
            print(f"{host.cable} was cut off in match {match}; another host finished it")
        wait_until(lambda: not site.census()["not checked"], PATIENCE_S, "uploads are checked")
        site.shell(f"{END}; print('ended')")
        wait_until(lambda: is_calm(site), PATIENCE_S, lambda: f"calm: {site.census()}")
        shares = [finished_by(database, host) for host in hosts]
    found = site.census(verify=True)
    wrong = [
        name
        for name in ("void", "stuck", "miscounted ratings", "ticks not rated",
                     "rejected", "not checked", "bad replays")
        if found[name]
    ]  # fmt: skip
    verdict = run_manage(site.environment, "ratings", "--verify").stdout.strip().splitlines()[-1]
    if "0 differences" not in verdict:
        wrong.append("ratings")
    if not web_serves_a_replay(site):
        wrong.append("replays by web")
    folders = [site.folder / f"var{number}" / "media" for number in range(3)]
    if any(path.is_file() for folder in folders for path in folder.rglob("*")):
        wrong.append("files in a folder")
    print("  " + ", ".join(f"{name} {count}" for name, count in found.items()))
    print(f"  finished by host 1: {shares[0]}, by host 2: {shares[1]}; ratings: {verdict}")
    print(f"HARM: {', '.join(wrong)}" if wrong else "nothing was lost")
    return 1 if wrong else 0


def cut_in_a_match(database: psycopg.Connection, host: Host) -> int:
    """Cut the host off while it plays; the match that it can no longer finish."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        row = database.execute(RUNNING, [f"%{host.cable}%"]).fetchone()
        if row is not None:
            host.cut_off()
            still = database.execute(RUNNING, [f"%{host.cable}%"]).fetchone()
            if still is not None:
                return int(still[0])
            host.plug_in()
        time.sleep(0.02)
    raise AssertionError(f"{host.cable} was never seen playing")


def finished_by(database: psycopg.Connection, host: Host) -> int:
    query = "SELECT count(*) FROM ladder_match WHERE status = 'finished' AND worker_name LIKE %s"
    row = database.execute(query, [f"%{host.cable}%"]).fetchone()
    assert row is not None
    return int(row[0])


def is_finished(database: psycopg.Connection, match: int) -> bool:
    query = "SELECT status = 'finished' FROM ladder_match WHERE id = %s"
    row = database.execute(query, [match]).fetchone()
    return row is not None and bool(row[0])


def is_calm(site: Site) -> bool:
    found = site.census()
    return not found["stuck"] and not found["ticks not rated"]


def web_serves_a_replay(site: Site) -> bool:
    """A replay that a worker host wrote, downloaded from web and refereed there."""
    match = int(site.shell("from ladder.models import Play; print(Play.objects.last().match_id)"))
    with Client(f"http://127.0.0.1:{site.port}", token=site.token) as client:
        return bool(client.verify(client.replay(match, 0)).ok)


if __name__ == "__main__":
    if "--inside" not in sys.argv and os.geteuid() == 0:
        words = [sys.executable, "-m", "tests.programs.hosts", "--inside"]
        os.execvp("unshare", ["unshare", "--net", *words])
    sys.exit(main())
