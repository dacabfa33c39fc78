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

from ladder.boards import BOARDS, Board
from ladder.models import Lock
from ladder.queries import ladders
from ladder.services import fitting, housekeeping, matches, ratings, scheduling, tournaments, trials

log = structlog.get_logger(__name__)

LEAD = timedelta(seconds=15)
REFIT_TICKS = 5  # a board is fitted again after so many ticks,
REFIT_SHARE = 0.02  # or such a share of those it has: fitting takes the longer the more there are


class Scheduler:
    """Several may run; the one that holds the lock works, the others stand by."""

    def __init__(self) -> None:
        self.name = f"{socket.gethostname()}-{os.getpid()}"
        self._applied: dict[Board, int] = {}  # how many ticks
        self._fitted: dict[Board, int] = {}  # how many of those the last fit knew
        self._cleaned = time.monotonic()

    def turn(self) -> bool:
        """One round of work; False when another scheduler leads or the database is away."""
        close_old_connections()
        try:
            if not Lock.objects.take("scheduler", self.name, LEAD):
                return False
        except DatabaseProblem as error:
            log.error("scheduler cannot reach the database", error=str(error))
            return False
        for step in (
            matches.sweep,
            self._rate,
            trials.advance_all,
            tournaments.advance_all,
            scheduling.fill_queue,
            self._refit,
            self._clean,
        ):
            self._guarded(step)
        return True

    def step_down(self) -> None:
        self._guarded(lambda: Lock.objects.give_back("scheduler", self.name))

    def _rate(self) -> None:
        if not self._applied:
            self._applied = dict.fromkeys(BOARDS, 0) | ladders.last_ticks(BOARDS)
        for tick in ratings.apply_ready_ticks():
            self._applied[tick.board] = tick.number

    def _refit(self) -> None:
        """Fit at most one board per turn, the one with the most news for its size."""
        news = {board: self._news(board) for board, count in self._applied.items() if count}
        board = max(news, key=lambda one: news[one], default=None)
        if board is not None and news[board] >= 1:
            fitting.refit(board)
            self._fitted[board] = self._applied[board]

    def _news(self, board: Board) -> float:
        """How much a board has to tell that its last fit did not know; 1 is worth a new one."""
        if board not in self._fitted:
            return math.inf
        count = self._applied[board]
        return (count - self._fitted[board]) / max(REFIT_TICKS, REFIT_SHARE * count)

    def _clean(self) -> None:
        if time.monotonic() - self._cleaned > 60:
            housekeeping.clean()
            self._cleaned = time.monotonic()

    def _guarded(self, step: Callable[[], object]) -> None:
        # One broken step must not stop the others, tonight least of all.
        try:
            step()
        except Exception:
            log.exception("scheduler step failed", step=getattr(step, "__qualname__", str(step)))
