"""The bots at one table keep still while one of them thinks for long.

Otherwise a bot that is losing could burn the processor in the others' time until the match is void
for want of it. The bots at a table are those that one thread has loaded: a thread plays one match.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol
from weakref import WeakSet


class Stoppable(Protocol):
    """What is known of a bot's process here."""

    @property
    def alive(self) -> bool: ...
    @property
    def pidfd(self) -> int: ...


class _Table(threading.local):
    def __init__(self) -> None:
        self.bots: WeakSet[Stoppable] = WeakSet()


_table = _Table()


class Company:
    """The bots that sit with this one."""

    def __init__(self, bot: Stoppable) -> None:
        self._bot = bot

    def join(self) -> None:
        """Sit down at the table of the calling thread."""
        _table.bots.add(self._bot)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """All others stand still for the time of the block; their clocks do so too."""
        others = [bot for bot in _table.bots if bot is not self._bot and bot.alive]
        for bot in others:
            _signal(bot, signal.SIGSTOP)
        try:
            yield
        finally:
            for bot in others:
                if bot.alive:
                    _signal(bot, signal.SIGCONT)


def _signal(bot: Stoppable, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        signal.pidfd_send_signal(bot.pidfd, number)
