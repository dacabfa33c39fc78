"""The scheduler: sweeps, rates, fills the queue and moves tournaments on, turn after turn."""

from __future__ import annotations

import math
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import structlog
from django.db import Error as DatabaseProblem
from django.db import close_old_connections, connection

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
HUNG = timedelta(minutes=30)  # longer than any turn: one that hangs must not lead for ever


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
        with self._lead_prolonged():
            return self._steps()

    def _steps(self) -> bool:
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

    @contextmanager
    def _lead_prolonged(self) -> Iterator[None]:
        """A thread prolongs the lead during a step that lasts, such as the fit of a large board."""
        is_over = threading.Event()
        thread = threading.Thread(target=self._prolong, args=[is_over], name="lead", daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()

    def _prolong(self, is_over: threading.Event) -> None:
        pause = LEAD.total_seconds() / 5
        rounds = int(HUNG / LEAD * 5)
        try:
            while rounds and not is_over.wait(pause):
                rounds -= 1
                try:
                    if self._led_at > -math.inf and Lock.objects.take("scheduler", self.name, LEAD):
                        self._led_at = time.monotonic()
                except DatabaseProblem:
                    log.debug("lead could not be prolonged", exc_info=True)
        finally:
            connection.close()

    def _rate(self) -> None:
        fitting.rate_ready_ticks(beat=self._keep_lead, is_patient=True)
        if self._is_new:  # once after an upgrade: ratings of an older kind are computed again
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
