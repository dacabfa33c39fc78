"""Players inside this process: the fast trusted mode for training and for house bots' tests."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine import wire
from engine.game import Game, Result, Seat
from engine.match import Answer, Fault, Question
from engine.script import Script, short_traceback


class ScriptPlayer:
    """A Python script called directly, without a process, a limit or a jail."""

    def __init__(self, source: str, filename: str = "bot.py") -> None:
        self._filename = filename
        self._script = Script(source, filename)
        self._cpu_left_ms = 0.0
        self._increment_ms = 0
        self._fault: Fault | None = None  # a crash in `start`, told at the first question

    @classmethod
    def from_file(cls, path: Path) -> ScriptPlayer:
        return cls(path.read_text(encoding="utf-8"), path.name)

    def start(self, *, game: Game, seat: Seat, seats: int, options: Mapping[str, Any]) -> None:
        self._cpu_left_ms = game.limits.bank_ms
        self._increment_ms = game.limits.increment_ms
        self._fault = None
        if self._script.start is not None:
            try:
                self._script.start(wire.start(seat=seat, seats=seats, options=options))
            except (Exception, SystemExit) as error:
                self._fault = self._crash(error)

    def decide(self, question: Question) -> Answer | Fault:
        if self._fault is not None:
            return self._fault
        self._cpu_left_ms += self._increment_ms
        line = wire.decide(question, id="", cpu_left_ms=int(self._cpu_left_ms))
        began = time.thread_time_ns()
        try:
            action = self._script.decide(wire.view_for_script(line))
        except (Exception, SystemExit) as error:
            return self._crash(error)
        spent_us = (time.thread_time_ns() - began) // 1000
        self._cpu_left_ms -= spent_us / 1000
        if not isinstance(action, str):
            return Fault("protocol", f"the bot returned {action!r}; an action is a text")
        return Answer(action, spent_us)

    def end(self, result: Result) -> None:
        if self._script.end is not None:
            with suppress(Exception, SystemExit):  # the play is over: nothing left to charge
                self._script.end(wire.end(result))

    def _crash(self, error: BaseException) -> Fault:
        return Fault("crash", f"the bot raised {error!r}", short_traceback(error, self._filename))
