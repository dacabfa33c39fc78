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

from tests import servers
from tests.programs.storm.site import Site
from tests.servers import manage, run_manage

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
    with suppress(FileNotFoundError):  # a worker may have made a new one meanwhile, and still does
        trees.rename(trees.with_name(f"runtime-beside-{time.time_ns()}"))
    hidden.rename(trees)


def make_the_media_read_only(site: Site, luck: random.Random) -> None:
    """As a file system does of itself after an error of its disk."""
    remount = ["mount", "-o", "remount,ro", str(site.media)]
    for _ in range(50):  # it is busy while a file is being written
        if subprocess.run(remount, capture_output=True).returncode == 0:
            time.sleep(5)
            break
        time.sleep(0.1)
    remount[2] = "remount,rw"
    subprocess.run(remount, check=True)


def restore_below_it(site: Site, luck: random.Random) -> None:
    """Somebody restores a backup and has forgotten to stop the site: refused."""
    copy = site.folder / "backup"
    if not copy.exists():
        manage(site.environment, "backup", str(copy))
    refused = run_manage(site.environment, "restore", str(copy))
    assert refused.returncode == 1 and "The site is running" in refused.stderr, refused.stderr


def lend_a_host_that_is_ahead(site: Site, luck: random.Random) -> None:
    """A scheduler and a worker whose clock is two hours ahead; then their host dies."""
    (library,) = Path("/usr/lib").glob("*/faketime/libfaketime.so.1")
    ahead = {"LD_PRELOAD": str(library), "FAKETIME": "+2h", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    environment = site.environment | ahead
    guests = [
        servers.scheduler(environment, site.folder / "scheduler-ahead.log"),
        servers.worker(environment, site.folder / "worker-ahead.log"),
    ]
    for guest in guests:
        guest.start()
    # The scheduler that is right must fall silent, or the other would never lead.
    site.processes["scheduler"].send_group(signal.SIGSTOP)
    time.sleep(25)
    site.processes["scheduler"].send_group(signal.SIGCONT)
    for guest in guests:
        guest.kill_group()


def take_redis_away_for_long(site: Site, luck: random.Random) -> None:
    """Longer than a nudge lives and a lease lasts; pages answer all the same."""
    assert site.redis is not None
    site.redis.kill_group()
    time.sleep(60)
    answer = site.status("/")
    site.redis.start()
    assert answer == 200, f"/ answered {answer} without Redis"


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
    """Those that a deployment suffers again and again."""
    found: list[Fault] = [kill_one, kill_one, kill_one, kill_a_bot, freeze_a_worker]
    found.append(hide_the_runtime)
    if has_small_disk:
        found += [fill_the_disk, make_the_media_read_only]
    found.append(restart_redis)
    if kind == "servers":
        found += [cut_connections, restart_postgres]
    return found


def once(kind: str) -> list[Fault]:
    """Those that take long."""
    found: list[Fault] = [restore_below_it]
    if kind == "servers":  # on one machine there is one clock
        found += [lend_a_host_that_is_ahead, take_redis_away_for_long]
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
