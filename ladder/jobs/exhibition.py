"""How an exhibition is played: at a speed that people can follow, and only while nobody waits."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from django.conf import settings

from ladder.models import Match
from ladder.services import exhibitions, matches
from sandbox.table import Tablemates

LOOK_SECONDS = 0.5  # a match that counts waits this long at most for an exhibition to give way


class Metered(Protocol):
    cpu_us: int


class Exhibition:
    """Looks whether another match waits, and slows the play down. Other matches it leaves alone."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._is_on = match.is_exhibition
        self._looked = time.monotonic()

    def must_stop(self) -> bool:
        """Whether another match waits; then this one is back in the queue."""
        now = time.monotonic()
        if not self._is_on or now - self._looked < LOOK_SECONDS:
            return False
        self._looked = now
        return matches.gives_way(self._match)

    def pause(self, table: Tablemates) -> None:
        """Let people look at the table; the bots stand still meanwhile."""
        if not self._is_on:
            return
        until = time.monotonic() + settings.EXHIBITION_PACE_MS / 1000
        with table.only(None):
            while (left := until - time.monotonic()) > 0:
                time.sleep(min(left, LOOK_SECONDS))
                table.beat()

    @contextmanager
    def metered(self, players: Iterable[Metered]) -> Iterator[None]:
        """Charge what bots and this process use to the exhibitions, however the block ends."""
        began = time.process_time_ns()
        try:
            yield
        finally:
            if self._is_on:
                own = (time.process_time_ns() - began) // 1000
                exhibitions.charge(self._match, own + sum(player.cpu_us for player in players))
