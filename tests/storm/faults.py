"""What goes wrong in the storm: each breaks something, waits a little, and puts it right."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg

from tests.storm.site import Site

Fault = Callable[[Site, random.Random], None]


def kill_one(site: Site, luck: random.Random) -> None:
    """SIGKILL for a whole group, started again at once."""
    server = site.processes[luck.choice(list(site.processes))]
    if server.process is not None and server.process.poll() is None:
        server.kill_group()
    server.start()


def freeze_a_worker(site: Site, luck: random.Random) -> None:
    """Longer than its lease: another plays its match, and it must notice."""
    server = site.processes[luck.choice(["worker 1", "worker 2"])]
    server.send_group(signal.SIGSTOP)
    time.sleep(12)
    server.send_group(signal.SIGCONT)


def kill_a_bot(site: Site, luck: random.Random) -> None:
    """As the machine's out-of-memory killer does."""
    bots = [pid for pid in _descendants(site) if "zygote" in _words(pid) or "bwrap" in _words(pid)]
    if bots:
        with suppress(ProcessLookupError):
            os.kill(luck.choice(bots), signal.SIGKILL)


def fill_the_disk(site: Site, luck: random.Random) -> None:
    """The folder of sources and replays lies on a small file system for the storm."""
    ballast = site.media / "ballast"
    with suppress(OSError), ballast.open("wb") as file:
        while True:
            file.write(bytes(2**16))
            file.flush()
    time.sleep(3)
    ballast.unlink()


def hide_the_runtime(site: Site, luck: random.Random) -> None:
    trees = Path(site.environment["LADLE_RUNTIME"])
    hidden = trees.with_name("runtime-hidden")
    trees.rename(hidden)
    time.sleep(3)
    if trees.exists():  # a worker has made a new one meanwhile
        subprocess.run(["rm", "-rf", str(trees)], check=True)
    hidden.rename(trees)


def restart_redis(site: Site, luck: random.Random) -> None:
    assert site.redis is not None
    site.redis.kill_group()
    time.sleep(luck.uniform(0, 4))
    site.redis.start()


def cut_connections(site: Site, luck: random.Random) -> None:
    with psycopg.connect(site.environment["DATABASE_URL"], autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )


def restart_postgres(site: Site, luck: random.Random) -> None:
    assert site.postgres is not None
    site.postgres.stop(signal.SIGQUIT)  # at once, as after a crash
    time.sleep(luck.uniform(0, 4))
    site.postgres.start()


def of(kind: str, *, has_small_disk: bool) -> list[Fault]:
    found: list[Fault] = [kill_one, kill_one, kill_one, kill_a_bot, freeze_a_worker]
    found.append(hide_the_runtime)
    if has_small_disk:
        found.append(fill_the_disk)
    if kind == "servers":
        found += [restart_redis, cut_connections, restart_postgres]
    return found


def _descendants(site: Site) -> list[int]:
    found: list[int] = []
    waiting = [s.process.pid for s in site.processes.values() if s.process is not None]
    while waiting:
        pid = waiting.pop()
        with suppress(OSError):
            below = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            waiting += [int(word) for word in below]
            found.append(pid)
    return found


def _words(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace")
    return ""
