"""A seat held by another program: it reads questions from our output and answers to our input."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any, BinaryIO

from engine import wire
from engine.game import Game, Result, Seat
from engine.match import Answer, Fault, Question
from engine.outcome import FaultKind
from sandbox.answer import read

LONGEST_LINE = 1 << 20


class StdioPlayer:
    """A player over two streams, by the wire of `engine.wire`. It has all the time it wants.

    The first line is `start`, with `protocol` and `game` in it: there is no file to load, so
    there is no `hello`.
    """

    log = ""

    def __init__(self, questions: BinaryIO, answers: BinaryIO) -> None:
        self._questions = questions
        self._answers = answers
        self._bank_ms = 0

    def start(
        self, *, game: Game, seat: Seat, seats: int, options: Mapping[str, Any], luck: int
    ) -> None:
        self._bank_ms = game.limits.bank_ms  # what a bot has at least; nobody counts here
        line = wire.start(seat=seat, seats=seats, options=options, luck=luck)
        self._say(line | {"protocol": wire.PROTOCOL, "game": game.slug})

    def decide(self, question: Question) -> Answer | Fault:
        id = secrets.token_hex(8)
        line = wire.decide(question, id=id, cpu_left_ms=self._bank_ms)
        if not self._say(line):
            return Fault(FaultKind.CRASH, "the program has closed its input")
        answer = self._answers.readline(LONGEST_LINE)
        if not answer.endswith(b"\n"):
            return Fault(FaultKind.CRASH, "the program has ended without an answer")
        action = read(answer.rstrip(b"\r\n"), id)
        return action if isinstance(action, Fault) else Answer(action)

    def end(self, result: Result) -> None:
        self._say(wire.end(result))

    def _say(self, line: dict[str, Any]) -> bool:
        """Whether somebody was there to read it."""
        try:
            self._questions.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
            self._questions.flush()
        except BrokenPipeError:
            return False
        return True
