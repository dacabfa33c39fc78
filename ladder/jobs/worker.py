"""What a worker process does: claim the most urgent match, play it, store the outcome."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections import Counter

import structlog
from django.conf import settings
from django.db import Error as DatabaseProblem
from django.db import connection
from django.db.models import F
from django.utils import timezone

from ladder.jobs import runner
from ladder.models import Match, Worker
from ladder.services import bots, matches
from sandbox import available
from sandbox.errors import SandboxError

log = structlog.get_logger(__name__)


HEARD_SECONDS = 20
_done: Counter[str] = Counter()  # matches and failures not yet told
_rests_until = 0.0  # by the monotonic clock: until then this process leaves the ladder alone
_station = f"{socket.gethostname()}-{os.getpid()}"  # of the first process; forked ones keep it


def open_station() -> None:
    """Tell that this worker is alive, now and as long as it is, also when nothing is to be done.

    Called once in a worker's main process, before it forks those that play.
    """
    global _station
    _station = f"{socket.gethostname()}-{os.getpid()}"
    threading.Thread(target=_keep_telling, name="heard of", daemon=True).start()


def _keep_telling() -> None:
    while True:
        try:
            tell(available.missing() or "")
        except DatabaseProblem as error:
            log.warning("worker cannot tell that it is alive", error=str(error))
        finally:
            connection.close()
        time.sleep(HEARD_SECONDS)


def name() -> str:
    """The worker and, of its processes, this one."""
    return f"{_station}/{os.getpid()}"


def work_once() -> bool:
    """Play one match; False when nothing is waiting or this machine cannot play."""
    global _rests_until
    if problem := available.missing():
        log.error("worker cannot play", problem=problem)
        return False
    match = Match.everything.claim_next(name(), but_ladder=time.monotonic() < _rests_until)
    if match is None:
        return False
    facts = {"match": match.pk, "attempt": match.attempt}
    with structlog.contextvars.bound_contextvars(**facts):
        log.info("match claimed", kind=match.kind, board=str(match.board))
        began = time.monotonic()
        failed = not perform(match)
        took = time.monotonic() - began
        log.info("match failed" if failed else "match finished", seconds=round(took, 2))
    _done["matches"] += 1
    _done["failures"] += failed
    if match.kind == Match.Kind.LADDER:
        # Only ladder matches wait for the share of CPU: an upload is checked at once all the same.
        _rests_until = time.monotonic() + took * (100 / settings.CPU_SHARE - 1)
    return True


def tell_done() -> None:
    """Add what this process has played since it last told to its worker's record."""
    done = {field: F(field) + count for field, count in _done.items()}
    if done:
        Worker.objects.filter(name=_station).update(**done, seen_at=timezone.now())
        _done.clear()


def perform(match: Match) -> bool:
    """Play a claimed match and store what came of it; False when it was our failure."""
    try:
        if match.kind == Match.Kind.CHECK:
            report = runner.check(match)
            bots.finish_check(match, accepted=report.ok, report=report.as_json())
        else:
            matches.finish(match, runner.play(match))
    except runner.CalledOff:
        return True
    except (SandboxError, OSError) as error:
        matches.fail(match, f"{type(error).__name__}: {error}")
        return False
    except Exception as error:
        # A defect of ours must not lose the match: it is retried, then void with this reason.
        log.exception("match broke")
        matches.fail(match, f"{type(error).__name__}: {error}")
        return False
    return True


def tell(problem: str) -> None:
    """Say that this worker is alive, and what keeps it from playing if anything does."""
    Worker.objects.update_or_create(
        name=_station, defaults={"seen_at": timezone.now(), "problem": problem}
    )
