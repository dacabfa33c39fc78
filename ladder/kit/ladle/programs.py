"""Programs of one's own as remote bots: one process per play, by the wire of the sandbox."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from ladle.errors import Refusal
from ladle.remote import Line, Seat

END_S = 2.0  # for a program to leave by itself after the end
Told = Callable[[Line], None]


class Programs:
    """Answers a seat's decisions with one process of the command for each play."""

    def __init__(self, seat: Seat, command: Sequence[str], told: Told) -> None:
        self._seat = seat
        self._command = list(command)
        self._told = told
        self._plays: dict[int, Program] = {}
        self._is_draining = False

    def run(self) -> None:
        """Play until the seat is stopped."""
        try:
            for line in self._seat.lines():
                if line["type"] == "decide":
                    self._ask(line)
                elif line["type"] == "end":
                    self._end(line)
                else:
                    self._told(line)
                if self._is_draining and not self._plays:
                    return
        finally:
            for program in self._plays.values():
                program.close()

    def drain(self) -> bool:
        """Leave once the plays under way are over; False where there are none."""
        self._is_draining = True
        return bool(self._plays)

    def _ask(self, line: Line) -> None:
        play = line["play"]
        if play not in self._plays:
            if self._is_draining:
                return  # a play that begins now is left alone
            self._plays[play] = Program(self._command, line["start"])
        program = self._plays[play]
        # A thread of its own: other plays go on while this one thinks.
        threading.Thread(target=self._answer, args=(program, line), daemon=True).start()

    def _answer(self, program: Program, line: Line) -> None:
        try:
            action = program.decide(line)
        except (OSError, ValueError) as error:
            self._told({"type": "failed", "play": line["play"], "why": str(error)})
            return
        outcome = self._seat.answer(line["id"], action)
        self._told(
            {
                "type": "answered",
                "play": line["play"],
                "number": line["number"],
                "action": action,
                "is_taken": outcome.is_taken,
                "why": outcome.detail,
            }
        )

    def _end(self, line: Line) -> None:
        program = self._plays.pop(line["play"], None)
        if program is not None:
            program.end(line)
        self._told(line)


class Program:
    """One process for one play: `start` first, then a line for each decision."""

    def __init__(self, command: Sequence[str], start: Line) -> None:
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise Refusal(f"'{command[0]}' cannot be started: {error.strerror}.") from None
        self._lock = threading.Lock()
        self._say(start)

    def decide(self, line: Line) -> str:
        """The program's answer; ValueError says what is wrong with it."""
        with self._lock:
            asked = {name: value for name, value in line.items() if name != "start"}
            self._say(asked)
            assert self._process.stdout is not None
            while True:
                text = self._process.stdout.readline()
                if not text:
                    raise ValueError("the program ended without an answer")
                said: Any = json.loads(text)
                if not isinstance(said, dict) or not isinstance(said.get("action"), str):
                    raise ValueError('the program wrote a line that is no {"id", "action"}')
                if said.get("id") == line["id"]:  # else an answer that came too late
                    action: str = said["action"]
                    return action

    def end(self, line: Line) -> None:
        with suppress(OSError):
            self._say(line)
        self.close()

    def close(self) -> None:
        with suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _say(self, line: Line) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        self._process.stdin.flush()
