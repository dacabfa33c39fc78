"""The scheduler: sweeps, rates, fills the queue and moves tournaments on, turn after turn."""

from __future__ import annotations

import math
import os
import socket
import time
from collections.abc import Callable
from datetime import timedelta

import structlog
from django.db import Error as DatabaseProblem
from django.db import close_old_connections

from ladder.jobs.datasets import Nightly
from ladder.models import Lock
from ladder.services import (
    analyses,
    broadcasts,
    cups,
    daily,
    exhibitions,
    housekeeping,
    matches,
    scheduling,
    tournaments,
    trials,
)
from ladder.services.analyses import puzzles
from ladder.services.events import dispatch
from ladder.services.notices import mailing
from ladder.services.rating import fitting
from ladder.services.remote import open_class

log = structlog.get_logger(__name__)

LEAD = timedelta(seconds=15)


class NotLeading(Exception):
    """Another scheduler leads."""


class Scheduler:
    """Several may run; the one that holds the lock works, the others stand by."""

    def __init__(self) -> None:
        self.name = f"{socket.gethostname()}-{os.getpid()}"
        self._is_new = True
        self._cleaned = time.monotonic()
        self._has_old_replays = False  # more than were dropped in the last turn
        self._led_at = -math.inf
        self._datasets = Nightly()

    def turn(self) -> bool:
        """One round of work; False when another scheduler leads or the database is away."""
        close_old_connections()
        self._led_at = -math.inf
        try:
            for step in (
                matches.sweep,
                broadcasts.sweep,
                analyses.sweep,
                self._rate,
                trials.advance_all,
                cups.hold,
                tournaments.advance_all,
                dispatch.dispatch_all,
                mailing.gather,
                scheduling.fill_queue,
                open_class.fill,
                open_class.rate_ready,
                exhibitions.arrange,
                puzzles.choose_today,
                daily.deal_today,
                self._clean,
                self._datasets.turn,
            ):
                self._keep_lead()
                self._guarded(step)
        except NotLeading:
            return False
        except DatabaseProblem as error:
            log.error("scheduler cannot reach the database", error=str(error))
            return False
        return True

    def step_down(self) -> None:
        self._datasets.stop()
        self._guarded(lambda: Lock.objects.give_back("scheduler", self.name))

    def _keep_lead(self) -> None:
        """Take the lead, or prolong it when some of it has passed, so that no two lead."""
        now = time.monotonic()
        if now - self._led_at < LEAD.total_seconds() / 5:
            return
        if not Lock.objects.take("scheduler", self.name, LEAD):
            raise NotLeading
        self._led_at = now

    def _rate(self) -> None:
        fitting.rate_ready_ticks(beat=self._keep_lead, is_patient=True)
        if self._is_new:  # once after an upgrade: ratings of an older kind are computed anew
            fitting.rate_unfitted(beat=self._keep_lead)
            self._is_new = False

    def _clean(self) -> None:
        is_due = time.monotonic() - self._cleaned > 60
        if is_due:
            housekeeping.clean()
            self._cleaned = time.monotonic()
        if is_due or self._has_old_replays:
            self._has_old_replays = housekeeping.drop_old_replays()

    def _guarded(self, step: Callable[[], object]) -> None:
        # One broken step must not stop the others.
        try:
            step()
        except NotLeading:
            raise
        except Exception:
            log.exception("scheduler step failed", step=getattr(step, "__qualname__", str(step)))
