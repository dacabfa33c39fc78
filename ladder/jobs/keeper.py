"""The keeper: a process that holds tables with remote bots, a waiting thread for each.

It claims matches, wakes tables when an answer has come, runs the clocks of those waited for, and
prolongs its leases. Another keeper goes on with its tables a few seconds after it was killed.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

import structlog
from django.conf import settings
from django.db import Error as DatabaseProblem
from django.db import close_old_connections, connection

from engine.match import Answer
from ladder.contract.remote import Asked
from ladder.jobs import runner
from ladder.jobs.people_table import PeopleTable
from ladder.jobs.remote_table import RemoteTable
from ladder.models import Line, Match
from ladder.operation import releases
from ladder.operation.bell import Bell, open_bell
from ladder.queries import remote as queries
from ladder.services import matches
from ladder.services.remote import tables
from ladder.services.remote.seats import CHANNEL
from sandbox import available

log = structlog.get_logger(__name__)
T = TypeVar("T")

TICK_S = 1.0  # between two looks at the clocks and leases
SAVE_S = 5.0  # between two times that clocks are saved
BELL_S = 0.02  # on SQLite
REST_S = 1.0  # after the database was away
CHECK_S = 20.0  # between two looks at whether this process fits the database
STOP_S = 3.0
WRITERS = 2  # connections for all tables


class Keeper:
    """All tables of this process. `run` returns when `stop` is called."""

    def __init__(self) -> None:
        self.name = f"keeper-{socket.gethostname()}-{os.getpid()}"
        self._tables: dict[int, RemoteTable] = {}
        self._pool = ThreadPoolExecutor(WRITERS, "tables")
        self._is_stopping = threading.Event()
        self._ticked = time.monotonic()
        self._saved = time.monotonic()
        self._checked = -CHECK_S
        self._problem = "not checked yet"

    def do(self, verb: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """Run a verb of a table on one of few connections."""

        def run() -> T:
            close_old_connections()
            return verb(*arguments, **named)

        return self._pool.submit(run).result()

    def stop(self) -> None:
        self._is_stopping.set()

    def run(self) -> None:
        bell: Bell | None = None
        while not self._is_stopping.is_set():
            try:
                close_old_connections()
                if bell is None:
                    bell = open_bell(CHANNEL, poll_s=BELL_S)
                self._turn()
                left = TICK_S - (time.monotonic() - self._ticked)
                bell.wait(max(0.01, min(left, TICK_S)))
            except DatabaseProblem as error:
                log.warning("keeper cannot reach the database", error=str(error))
                self._rest(bell)
                bell = None
            except Exception:
                log.exception("keeper stumbled")
                self._rest(bell)
                bell = None
        self._step_down()

    def _rest(self, bell: Bell | None) -> None:
        if bell is not None:
            with suppress(Exception):
                bell.close()
        with suppress(DatabaseProblem):
            connection.close()
        self._is_stopping.wait(REST_S)

    def _turn(self) -> None:
        self._tables = {pk: table for pk, table in self._tables.items() if table.is_alive()}
        waiting = [table for table in self._tables.values() if table.line]
        states = queries.asked([table.line for table in waiting]) if waiting else {}
        for table in waiting:
            self._wake(table, states.get(table.line))
        if time.monotonic() - self._ticked >= TICK_S:
            self._tick(states)
        self._claim()

    @staticmethod
    def _wake(table: RemoteTable, asked: Asked | None) -> None:
        if asked is not None and asked.state in (Line.State.ANSWERED, Line.State.TAKEN):
            table.reply(asked.line, Answer(asked.action))

    def _tick(self, states: dict[str, Asked]) -> None:
        now = time.monotonic()
        step_ms, self._ticked = int((now - self._ticked) * 1000), now
        for table in list(self._tables.values()):
            if not matches.renew(table.match):
                table.drop()
        waiting = [(table, table.asked) for table in self._tables.values()]
        here = queries.attendance([asked.holder for _, asked in waiting if asked is not None])
        is_time_to_save = now - self._saved >= SAVE_S
        for table, player in waiting:
            line = table.line
            asked = states.get(line)
            if player is None or asked is None or asked.state != Line.State.OPEN:
                continue
            clock = player.clock
            clock.charge(here[player.holder], step_ms=step_ms, delivered_ms=asked.delivered_ms)
            with suppress(tables.NotOurs):
                if clock.is_used_up and tables.expire(table.match, line, table.saved_clocks()):
                    table.reply(line, table.used_up(clock))
                elif is_time_to_save:
                    tables.save_clocks(table.match, table.saved_clocks())
        if is_time_to_save:
            self._saved = now
        matches.give_back_remote()
        if now - self._checked >= CHECK_S:  # reading migrations takes a while
            self._checked = now
            self._problem = available.missing() or releases.mismatch()
            if self._problem:
                log.error("keeper cannot play", problem=self._problem)

    def _claim(self) -> None:
        if self._problem:
            return
        for kind, most in (
            (Match.Kind.PEOPLE, settings.MAX_PEOPLE_TABLES),
            (Match.Kind.REMOTE, settings.MAX_TABLES),
        ):
            held = sum(table.match.kind == kind for table in self._tables.values())
            while held < most and not self._is_stopping.is_set():
                match = (
                    Match.all_objects.claim_next(self.name, {Match.PRIORITY[kind]})
                    if kind == Match.Kind.PEOPLE
                    else tables.claim(self.name, most)
                )
                if match is None:
                    break
                log.info("remote match claimed", match=match.pk, attempt=match.attempt)
                table = (PeopleTable if kind == Match.Kind.PEOPLE else RemoteTable)(match, self)
                self._tables[match.pk] = table
                table.start()
                held += 1

    def _step_down(self) -> None:
        """Give the tables back at once; the next keeper goes on with them."""
        open_tables = [table for table in self._tables.values() if table.is_alive()]
        for table in open_tables:
            table.drop()
        until = time.monotonic() + STOP_S
        for table in open_tables:
            table.join(max(0.0, until - time.monotonic()))
        with suppress(DatabaseProblem):
            matches.give_back_remote((table.match.pk, table.match.attempt) for table in open_tables)
        self._pool.shutdown(wait=False, cancel_futures=True)
        if runner.pool.cache_info().currsize:
            runner.pool().close()
