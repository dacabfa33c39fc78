"""Players inside this process: the fast trusted mode for training and for house bots' tests."""

from __future__ import annotations

import builtins
import random
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from engine import wire
from engine.game import Game, Result, Seat
from engine.match import Answer, Fault, Question
from engine.outcome import FaultKind
from engine.script import Script, compiled, short_traceback


class ScriptPlayer:
    """A Python script called directly, without a process, a limit or a jail.

    It is loaded again for each play, with a `random` of its own, as everywhere.
    """

    def __init__(self, source: str, filename: str = "bot.py") -> None:
        """Loads it once to see that it can be; what the script itself raises passes through."""
        self._source = source
        self._filename = filename
        self._code = compiled(source, filename)
        self._script = Script(self._code, filename, own_random(0))
        self._cpu_left_ms = 0.0
        self._increment_ms = 0
        self._fault: Fault | None = None  # a crash while loading or in `start`, reported when asked

    @classmethod
    def from_file(cls, path: Path) -> ScriptPlayer:
        return cls(path.read_text(encoding="utf-8"), path.name)

    def start(
        self, *, game: Game, seat: Seat, seats: int, options: Mapping[str, Any], luck: int = 0
    ) -> None:
        self._cpu_left_ms = game.limits.bank_ms
        self._increment_ms = game.limits.increment_ms
        self._fault = None
        try:
            self._script = Script(self._code, self._filename, own_random(luck))
            if self._script.start is not None:
                line = wire.start(seat=seat, seats=seats, options=options, luck=luck)
                self._script.start(line)
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
            return Fault(FaultKind.PROTOCOL, f"the bot returned {action!r}; an action is a text")
        return Answer(action, spent_us)

    def end(self, result: Result) -> None:
        if self._script.end is not None:
            with suppress(Exception, SystemExit):  # the play is over: nothing left to charge
                self._script.end(wire.end(result))

    def _crash(self, error: BaseException) -> Fault:
        detail = short_traceback(error, self._filename, source=self._source)
        return Fault(FaultKind.CRASH, f"the bot raised {error!r}", detail)


def own_random(luck: int) -> dict[str, Any]:
    """Builtins whose `import random` brings a module for this script alone."""
    luckily = random.Random(luck)
    own = ModuleType("random")
    for name, value in vars(random).items():
        # Its functions are methods of one hidden generator; these are of ours.
        is_drawn = isinstance(getattr(value, "__self__", None), random.Random)
        setattr(own, name, getattr(luckily, name) if is_drawn else value)

    def load(name: str, *rest: Any, **named: Any) -> Any:
        return own if name == "random" else __import__(name, *rest, **named)

    return vars(builtins) | {"__import__": load}
