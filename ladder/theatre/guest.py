"""A bot that runs elsewhere: in a tab, one that nobody trusts is asked in a frame of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from engine import wire
from engine.game import Game, Result, Seat
from engine.match import LONGEST_DETAIL, Answer, Fault, Question
from engine.outcome import FaultKind

LONGEST_ACTION = 1000
LONGEST_WORDS = 200


class Guest:
    """Its seat at the table: it is sent what a jailed bot gets, and its replies are judged here.

    A message has the `start` of the play and the `line` that the bot is to hear now, as JSON;
    `is_new` says that the play has just begun, so that the bot has to be loaded again.
    """

    def __init__(self) -> None:
        self.printed: dict[int, str] = {}  # by decision; what it prints while loading is at 0
        self._seat = 0
        self._start = ""
        self._is_new = True
        self._decision = 0
        self._room = 0  # for what it prints
        self._cpu_left_ms = 0.0
        self._increment_ms = 0

    def start(
        self, *, game: Game, seat: Seat, seats: int, options: Mapping[str, Any], luck: int
    ) -> None:
        self.printed = {}
        self._seat, self._decision, self._is_new = seat, 0, True
        self._start = json.dumps(wire.start(seat=seat, seats=seats, options=options, luck=luck))
        self._room = game.limits.log_bytes
        self._cpu_left_ms = game.limits.bank_ms
        self._increment_ms = game.limits.increment_ms

    def ask(self, question: Question) -> dict[str, Any]:
        """The message to send; `take` reads what it brings."""
        self._decision += 1
        self._cpu_left_ms += self._increment_ms
        line = wire.decide(question, id=str(self._decision), cpu_left_ms=int(self._cpu_left_ms))
        return self._message(line)

    def take(self, reply: Mapping[str, Any]) -> Answer | Fault:
        """What the bot answered, or what it did wrong. Nothing in a reply is believed."""
        self._is_new = False
        self._note(0, reply.get("loading"))
        self._note(self._decision, reply.get("printed"))
        if "stopped" in reply:
            return Fault(FaultKind(reply["kind"]), reply["stopped"])
        if "raised" in reply:
            words, detail = _text(reply["raised"], LONGEST_WORDS), _text(reply.get("detail"))
            return Fault(FaultKind.CRASH, f"the bot raised {words}", detail)
        action, spent_us = reply.get("action"), reply.get("cpu_us")
        if not isinstance(action, str):
            shown = json.dumps(action)[:LONGEST_WORDS]
            return Fault(FaultKind.PROTOCOL, f"the bot returned {shown}; an action is a text")
        if len(action) > LONGEST_ACTION:
            sentence = f"the action has {len(action)} characters; no action is that long"
            return Fault(FaultKind.PROTOCOL, sentence)
        spent = spent_us if isinstance(spent_us, int) and 0 <= spent_us < 10**9 else 0
        self._cpu_left_ms -= spent / 1000
        return Answer(action, spent)

    def end(self, result: Result) -> None:
        """It learns of the end by `farewell`, for which nobody has to wait."""

    def farewell(self, result: Result) -> dict[str, Any]:
        """The message that the play is over."""
        return self._message(wire.end(result))

    def _message(self, line: dict[str, Any]) -> dict[str, Any]:
        return {
            "player": self._seat,
            "start": self._start,
            "is_new": self._is_new,
            "line": json.dumps(line),
        }

    def _note(self, decision: int, text: Any) -> None:
        kept = _text(text, self._room)
        self._room -= len(kept)
        if kept:
            self.printed[decision] = self.printed.get(decision, "") + kept


def _text(given: Any, longest: int = LONGEST_DETAIL) -> str:
    return given[:longest] if isinstance(given, str) else ""
