"""A bot in a plain child process on systems without the sandbox: no jail, no limit but the clock.

It asks nothing of the system but processes and pipes. Where there is Linux, `sandbox.plain` has
limits of CPU time and memory besides.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Timer
from typing import IO, Any, Self

import msgspec

from engine import wire
from engine.game import Game, Limits, Result, Seat
from engine.match import Answer, Fault, Question
from engine.outcome import FaultKind
from sandbox import answer, jail
from sandbox.process import FUEL_PER_MS, NET_FACTOR
from sandbox.program import Program

END_S = 1.0  # for a script's `end`
LOG_BYTES = 16384


class ChildPlayer:
    """One seat's bot; each play has a process of its own, which loads the bot again."""

    peak_memory_mb = 0.0  # no system agrees on how to ask

    def __init__(self, program: Program) -> None:
        self._program = program
        self._stack = ExitStack()  # of the play under way
        self._process: subprocess.Popen[bytes] | None = None
        self._output: IO[bytes] | None = None
        self._fault: Fault | None = None
        self._limits = Limits()
        self._wall_left_s = 0.0
        self._fuel = 0
        self._decision = 0
        self._net_factor = 1
        self.log = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def start(
        self, *, game: Game, seat: Seat, seats: int, options: Mapping[str, Any], luck: int
    ) -> None:
        self.close()
        self._limits = game.limits
        self._decision = 0
        self._net_factor = NET_FACTOR if self._program.language.has_fuel else 1
        self._wall_left_s = self._limits.wall_ms(self._limits.bank_ms * self._net_factor) / 1000
        self._fuel = self._limits.bank_ms * FUEL_PER_MS
        folder = self._unpacked()
        self._process = self._started(folder)
        hello = wire.hello(
            id=os.urandom(8).hex(),
            game=game.slug,
            luck=luck,
            source=self._program.on_the_wire,
            filename=self._program.entry,
            folder=folder if self._program.bundle else "",
        )
        self._fault = None
        begun = self._line()  # the shim is up
        loaded = begun if isinstance(begun, Fault) else self._asked(hello)
        if isinstance(loaded, Fault):
            self._fault = loaded
        else:
            self._tell(wire.start(seat=seat, seats=seats, options=options, luck=luck))

    def decide(self, question: Question) -> Answer | Fault:
        """Ask the bot; what is charged is fuel, or time on the wall: no system agrees on another.

        A module of WebAssembly reads what it does in the sandbox, so it does the same.
        """
        if self._fault is not None:
            return self._fault
        limits = self._limits
        self._wall_left_s += limits.increment_ms * self._net_factor * limits.wall_factor / 1000
        self._fuel += limits.increment_ms * FUEL_PER_MS
        self._decision += 1
        has_fuel, before = self._program.language.has_fuel, self._fuel
        id = f"{self._decision:016x}" if has_fuel else os.urandom(8).hex()
        left_ms = before // FUEL_PER_MS if has_fuel else limits.bank_ms
        began = time.monotonic_ns()
        reply = self._asked(wire.decide(question, id=id, cpu_left_ms=left_ms))
        spent = time.monotonic_ns() - began
        self._wall_left_s -= spent / 10**9
        action = reply if isinstance(reply, Fault) else answer.read(reply, id)
        if isinstance(action, Fault):
            self._fault = action
            self.close()
            return action
        if has_fuel:
            return Answer(action, (before - self._fuel) * 1000 // FUEL_PER_MS)
        return Answer(action, spent // 1000)

    def end(self, result: Result) -> None:
        if self._process is not None and self._fault is None:
            self._tell(wire.end(result))
            with suppress(OSError, subprocess.TimeoutExpired):
                assert self._process.stdin is not None
                self._process.stdin.close()
                self._process.wait(END_S)

    def close(self) -> None:
        """End the bot's process and forget its files."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            self._read_log()
        self._stack.close()

    def _unpacked(self) -> str:
        """A folder of the play's own, with the files of a bundle."""
        folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="ladle-"))
        for name, content in (self._program.bundle.files if self._program.bundle else {}).items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return folder

    def _started(self, folder: str) -> subprocess.Popen[bytes]:
        language, memory_mb = self._program.language, self._limits.memory_mb
        words, environment = jail.unconfined(language, memory_mb=memory_mb)
        output = tempfile.TemporaryFile()  # noqa: SIM115 - the stack closes it
        self._output = self._stack.enter_context(output)
        process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._output,
            cwd=folder,
            env=environment,
        )
        assert process.stdin is not None and process.stdout is not None
        self._stack.callback(process.stdout.close)
        self._stack.callback(_close, process.stdin)
        return process

    def _asked(self, line: dict[str, Any]) -> bytes | Fault:
        self._tell(line)
        reply = self._line()
        if isinstance(reply, Fault) or not self._program.language.has_fuel:
            return reply
        used, _, text = reply.partition(b" ")
        if line["type"] == "decide":
            self._fuel -= int(used)
        return text

    def _tell(self, line: dict[str, Any]) -> None:
        assert self._process is not None and self._process.stdin is not None
        data = msgspec.json.encode(line) + b"\n"
        if self._program.language.has_fuel:
            data = b"%d %b" % (self._fuel, data)
        with suppress(OSError):  # a bot that is gone is found out when its answer is due
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def _line(self) -> bytes | Fault:
        """The bot's next line, or how it failed to write one."""
        process = self._process
        assert process is not None and process.stdout is not None
        late = Timer(max(0.0, self._wall_left_s), process.kill)
        late.start()
        try:
            line = process.stdout.readline(self._limits.line_bytes + 1)
        finally:
            is_late = not late.is_alive()
            late.cancel()
        if line.endswith(b"\n"):
            return line[:-1]
        if not line and not is_late:
            with suppress(subprocess.TimeoutExpired):  # it may still write why it ends
                process.wait(END_S)
        process.kill()
        status = process.wait()
        self._read_log()
        if is_late:
            return Fault(FaultKind.TIMEOUT, "the bot's wall clock ran out", self.log)
        if line:
            return Fault(FaultKind.OUTPUT, "the bot's line has no end", self.log)
        return Fault(FaultKind.CRASH, f"the bot's process ended with status {status}", self.log)

    def _read_log(self) -> None:
        if self._output is not None and not self._output.closed:
            size = self._output.seek(0, os.SEEK_END)
            self._output.seek(max(0, size - LOG_BYTES))
            self.log = self._output.read().decode("utf-8", "replace")


def _close(pipe: IO[bytes]) -> None:
    with suppress(OSError):  # what was not read is of no use to anybody
        pipe.close()
