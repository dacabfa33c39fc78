"""What a worker process does: claim the most urgent match, play it, store the outcome."""

from __future__ import annotations

import logging
import os
import socket
import time

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from ladder import runner
from ladder.models import Match, Worker
from ladder.services import bots, matches
from sandbox import available
from sandbox.errors import SandboxError

log = logging.getLogger(__name__)


def name() -> str:
    return f"{socket.gethostname()}-{os.getpid()}"


def work_once() -> bool:
    """Play one match; False when nothing is waiting or this machine cannot play."""
    problem = available.missing() or ""
    tell(problem=problem)
    if problem:
        log.error("worker cannot play: %s", problem)
        return False
    match = Match.objects.claim_next(name())
    if match is None:
        return False
    began = time.monotonic()
    failed = not perform(match)
    took = time.monotonic() - began
    Worker.objects.filter(name=name()).update(
        matches=F("matches") + 1, failures=F("failures") + failed, seen_at=timezone.now()
    )
    log.info(
        "match %s match=%s kind=%s board=%s attempt=%s seconds=%.2f",
        "failed" if failed else "finished",
        match.pk,
        match.kind,
        match.board,
        match.attempt,
        took,
    )
    if match.kind == Match.Kind.LADDER and settings.CPU_SHARE < 100:
        time.sleep(took * (100 / settings.CPU_SHARE - 1))
    return True


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
        log.exception("match broke match=%s attempt=%s", match.pk, match.attempt)
        matches.fail(match, f"{type(error).__name__}: {error}")
        return False
    return True


def tell(problem: str = "") -> None:
    """Say that this process is alive."""
    Worker.objects.update_or_create(
        name=name(), defaults={"seen_at": timezone.now(), "problem": problem}
    )
