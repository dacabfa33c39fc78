"""The bots of one match. They keep still while one of them thinks for long.

Otherwise a bot that is losing could burn the processor in the others' time until the match is void
for want of it.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Protocol


class Stoppable(Protocol):
    """What is known of a bot's process here."""

    @property
    def alive(self) -> bool: ...
    @property
    def pidfd(self) -> int: ...


class Table:
    """Who plays together. `beat` is called now and then while a bot is waited for."""

    def __init__(self, beat: Callable[[], None] = lambda: None) -> None:
        self.beat = beat
        self._bots: list[Stoppable] = []

    def join(self, bot: Stoppable) -> None:
        self._bots.append(bot)

    def leave(self, bot: Stoppable) -> None:
        with suppress(ValueError):
            self._bots.remove(bot)

    @contextmanager
    def only(self, bot: Stoppable) -> Iterator[None]:
        """All others stand still for the time of the block; their clocks do so too."""
        others = [other for other in self._bots if other is not bot and other.alive]
        for other in others:
            _signal(other, signal.SIGSTOP)
        try:
            yield
        finally:
            for other in others:
                if other.alive:
                    _signal(other, signal.SIGCONT)


def _signal(bot: Stoppable, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        signal.pidfd_send_signal(bot.pidfd, number)
