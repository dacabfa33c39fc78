"""Decisions per second of one core, all the way: queued, sandboxed, stored, rated.

The embedded default as it ships (SQLite, a private Redis, one worker process, the scheduler)
plays queued duels of Ramen! Ramen! between greedy bots, everything on one core; then
kaggle-environments plays connectx on the same core with agents in its own process; and so on in
turn. Rounds are short and many, as the speed of a shared machine comes and goes by the second. The
worker's start is left out, as is the import on the other side, and each side stands still while
the other is measured.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ladder.jobs import broker
from tests import servers
from tests.programs.bench.rows import Progress, Row

ROUNDS = 11
SIDE_ROUNDS = 5
TICKS, TICK_MATCHES = 7, 4
WARM = 4  # matches before the clock starts
KAGGLE_SECONDS = 2.0

NOTE = (
    "End to end: SQLite, a private Redis, one worker process, scheduler and sandboxes on one"
    f" core; {ROUNDS} rounds of {TICKS * TICK_MATCHES} rated duels of two plays, greedy v greedy,"
    f" the first {WARM} left out, in turn with connectx on the same core, whose two agents are"
    " functions in its process that take the first column with room. The best round of each;"
    " so with two workers, of which the second has a core of its own."
)


@dataclass(frozen=True, slots=True)
class Pace:
    """What was done per second of one core."""

    decisions: float
    matches: float
    bots_cpu: float = 0.0  # share of the core that the bots themselves used


def run(progress: Progress) -> list[Row]:
    core = min(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(prefix="ladle-bench-") as var, ExitStack() as stack:
        ours, theirs = [], []
        with pinned(core):
            shared = servers.product_environment(Path(var))
            stack.enter_context(servers.private_redis(shared))
        environment = prepare(Path(var))
        with services(environment, Path(var), core) as running:
            for number in range(1, ROUNDS + 1):
                progress(f"duels, round {number} of {ROUNDS}")
                ours.append(duels(running))
                progress(f"connectx, round {number} of {ROUNDS}")
                theirs.append(connectx(core))
            together = side_by_side(environment, Path(var), running, progress)
    name = "end to end, one core"

    # As with any stopwatch, what disturbs can only slow down: the calmest round is the truest.
    our, their = (max(paces, key=lambda pace: pace.decisions) for paces in (ours, theirs))
    return [
        Row(
            f"{name}: decisions v kaggle-environments' connectx",
            "1/s",
            our.decisions,
            their.decisions,
            12.0,
            at_least=True,
        ),
        Row(
            f"{name}: matches of two plays v episodes",
            "1/s",
            our.matches,
            their.matches,
        ),
        Row(
            f"{name}: CPU that the bots themselves used v 40%",
            "%",
            100 * our.bots_cpu,
            40.0,
            1.0,
            at_least=True,
        ),
        *together,
    ]


def side_by_side(
    environment: dict[str, str], var: Path, running: list[servers.Server], progress: Progress
) -> list[Row]:
    """Two workers on a core each against one of them; nothing where there is one core only."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        return []
    with pinned(cores[1]):
        second = servers.worker(environment, var / "second.log")
        second.start()
    try:
        queue_duels()
        for service in running:
            service.send_group(signal.SIGCONT)
        wait_until_rated()
        stand_still([*running, second])
        both, alone = [], []
        for number in range(1, SIDE_ROUNDS + 1):
            progress(f"two workers and one, round {number} of {SIDE_ROUNDS}")
            both.append(duels([*running, second]).matches)
            alone.append(duels(running).matches)
    finally:
        second.send_group(signal.SIGCONT)
        second.stop()
    name = "end to end: matches of two workers on two cores v one on one"
    return [Row(name, "1/s", max(both), max(alone), 1.8, at_least=True)]


def prepare(var: Path) -> dict[str, str]:
    """An empty site with two greedy bots on one board; the environment of its processes."""
    environment = servers.product_environment(
        var,
        DEBUG="0",
        SECRET_KEY="only for measuring " * 3,
        ALLOWED_HOSTS="localhost",
        LADLE_HTTPS="0",
        LADLE_LOG_LEVEL="WARNING",
        LADLE_WORKERS="1",
    )
    os.environ.update(environment, REDIS_URL=broker.url(var))
    import django

    django.setup()
    from django.core.management import call_command

    from ladder.models import Rating
    from sandbox import available, runtime
    from tests.factories import house_source, make_bot

    if problem := available.missing():
        raise RuntimeError(f"no match can be played here: {problem}")
    runtime.ready()
    call_command("migrate", verbosity=0)
    for number in range(2):
        source = f"# {number}\n{house_source('ramen_ramen', 'greedy')}"
        make_bot(seat_counts=[2], source=source)
    # So much is known of them that the scheduler queues nothing by itself.
    Rating.objects.update(is_settled=True, is_provisional=False)
    return environment


@contextmanager
def services(environment: dict[str, str], var: Path, core: int) -> Iterator[list[servers.Server]]:
    """The scheduler and a worker on one core, standing still."""
    with pinned(core):
        running = [
            servers.scheduler(environment, var / "scheduler.log"),
            servers.worker(environment, var / "worker.log"),
        ]
        for service in running:
            service.start()
    try:
        queue_duels()
        wait_until_rated()
        stand_still(running)
        yield running
    except AssertionError as error:
        told = "\n".join(log.read_text()[-2000:] for log in sorted(var.glob("*.log")))
        raise AssertionError(f"{error}\n{told}") from None
    finally:
        for service in running:
            service.send_group(signal.SIGCONT)
            service.stop()


def duels(running: list[servers.Server]) -> Pace:
    """Queue duels, let the product play and rate them all, and see how long they took."""
    ids = queue_duels()
    for service in running:
        service.send_group(signal.SIGCONT)
    wait_until_rated()
    stand_still(running)
    return pace_of(ids)


def stand_still(running: list[servers.Server]) -> None:
    """Stop them where none holds the database's lock, or nobody else could write."""
    from django.db import OperationalError, connection

    while True:
        for service in running:
            service.send_group(signal.SIGSTOP)
        try:
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA busy_timeout = 100")
                cursor.execute("BEGIN IMMEDIATE")
                cursor.execute("ROLLBACK")
                cursor.execute("PRAGMA busy_timeout = 20000")
            return
        except OperationalError:
            for service in running:
                service.send_group(signal.SIGCONT)


def wait_until_rated() -> None:
    from ladder.models import Tick

    servers.wait_until(lambda: not Tick.objects.unapplied().exists(), 240, "all is rated")


@contextmanager
def pinned(core: int) -> Iterator[None]:
    """Processes started meanwhile stay on this core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def queue_duels() -> list[int]:
    from django.db.models import Max

    from ladder.models import Match, Tick, Version
    from ladder.services import matches

    versions = list(Version.objects.all())
    last = Tick.objects.aggregate(last=Max("number"))["last"] or 0
    ids = []
    for number in range(last + 1, last + 1 + TICKS):
        tick = Tick.objects.create(game="ramen_ramen", seats=2, number=number)
        for table in range(TICK_MATCHES):
            match = matches.queue(
                kind=Match.Kind.LADDER,
                game="ramen_ramen",
                seats=2,
                versions=versions,
                why="A bench.",
                seed=number * TICK_MATCHES + table,
                tick=tick,
            )
            ids.append(match.pk)
    return ids


def pace_of(ids: list[int]) -> Pace:
    """From the end of the warm-up to the last match's end, by the product's own record."""
    from ladder.models import Match

    played = list(
        Match.objects.filter(pk__in=ids)
        .prefetch_related("plays", "entries")
        .order_by("finished_at")
    )
    assert all(match.status == Match.Status.FINISHED for match in played), "a match was lost"
    assert not any(entry.faults for match in played for entry in match.entries.all()), "a fault"
    counted = played[WARM:]
    seconds = (played[-1].finished_at - played[WARM - 1].finished_at).total_seconds()
    decisions = sum(play.decisions for match in counted for play in match.plays.all())
    bots_us = sum(entry.cpu_us for match in counted for entry in match.entries.all())
    return Pace(decisions / seconds, len(counted) / seconds, bots_us / 1e6 / seconds)


def connectx(core: int) -> Pace:
    with pinned(core):
        done = subprocess.run(
            [sys.executable, "-m", "tests.programs.bench.kaggle_pace", str(KAGGLE_SECONDS)],
            cwd=servers.ROOT,
            check=True,
            capture_output=True,
            text=True,
        )
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    seconds = told["seconds"]
    return Pace(told["decisions"] / seconds, told["episodes"] / seconds)
