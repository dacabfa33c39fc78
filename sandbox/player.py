"""A seat filled by a jailed bot: `engine.match.Player` over a `BotProcess`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Self

import msgspec

from engine import wire
from engine.game import Game, Limits, Result, Seat
from engine.match import Answer, Fault, Question
from sandbox import answer
from sandbox.languages import Language, of_file
from sandbox.pool import Launcher
from sandbox.process import MS, BotProcess

encode = msgspec.json.Encoder().encode


class JailedPlayer:
    """One seat's bot for all plays of a match; close it, or use it as a `with` block.

    A process serves one seat only: two seats of one bot must not share what they know. After a
    fault the process is gone, and the next play begins with a fresh one.
    """

    def __init__(
        self, source: str, filename: str, *, pool: Launcher, limits: Limits | None = None
    ) -> None:
        """`limits` stand in for the game's own."""
        self._source = source
        self._filename = filename
        self._language: Language = of_file(filename)
        self._pool = pool
        self._own_limits = limits
        self._limits = limits or Limits()
        self._process: BotProcess | None = None
        self._fault: Fault | None = None
        self._charged_ns = 0  # the process's CPU clock, up to where it has been charged
        self._left_ns = 0
        self._decision = 0
        self._ids: list[str] = []
        self._logs: list[str] = []
        self._peak_memory_mb = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The process that holds the bot now, if any does."""
        return self._process.pid if self._process else None

    @property
    def log(self) -> str:
        """What the bot printed in this match, the tail of each of its processes."""
        live = [self._process.log] if self._process else []
        return "\n".join(text for text in self._logs + live if text)

    @property
    def peak_memory_mb(self) -> float:
        """The most memory any of its processes held; complete once closed."""
        return self._peak_memory_mb

    def start(self, *, game: Game, seat: Seat, seats: int, options: Mapping[str, Any]) -> None:
        """Begin a play with a full bank; CPU burnt since the last answer is charged to it."""
        self._limits = self._own_limits or game.limits
        self._fault = None
        self._decision = 0
        self._left_ns = self._limits.bank_ms * MS
        if self._process is None or not self._process.alive:
            self._end_process()
            self._fault = self._load(game)
        if self._process is not None:
            self._process.tell(_line(wire.start(seat=seat, seats=seats, options=options)))

    def decide(self, question: Question) -> Answer | Fault:
        """Ask the bot; the CPU charged is all it used since its last answer."""
        if self._fault is None:
            reply = self._ask(question)
            if not isinstance(reply, Fault):
                return reply
            self._fault = reply
            self._end_process()
        return self._fault

    def end(self, result: Result) -> None:
        if self._process is not None:
            self._process.tell(_line(wire.end(result)))

    def close(self) -> None:
        """End the bot's process; waits until it is gone."""
        self._end_process()

    def _load(self, game: Game) -> Fault | None:
        process = self._pool.take(self._language, memory_mb=self._limits.memory_mb)
        self._process = process
        fault = process.load(
            self._source, filename=self._filename, game=game.slug, limits=self._limits
        )
        self._charged_ns = process.cpu_ns()
        if fault is not None:
            self._end_process()
        return fault

    def _ask(self, question: Question) -> Answer | Fault:
        process = self._process
        assert process is not None, "a play starts with a process or a fault"
        limits = self._limits
        self._decision += 1
        if self._decision == 1:  # all bots of this match are up: time to start the next one's
            self._pool.warm(self._language, memory_mb=limits.memory_mb)
        left = self._left_ns + limits.increment_ms * MS
        cpu_until = self._charged_ns + left
        now = process.cpu_ns()
        if now >= cpu_until:
            return self._overdrawn(now, left, question.kind)
        id = self._fresh_id()
        line = wire.decide(question, id=id, cpu_left_ms=(cpu_until - now) // MS)
        reply = process.ask(
            _line(line),
            what=f"decision {self._decision} ({question.kind})",
            cpu_until=cpu_until,
            wall_ns=(cpu_until - now) * limits.wall_factor + limits.wall_extra_ms * MS,
        )
        now = process.cpu_ns()
        if isinstance(reply, Fault):
            if reply.kind == "timeout" and now >= cpu_until:
                return self._overdrawn(now, left, question.kind, reply.detail)
            return reply
        if now >= cpu_until:
            return self._overdrawn(now, left, question.kind)
        spent = now - self._charged_ns
        self._left_ns = left - spent
        self._charged_ns = now
        action = answer.read(reply, id)
        return action if isinstance(action, Fault) else Answer(action, spent // 1000)

    def _fresh_id(self) -> str:
        """An id nobody can guess; random bytes are fetched for many of them at once."""
        if not self._ids:
            many = os.urandom(8 * 64).hex()
            self._ids = [many[at : at + 16] for at in range(0, len(many), 16)]
        return self._ids.pop()

    def _overdrawn(self, now: int, left: int, kind: str, detail: str | None = None) -> Fault:
        spent = (now - self._charged_ns) // MS
        sentence = (
            f"the bot ran out of CPU time at decision {self._decision} ({kind}): it had"
            f" {left // MS:,} ms left and used {spent:,} ms since its last answer"
        )
        return Fault("timeout", sentence, self.log if detail is None else detail)

    def _end_process(self) -> None:
        if self._process is None:
            return
        self._process.close()
        self._logs.append(self._process.log)
        self._peak_memory_mb = max(self._peak_memory_mb, self._process.peak_memory_mb)
        self._process = None


def _line(told: dict[str, Any]) -> bytes:
    return encode(told) + b"\n"
