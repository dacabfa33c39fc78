"""Who fills the seats: bots in the sandbox, in plain child processes, or in this process."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from enum import Enum
from typing import Any, Protocol

from engine.errors import BadScript
from engine.game import Game, Result, Seat
from engine.local import ScriptPlayer
from engine.match import Answer, Fault, Player, Question
from engine.script import short_traceback
from ladder.cli.bots import Bot
from ladder.cli.output import Refusal

LOG_CHARACTERS = 16384


class Mode(Enum):
    """How bots run; the value is how it is told."""

    SANDBOX = "in the sandbox"
    CHILD = "as child processes"
    IN_PROCESS = "in process"


class LoggedPlayer(Player, Protocol):
    """A player that keeps what its bot printed."""

    @property
    def log(self) -> str: ...


def choose_mode(*, in_process: bool, no_sandbox: bool) -> Mode:
    """What was asked for; the sandbox by default."""
    return Mode.IN_PROCESS


@contextmanager
def seated(game: Game, bots: Sequence[Bot], mode: Mode) -> Iterator[list[LoggedPlayer]]:
    """A player per bot, ended together with the block."""
    yield [InProcessPlayer(bot) for bot in bots]


class Log(io.TextIOBase):
    """The end of what a bot printed."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text = (self.text + text)[-LOG_CHARACTERS:]
        return len(text)


class InProcessPlayer:
    """A script in this process whose prints go to its own log instead of our output."""

    def __init__(self, bot: Bot) -> None:
        if bot.language != "python":
            raise Refusal(f"{bot.name} is not Python, so it cannot play with --in-process.")
        self._log = Log()
        filename = bot.path.name
        try:
            with redirect_stdout(self._log):
                self._player = ScriptPlayer(bot.source, filename)
        except BadScript:
            raise
        except (Exception, SystemExit) as error:
            trace = short_traceback(error, filename)
            raise Refusal(f"{filename} cannot be loaded: {trace}") from None

    @property
    def log(self) -> str:
        return self._log.text

    def start(self, *, game: Game, seat: Seat, seats: int, options: Mapping[str, Any]) -> None:
        with redirect_stdout(self._log):
            self._player.start(game=game, seat=seat, seats=seats, options=options)

    def decide(self, question: Question) -> Answer | Fault:
        with redirect_stdout(self._log):
            return self._player.decide(question)

    def end(self, result: Result) -> None:
        with redirect_stdout(self._log):
            self._player.end(result)
