"""Who fills the seats: bots in the sandbox, in plain child processes, or in this process."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

from engine.errors import BadScript
from engine.game import Game, Result, Seat
from engine.local import ScriptPlayer
from engine.match import Answer, Fault, Player, Question
from engine.script import short_traceback
from ladle.bots import Bot
from ladle.errors import Refusal

if TYPE_CHECKING:
    from sandbox.gate import Seating
    from sandbox.pool import Launcher

LOG_CHARACTERS = 16384


class Mode(Enum):
    """How bots run; the value is the name shown."""

    SANDBOX = "in the sandbox"
    CHILD = "as child processes, unconfined"
    IN_PROCESS = "in process, unconfined"

    @property
    def is_confined(self) -> bool:
        return self is Mode.SANDBOX


class LoggedPlayer(Player, Protocol):
    """A player that keeps what its bot printed."""

    @property
    def log(self) -> str: ...


@contextmanager
def launching(mode: Mode) -> Iterator[Launcher | None]:
    """What starts bots' processes; None needs none."""
    if mode is Mode.IN_PROCESS:
        output = sys.stdout
        try:
            yield None
        finally:
            sys.stdout = output  # Ctrl-C may have come as a bot's log stood in for it
    elif mode is Mode.CHILD:
        from sandbox.plain import Plain

        yield Plain()
    else:
        from sandbox.pool import Pool

        with Pool() as pool:
            yield pool


@contextmanager
def seated(
    bots: Sequence[Bot],
    launcher: Launcher | None,
    *,
    of_script: Callable[[Bot], LoggedPlayer] | None = None,
) -> Iterator[list[LoggedPlayer]]:
    """A player per bot, ended together with the block.

    Without a launcher scripts play in this process, as `of_script` makes them, and all other bots
    in unconfined processes.
    """
    if launcher is None:
        with ExitStack() as stack:
            make = of_script or InProcessPlayer
            yield [make(bot) if bot.is_script else beside(bot, stack) for bot in bots]
        return
    from sandbox.player import JailedPlayer
    from sandbox.table import Tablemates

    table = Tablemates(pauses=False)  # all bots are the author's own
    launcher.prepare([bot.program for bot in bots])
    with ExitStack() as stack:
        yield [
            stack.enter_context(JailedPlayer(bot.program, pool=launcher, table=table))
            for bot in bots
        ]


def beside(bot: Bot, stack: ExitStack) -> LoggedPlayer:
    """A player in an unconfined process, for what is not one script; ended with the stack."""
    from sandbox.table import Tablemates

    return stack.enter_context(unconfined()(bot.program, Tablemates(pauses=False)))


def unconfined() -> Seating:
    """How a bot gets a process of its own without a jail, with the limits that this system has."""
    if sys.platform != "linux":
        from ladle.child import ChildPlayer

        return lambda program, table: ChildPlayer(program)
    from sandbox.gate import jailed
    from sandbox.plain import Plain

    return jailed(Plain())


class Log(io.TextIOBase):
    """The end of what a bot printed."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text = (self.text + text)[-LOG_CHARACTERS:]
        return len(text)


class DebuggedPlayer(ScriptPlayer):
    """A script in this process that owns the terminal: `breakpoint()` opens a real debugger.

    So does an exception, where it was raised. Who quits the debugger quits the play.
    """

    log = ""  # its prints are on the terminal

    def __init__(self, bot: Bot) -> None:
        # By its whole path, under which the debugger finds the lines.
        super().__init__(bot.source, str(bot.path.resolve()))

    def _crash(self, error: BaseException) -> Fault:
        import bdb
        import pdb

        if isinstance(error, bdb.BdbQuit):
            raise KeyboardInterrupt
        fault = super()._crash(error)
        sys.stdout.write(f"{fault.detail}\n")
        pdb.post_mortem(error.__traceback__)
        return fault


class InProcessPlayer:
    """A script in this process whose prints go to its own log instead of our output."""

    def __init__(self, bot: Bot) -> None:
        self._log = Log()
        filename = bot.path.name
        try:
            with redirect_stdout(self._log):
                self._player = ScriptPlayer(bot.source, filename)
        except BadScript:
            raise
        except (Exception, SystemExit) as error:
            trace = short_traceback(error, filename, source=bot.source)
            raise Refusal(f"{filename} cannot be loaded: {trace}") from None
        self._log.text = ""  # it is loaded again for each play

    @property
    def log(self) -> str:
        return self._log.text

    def start(
        self, *, game: Game, seat: Seat, seats: int, options: Mapping[str, Any], luck: int
    ) -> None:
        with redirect_stdout(self._log):
            self._player.start(game=game, seat=seat, seats=seats, options=options, luck=luck)

    def decide(self, question: Question) -> Answer | Fault:
        with redirect_stdout(self._log):
            return self._player.decide(question)

    def end(self, result: Result) -> None:
        with redirect_stdout(self._log):
            self._player.end(result)
