"""A seat filled by a jailed bot: `engine.match.Player` over a `BotProcess`."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import msgspec

from engine import wire
from engine.game import Game, Limits, Result, Seat
from engine.match import Answer, Fault, Question
from engine.outcome import FaultKind
from sandbox import answer
from sandbox.errors import Starved
from sandbox.pool import Launcher
from sandbox.process import FUEL_PER_MS, MS, NET_FACTOR, NEVER, BotProcess
from sandbox.program import Program
from sandbox.table import Tablemates

log = logging.getLogger(__name__)
encode = msgspec.json.Encoder().encode


class Printed(NamedTuple):
    """What a bot printed during one decision; all are counted from one, loading is decision 0."""

    play: int
    seat: int
    decision: int
    text: str


class JailedPlayer:
    """One seat's bot for all plays of a match; close it, or use it as a `with` block.

    Each play has a process of its own, which loads the bot again and serves one seat only: nothing
    that a bot knows passes from play to play, nor from seat to seat.
    """

    def __init__(
        self,
        program: Program,
        *,
        pool: Launcher,
        limits: Limits | None = None,
        table: Tablemates | None = None,
    ) -> None:
        """`limits` stand in for the game's own; `table` is shared by the players of a match."""
        self._program = program
        self._language = program.language
        self._pool = pool
        self._table = table or Tablemates()
        self._table.seat(self)
        self._own_limits = limits
        self._limits = limits or Limits()
        self._process: BotProcess | None = None
        self._fault: Fault | None = None
        self._charged_ns = 0  # the process's CPU clock, up to where it has been charged
        self._left_ns = 0
        self._left_fuel = 0
        self._net_until_ns = 0  # a reading of its CPU clock, where its time is fuel
        self._wall_left_ns = 0
        self.waited_ns = 0  # for its answers, in this play
        self._decision = 0
        self._play = 0
        self._ids: list[str] = []
        self._seat = 0
        self._logs: list[tuple[int, str]] = []
        self.printed: list[Printed] = []  # of the plays that have ended
        self._peak_memory_mb = 0.0
        self._sleep_left_ns = NEVER  # in this match
        self.has_excuses = True  # whether its lateness can be this machine's fault
        self.was_starved = False

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
        """What the bot printed in this match, play by play, the tail of each."""
        live = [(self._play, self._process.log)] if self._process else []
        lines = [(play, text) for play, text in self._logs + live if text]
        if self._play < 2:
            return "".join(text for _, text in lines)
        return "\n".join(f"[play {play}]\n{text}" for play, text in lines)

    @property
    def peak_memory_mb(self) -> float:
        """The most memory any of its processes held; complete once closed."""
        return self._peak_memory_mb

    def start(
        self, *, game: Game, seat: Seat, seats: int, options: Mapping[str, Any], luck: int = 0
    ) -> None:
        """Begin a play with a fresh process and a full bank."""
        self._table.begin_play()
        self._end_process()
        self._limits = self._own_limits or game.limits
        self._decision = 0
        self.waited_ns = 0
        self._seat = seat
        self._play += 1
        self._left_ns = self._limits.bank_ms * MS
        self._left_fuel = self._limits.bank_ms * FUEL_PER_MS
        self._wall_left_ns = self._limits.wall_ms(self._limits.bank_ms * self._net_factor) * MS
        try:
            self._fault = self._load(game, luck)
        except Starved:
            self.was_starved = True
            raise
        if self._process is not None:
            started = wire.start(seat=seat, seats=seats, options=options, luck=luck)
            self._process.tell(self._with_fuel(_line(started)))

    def decide(self, question: Question) -> Answer | Fault:
        """Ask the bot; the CPU charged is all it used since its last answer."""
        self._table.is_under_way = True
        if self._fault is None:
            try:
                ask = self._ask_by_fuel if self._language.has_fuel else self._ask
                reply = ask(question)
            except Starved:
                self.was_starved = True
                raise
            if not isinstance(reply, Fault):
                return reply
            self._fault = reply
            self._end_process()
            self._note_fault(reply)
        return self._fault

    def end(self, result: Result) -> None:
        if self._process is not None:
            self._sleep_left_ns -= self._process.slept_ns()
            self._process.end(self._with_fuel(_line(wire.end(result))))

    def close(self) -> None:
        """End the bot's process; waits until it is gone."""
        self._end_process()

    leave = close

    def _load(self, game: Game, luck: int) -> Fault | None:
        self._table.beat()
        limits = self._limits
        code = self._pool.code(self._program, limits, self._table)
        if isinstance(code, Fault):
            return code
        process = self._pool.take(
            self._language,
            memory_mb=limits.memory_mb,
            modules=self._program.modules,
            folder=self._pool.folder(self._program),
        )
        self._process = process
        process.has_excuses = self.has_excuses
        process.sleep_left_ns = self._sleep_left_ns = min(self._sleep_left_ns, limits.sleep_ms * MS)
        fault = process.load(
            self._program,
            game=game.slug,
            limits=limits,
            luck=luck,
            code=code,
            table=self._table,
        )
        self._charged_ns = process.cpu_ns()
        self._net_until_ns = self._charged_ns + limits.bank_ms * NET_FACTOR * MS
        if fault is not None:
            self._end_process()
            self._note_fault(fault)
        return fault

    def _note_fault(self, fault: Fault) -> None:
        """For the log of whoever runs bots; whoever calls binds the match it is about."""
        where = {"play": self._play, "seat": self._seat + 1, "decision": self._decision}
        log.info("bot fault", extra={**where, "kind": fault.kind, "sentence": fault.sentence})

    def _ask(self, question: Question) -> Answer | Fault:
        process = self._process
        assert process is not None, "a play starts with a process or a fault"
        limits = self._limits
        self._decision += 1
        left = self._left_ns + limits.increment_ms * MS
        cpu_until = self._charged_ns + left
        now = process.cpu_ns()
        if now >= cpu_until:
            return self._overdrawn(now, left, question.kind)
        id = self._fresh_id()
        line = wire.decide(question, id=id, cpu_left_ms=(cpu_until - now) // MS)
        self._wall_left_ns += limits.increment_ms * limits.wall_factor * MS
        process.decision = self._decision
        reply = process.ask(
            _line(line),
            what=f"decision {self._decision} ({question.kind})",
            cpu_until=cpu_until,
            wall_ns=self._wall_left_ns,
        )
        self._wall_left_ns -= process.waited_ns
        self.waited_ns += process.waited_ns
        now = process.cpu_ns()
        if isinstance(reply, Fault):
            if reply.kind is FaultKind.TIMEOUT and now >= cpu_until:
                return self._overdrawn(now, left, question.kind, reply.detail)
            return reply
        if now >= cpu_until:
            return self._overdrawn(now, left, question.kind)
        spent = now - self._charged_ns
        self._left_ns = left - spent
        self._charged_ns = now
        action = answer.read(reply, id)
        return action if isinstance(action, Fault) else Answer(action, spent // 1000)

    def _ask_by_fuel(self, question: Question) -> Answer | Fault:
        """Ask a bot whose time is counted in instructions, so that a play repeats exactly.

        All it receives is the same in every such play, ids too: what it writes ahead of a question
        is no answer, since its shim sees to that.
        """
        process = self._process
        assert process is not None, "a play starts with a process or a fault"
        limits = self._limits
        self._decision += 1
        self._left_fuel += limits.increment_ms * FUEL_PER_MS
        left = self._left_fuel
        id = f"{self._decision:016x}"
        line = wire.decide(question, id=id, cpu_left_ms=left // FUEL_PER_MS)
        self._net_until_ns += limits.increment_ms * NET_FACTOR * MS
        self._wall_left_ns += limits.increment_ms * NET_FACTOR * limits.wall_factor * MS
        process.decision = self._decision
        reply = process.ask(
            self._with_fuel(_line(line)),
            what=f"decision {self._decision} ({question.kind})",
            cpu_until=self._net_until_ns,
            wall_ns=self._wall_left_ns,
        )
        self._wall_left_ns -= process.waited_ns
        self.waited_ns += process.waited_ns
        if isinstance(reply, Fault):
            return reply
        fuel, _, text = reply.partition(b" ")
        used = int(fuel) if fuel.isdigit() and len(fuel) < 20 else left + 1
        if used > left:  # its shim would have ended it: nothing it says is believed
            return Fault(FaultKind.PROTOCOL, "the bot's shim was tampered with", self.log)
        self._left_fuel = left - used
        action = answer.read(text, id)
        return action if isinstance(action, Fault) else Answer(action, used * 1000 // FUEL_PER_MS)

    @property
    def _net_factor(self) -> int:
        """How many ms of CPU its nets allow for one of its own time."""
        return NET_FACTOR if self._language.has_fuel else 1

    def _with_fuel(self, line: bytes) -> bytes:
        """A line as the bot's shim wants it: with the fuel it may use, where that is its time."""
        return b"%d %b" % (self._left_fuel, line) if self._language.has_fuel else line

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
        return Fault(FaultKind.TIMEOUT, sentence, self.log if detail is None else detail)

    def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.finish()
        self._logs.append((self._play, process.log))
        for decision, text in process.printed:
            self.printed.append(Printed(self._play, self._seat + 1, decision, text))
        self._peak_memory_mb = max(self._peak_memory_mb, process.peak_memory_mb)


def _line(data: dict[str, Any]) -> bytes:
    return encode(data) + b"\n"
