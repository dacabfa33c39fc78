"""The bots of one match, and what is between them.

They keep still while one of them thinks for long. Otherwise a bot that is losing could burn the
processor in the others' time until the match is void for want of it.

Between two plays there is a pause of random length. Otherwise a bot could end a play at a moment of
its choice, and its next play, which begins right after, would read that moment from the clock.
"""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

from sandbox import caches

PAUSE_FACTOR = 1.5  # at most 0.3 bits are left, and honest bots wait 0.75 times their own time
_random = random.SystemRandom()


class Stoppable(Protocol):
    """What is known of a bot's process here."""

    @property
    def alive(self) -> bool: ...
    @property
    def pidfd(self) -> int: ...


class Seated(Protocol):
    """What is known of a player here."""

    waited_ns: int  # for its answers, in this play

    def leave(self) -> None: ...


class Tablemates:
    """Who plays together. `beat` is called now and then while a bot is waited for."""

    def __init__(
        self,
        beat: Callable[[], None] = lambda: None,
        *,
        pauses: bool = True,
        sweeps: bool = False,
    ) -> None:
        """Without pauses bots can know when an earlier play ended: for bots of one person's own.

        With sweeps the processor's caches forget what the last play looked up.
        """
        self._sweeps = sweeps
        self.beat = beat
        self.is_under_way = False  # since a player was asked for the first time
        self._pauses = pauses
        self._players: list[Seated] = []
        self._bots: list[Stoppable] = []

    def seat(self, player: Seated) -> None:
        self._players.append(player)

    def begin_play(self) -> None:
        """End all bots of the play before, and let a time pass that none of them can choose.

        A bot can delay the end of a play by as much as was waited for it, so the pause is drawn
        from a range that is larger: of what it chose nearly nothing is left.
        """
        if not self.is_under_way:
            return
        self.is_under_way = False
        began = time.monotonic_ns()
        for player in self._players:
            player.leave()
        steered = time.monotonic_ns() - began + max(each.waited_ns for each in self._players)
        if self._pauses:
            time.sleep(_random.uniform(0, PAUSE_FACTOR * steered) / 10**9)
        if self._sweeps:
            caches.sweep()

    def join(self, bot: Stoppable) -> None:
        self._bots.append(bot)

    def leave(self, bot: Stoppable) -> None:
        with suppress(ValueError):
            self._bots.remove(bot)

    @contextmanager
    def only(self, bot: Stoppable | None) -> Iterator[None]:
        """All others stand still for the time of the block; their clocks do so too.

        With None all do: somebody who is not in a jail is waited for.
        """
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
