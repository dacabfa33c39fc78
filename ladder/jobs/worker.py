"""What a worker process does: claim the most urgent match, play it, store the outcome."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Literal

import structlog
from django.conf import settings
from django.db import Error as DatabaseProblem
from django.db import connection
from django.db.models import F
from django.db.models.functions import Now

from ladder.jobs import analyses, proofs, runner
from ladder.models import Match, Worker
from ladder.operation import nudges, releases
from ladder.services import analyses as asked_for
from ladder.services import bots, matches
from sandbox import available, caches, place
from sandbox.errors import SandboxError, Starved

log = structlog.get_logger(__name__)


HEARTBEAT_SECONDS = 20
_done: Counter[str] = Counter()  # matches and failures not yet reported
_rests_until = 0.0  # by the monotonic clock: until then this process leaves the ladder alone
_station = f"{socket.gethostname()}-{os.getpid()}"  # of the first process; forked ones keep it


def register() -> None:
    """Send heartbeats as long as this worker lives, also when it has nothing to play.

    Called once in a worker's main process, before it forks those that play.
    """
    global _station
    _station = f"{socket.gethostname()}-{os.getpid()}"
    if settings.SWEEP_CACHES:
        caches.sweep()  # the forked ones share the memory that it reads
    if shared := notice():
        log.error("worker plays on a disk", problem=shared)
    threading.Thread(target=_heartbeat_loop, name="heartbeat", daemon=True).start()


def unregister() -> None:
    """Take this worker off the list: one that was stopped is not missed."""
    with suppress(DatabaseProblem), no_connection_afterwards():
        Worker.objects.filter(name=_station).delete()


def _heartbeat_loop() -> None:
    while True:
        try:
            with no_connection_afterwards():
                send_heartbeat(problem_here(), notice())
        except DatabaseProblem as error:
            log.warning("heartbeat failed", error=str(error))
        time.sleep(HEARTBEAT_SECONDS)


# Celery's main process forks those that play, at any time. SQLite breaks in a child that is born
# while a connection is open, so the main process forks only between its own questions.
_asking = threading.RLock()
os.register_at_fork(
    before=_asking.acquire, after_in_parent=_asking.release, after_in_child=_asking.release
)


@contextmanager
def no_connection_afterwards() -> Iterator[None]:
    """For questions that the main process itself asks of the database."""
    with _asking:
        try:
            yield
        finally:
            connection.close()


def problem_here() -> str:
    """Why this worker must not play, in a sentence; empty when it may."""
    return available.missing() or _mismatch(int(time.monotonic() / HEARTBEAT_SECONDS))


def notice() -> str:
    """Whether bots can remember earlier plays here, in a sentence; empty when they cannot."""
    problem = place.problem()
    if not problem:
        return ""
    if settings.ALLOW_SHARED_CACHE:
        return f"{problem}. Rated play goes on, since LADLE_ALLOW_SHARED_CACHE is 1."
    return f"{problem}. Rated play is stopped; LADLE_ALLOW_SHARED_CACHE=1 allows it."


@lru_cache(maxsize=1)
def _mismatch(period: int) -> str:
    """Asked once in a while: reading the migrations costs more than a short match."""
    return releases.mismatch()


def name(pid: int | None = None) -> str:
    """The worker and, of its processes, this one or the one asked for."""
    return f"{_station}/{pid or os.getpid()}"


def work_once() -> bool:
    """Play one match; False when nothing is waiting or this machine cannot play."""
    global _rests_until
    if problem := problem_here():
        log.error("worker cannot play", problem=problem)
        return False
    if breaker.is_open():
        return False
    priorities = set(nudges.served())
    if time.monotonic() < _rests_until:
        priorities -= {Match.PRIORITY[Match.Kind.LADDER], Match.PRIORITY[Match.Kind.EXHIBITION]}
    if not settings.ALLOW_SHARED_CACHE and place.problem():
        priorities -= {Match.PRIORITY[Match.Kind.LADDER], Match.PRIORITY[Match.Kind.TOURNAMENT]}
    is_ladder_worker = Match.PRIORITY[Match.Kind.LADDER] in priorities
    if is_ladder_worker and analyses.work_once(is_idle=False):
        return True
    match = Match.all_objects.claim_next(name(), priorities)
    if match is None:
        return is_ladder_worker and analyses.work_once(is_idle=True)
    facts: dict[str, object] = {"match": match.pk, "attempt": match.attempt}
    if match.request:
        facts["request"] = match.request
    with structlog.contextvars.bound_contextvars(**facts):
        log.info("match claimed", kind=match.kind, board=str(match.board))
        began = time.monotonic()
        outcome = perform(match)
        took = time.monotonic() - began
        log.info(f"match {outcome}", seconds=round(took, 2))
    failed = outcome == "failed"
    _done["matches"] += 1
    _done["failures"] += failed
    breaker.count(failed)
    if match.kind == Match.Kind.LADDER:
        # Only ladder matches wait for the share of CPU: an upload is checked at once all the same.
        _rests_until = time.monotonic() + took * (100 / settings.CPU_SHARE - 1)
    return True


def report_done() -> None:
    """Add what this process has played since its last report to its worker's record."""
    done = {field: F(field) + count for field, count in _done.items()}
    if done:
        Worker.objects.filter(name=_station).update(**done, seen_at=Now())
        _done.clear()


def perform(match: Match) -> Literal["finished", "failed", "lost"]:
    """Play a claimed match and store what came of it.

    It is lost when it was called off or given to another worker meanwhile: nothing is stored.
    """
    try:
        if match.kind == Match.Kind.CHECK:
            report = runner.check(match)
            stored = bots.finish_check(
                match, accepted=report.ok, report=report.as_json(), behaviour=report.behaviour
            )
        else:
            record = runner.play(match)
            stored = matches.finish(match, record)
            if stored and any(one.played.faults for one in record.plays):
                bots.bench_faulty(match)
            if stored:
                proofs.sample(match)
                asked_for.queue_for(match)
    except runner.CalledOff:
        return "lost"
    except (SandboxError, OSError) as error:
        slot = error.slot if isinstance(error, Starved) else None
        matches.fail(match, f"{type(error).__name__}: {error}", slot=slot)
        return "failed"
    except Exception as error:
        # A defect of ours must not lose the match: it is retried, then void with this reason.
        log.exception("match broke")
        matches.fail(match, f"{type(error).__name__}: {error}")
        return "failed"
    return "finished" if stored else "lost"


def send_heartbeat(problem: str, notice: str = "") -> None:
    """Say that this worker is alive, and what keeps it from playing if anything does."""
    about = {"seen_at": Now(), "problem": problem, "notice": notice}
    Worker.objects.update_or_create(name=_station, defaults=about)


class Breaker:
    """Keeps a sick worker from failing one match after the other: it rests, longer each time."""

    FAILURES = 3  # in a row
    FIRST_SECONDS, LONGEST_SECONDS = 5.0, 120.0

    def __init__(self) -> None:
        self._failures = 0
        self._until = 0.0

    def is_open(self) -> bool:
        return time.monotonic() < self._until

    def count(self, failed: bool) -> None:
        """Take note of a match; reports to the operators when it starts and stops resting."""
        if not failed:
            if self._failures >= self.FAILURES:
                self._report("")
            self._failures = 0
            return
        self._failures += 1
        if self._failures >= self.FAILURES:
            rest = self.FIRST_SECONDS * 2 ** (self._failures - self.FAILURES)
            self._until = time.monotonic() + min(rest, self.LONGEST_SECONDS)
            self._report(f"{self._failures} matches in a row failed on it.")

    @staticmethod
    def _report(failing: str) -> None:
        Worker.objects.filter(name=_station).update(failing=failing)


breaker = Breaker()
