"""A bot's process, seen from outside: questions in, lines out, every wait with a deadline."""

from __future__ import annotations

import os
import select
import signal
import time
from contextlib import suppress
from itertools import pairwise
from typing import Any, Self

import msgspec

from engine import wire
from engine.game import Limits
from engine.match import Fault
from engine.outcome import FaultKind
from sandbox import verdict
from sandbox.errors import SandboxError, Starved
from sandbox.languages import Language
from sandbox.program import Program
from sandbox.spawn import Spawned
from sandbox.table import Tablemates
from sandbox.verdict import scheduling

READY_TIMEOUT_NS = 60 * 10**9  # for the interpreter alone, so only a choking machine reaches it
GONE_TIMEOUT_S = 2
KILLED_TIMEOUT_S = 30
END_S = 0.25  # for a script's `end`
FLOOD_FACTOR = 64  # a bot may print this many times what its log keeps
CHUNK = 65536
FIRST_PAUSE_MS = 20  # before a decision counts as a long one
LOOK_MS = 100  # between two looks at its clocks and its memory
LOOK_EVERY = 16  # quick answers, for its memory
WORTH_A_LOOK_NS = 50 * 10**6
NEVER = 2**62
SPARE_MB = 64  # beyond the limit on writable memory: code, and pages that the fork copied
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
MS = 10**6
FUEL_PER_MS = 10**7  # what stands for a millisecond where time is counted in instructions
NET_FACTOR = 8  # CPU time to each millisecond of fuel: an empty loop takes six, usual code less


class BotProcess:
    """One process that serves one bot for one play; a `with` block ends it.

    It starts empty and trusted; its limits hold by then, and only `load` hands it the bot.
    """

    def __init__(
        self, spawned: Spawned, language: Language, *, is_up: bool = False, folder: str = ""
    ) -> None:
        """`is_up` where the shim need not say that it has started; `folder` is a bundle's."""
        self._spawned = spawned
        self._language = language
        self._is_up = is_up
        self._folder = folder
        self._clock = (~spawned.pid << 3) | 2  # the kernel's name for "CPU time of that process"
        self._cpu_ns = 0
        self._stdin, self._stdout, self._stderr = spawned.stdin, spawned.stdout, spawned.stderr
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)
        self._cores = len(os.sched_getaffinity(0))
        self._limits = Limits()
        self._longest_line = self._limits.line_bytes
        self._outbox = b""
        self._stuck = False  # the pipe of questions is full, and `ask` waits for room
        self._inbox = bytearray()
        self._log = bytearray()
        self._logged = 0
        self.decision = 0  # the one now asked: what it prints belongs to it
        self._marks: list[tuple[int, int]] = []  # (bytes printed before, decision), rising
        self._status: int | None = None
        self._table = Tablemates()
        self.waited_ns = 0  # for its last answer
        self.sleep_left_ns = NEVER  # of the match's budget
        self._idle_ns = 0  # waited for without using the processor, whoever was to blame
        self._delayed_before = 0
        self._asks = 0
        self._last_line_at = 0.0
        self.has_excuses = True  # whether lateness can be this machine's fault
        self.peak_memory_mb = 0.0  # known once closed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        return self._spawned.pid

    @property
    def pidfd(self) -> int:
        """For signals that cannot reach another process by mistake; valid while it is alive."""
        return self._spawned.pidfd

    @property
    def alive(self) -> bool:
        return self._status is None

    @property
    def log(self) -> str:
        """The tail of what the bot printed."""
        text = verdict.readable(bytes(self._log))
        lost = self._logged - len(self._log)
        return f"[{lost} bytes of earlier output are not kept]\n{text}" if lost else text

    @property
    def printed(self) -> list[tuple[int, str]]:
        """What is saved of what it printed, by decision; 0 is before the first."""
        lost = self._logged - len(self._log)
        starts = [max(0, before - lost) for before, _ in self._marks]
        parts = zip(self._marks, pairwise([*starts, len(self._log)]), strict=True)
        return [
            (decision, verdict.readable(bytes(self._log[start:end])))
            for (_, decision), (start, end) in parts
            if start < end
        ]

    def cpu_ns(self) -> int:
        """CPU time of all its threads so far; the last known value once it is gone."""
        try:  # noqa: SIM105  # `suppress` costs as much as the clock
            self._cpu_ns = time.clock_gettime_ns(self._clock)
        except OSError:
            pass
        return self._cpu_ns

    def compile(self, program: Program, *, limits: Limits, table: Tablemates) -> str | Fault | None:
        """The program's code for other processes to load; None when it is too large to send."""
        source, filename = program.on_the_wire, program.entry
        reply = self._ask_at_start(
            {"type": "compile", "id": "", "source": source, "filename": filename},
            limits=limits,
            table=table,
            longest_line=self._language.largest_code,
        )
        if isinstance(reply, Fault):
            if reply.kind is FaultKind.OUTPUT:
                return self._too_large_when_compiled() if self._language.keeps_code else None
            return reply
        try:
            code = msgspec.json.decode(reply, type=dict[str, str])["code"]
        except (msgspec.MsgspecError, KeyError, UnicodeDecodeError):
            return Fault(FaultKind.PROTOCOL, "the bot's file cannot be compiled in peace")
        return code

    def load(
        self,
        program: Program,
        *,
        game: str,
        limits: Limits,
        luck: int = 0,
        code: str | None = None,
        table: Tablemates | None = None,
    ) -> Fault | None:
        """Send the bot's program and wait until it says it is ready."""
        hello = wire.hello(
            id=os.urandom(8).hex(),
            game=game,
            luck=luck,
            source="" if code and self._language.keeps_code else program.on_the_wire,
            filename=program.entry,
            code=code,
            folder=self._folder,
        )
        reply = self._ask_at_start(hello, limits=limits, table=table or Tablemates())
        if isinstance(reply, Fault):
            return reply
        if self._language.has_fuel:
            reply = reply.partition(b" ")[2]
        if reply != b'{"id":"%b"}' % hello["id"].encode():
            return Fault(
                FaultKind.PROTOCOL, "the bot wrote to the pipe of its answers while loading"
            )
        return None

    def _ask_at_start(
        self,
        line: dict[str, Any],
        *,
        limits: Limits,
        table: Tablemates,
        longest_line: int = 0,
    ) -> bytes | Fault:
        """Ask for the first time."""
        self._table = table
        table.join(self)
        self._limits = limits
        if not self._is_up:
            self._await_shim()
            self._idle_ns = 0
        self.sleep_left_ns = min(self.sleep_left_ns, limits.sleep_ms * MS)
        self._delayed_before = scheduling.own_delay_ns()
        self._longest_line = longest_line or limits.line_bytes
        data = msgspec.json.encode(line) + b"\n"
        if self._language.has_fuel:
            fuel = limits.start_cpu_ms * FUEL_PER_MS // NET_FACTOR
            data = b"%d %b" % (fuel, data)
        reply = self.ask(
            data,
            what="loading",
            cpu_until=self.cpu_ns() + limits.start_cpu_ms * MS,
            wall_ns=limits.wall_ms(limits.start_cpu_ms) * MS,
        )
        self._longest_line = limits.line_bytes
        return reply

    def tell(self, line: bytes) -> bool:
        """Send a line; what does not fit the pipe goes later. False when the bot is not there."""
        assert self._status is None, "its pipes are closed; their numbers may be others' by now"
        self._outbox = self._outbox + line if self._outbox else line
        return self._flush()

    def ask(self, line: bytes, *, what: str, cpu_until: int, wall_ns: int) -> bytes | Fault:
        """The bot's next line without its end, or its fault.

        `cpu_until` is a reading of its CPU clock, `wall_ns` a duration that only guards against
        a bot that sleeps; SandboxError when it was this machine that slept.
        """
        began, before = time.monotonic_ns(), self._cpu_ns
        reply = self._answer(line, what, cpu_until, wall_ns)
        self.waited_ns = time.monotonic_ns() - began
        if self.waited_ns > MS:
            self._idle_ns += max(0, self.waited_ns - self.cpu_ns() + before)
            if isinstance(reply, bytes) and self._idle_ns > self.sleep_left_ns:
                return self._overslept(what, self._idle_ns) or reply
        self._asks += 1
        if self._asks % LOOK_EVERY == 0 and isinstance(reply, bytes):
            return self._holds_too_much(what) or reply
        return reply

    def _answer(self, line: bytes, what: str, cpu_until: int, wall_ns: int) -> bytes | Fault:
        if line and not self.tell(line):
            return self._deaf(what)
        pause = (cpu_until - self._cpu_ns) // self._cores // MS + 1
        events = self._poll.poll(pause if pause < FIRST_PAUSE_MS else FIRST_PAUSE_MS)
        if len(events) == 1 and events[0][0] == self._stdout:
            answer = self._take_line(what)
            if answer is not None:
                return answer  # most answers come this way, and pay for nothing below
        return self._wait(what, cpu_until, wall_ns)

    def _wait(self, what: str, cpu_until: int, wall_ns: int) -> bytes | Fault:
        """Go on waiting for the line, with an eye on every clock and the others kept still."""
        with self._table.only(self):
            return self._watch(what, cpu_until, wall_ns)

    def _watch(self, what: str, cpu_until: int, wall_ns: int) -> bytes | Fault:
        began, before = time.monotonic_ns(), self._cpu_ns
        while True:
            left = cpu_until - self.cpu_ns()
            if left <= 0:
                return self._used_up(what)
            now = time.monotonic_ns() - began
            if now > wall_ns:
                answer = self._take_line(what)  # it may have come while we were kept waiting
                idle = now - self._cpu_ns + before
                return self._late(what, self._idle_ns + idle) if answer is None else answer
            idle = now - self._cpu_ns + before
            if self._idle_ns + idle > self.sleep_left_ns:
                fault = self._overslept(what, self._idle_ns + idle)
            else:
                fault = self._holds_too_much(what)
            if fault is not None:
                return fault
            # However many threads it has, it cannot use up the rest before this.
            pause = min(min(left // self._cores, wall_ns - now) // MS + 1, LOOK_MS)
            self._table.beat()
            # What it printed comes before its answer, and is read before it.
            for fd, _ in sorted(self._poll.poll(pause), key=self._is_no_print):
                if fd == self._stdout:
                    answer = self._take_line(what)
                    if answer is not None:
                        return answer
                elif fd == self._stderr:
                    if self._drain():
                        return self._flooded(what)
                elif not self._flush():
                    return self._deaf(what)

    def _is_no_print(self, event: tuple[int, int]) -> bool:
        return event[0] != self._stderr

    def end(self, line: bytes) -> None:
        """Send the last line; there is nothing more to come."""
        if self.tell(line) and not self._stuck:
            os.close(self._stdin)
            self._stdin = -1
            self._last_line_at = time.monotonic()

    def finish(self) -> None:
        """End the process; one that was sent its last line has a moment to end by itself."""
        if self._status is None and self._stdin < 0:
            left = self._last_line_at + END_S - time.monotonic()
            if self._await_end(left):
                self._reap()
        self.close()

    def close(self) -> None:
        """End the process and everything it started; waits until it is gone."""
        if self._status is not None:
            return
        self._spawned.kill()
        self._reap()

    def _too_large_when_compiled(self) -> Fault:
        size = f"{self._language.largest_code * 3 // 4:,} bytes"
        return Fault(FaultKind.CRASH, f"the bot's file makes over {size} of code when compiled")

    def _await_shim(self) -> None:
        """Until the shim is up, whatever goes wrong is ours."""
        reply = self.ask(b"", what="starting", cpu_until=2**63, wall_ns=READY_TIMEOUT_NS)
        if isinstance(reply, Fault):
            raise SandboxError(f"the {self._language.name} runtime does not start: {reply.detail}")

    def _flush(self) -> bool:
        """Write what is waiting; False when the bot has closed its end."""
        try:
            sent = os.write(self._stdin, self._outbox)
        except BlockingIOError:
            sent = 0
        except BrokenPipeError:
            return False
        self._outbox = self._outbox[sent:]
        if self._outbox:
            self._poll.register(self._stdin, select.POLLOUT)
            self._stuck = True
        elif self._stuck:
            self._poll.unregister(self._stdin)
            self._stuck = False
        return True

    def _take_line(self, what: str) -> bytes | Fault | None:
        """A whole line or a fault, or None while the line is not complete."""
        try:
            chunk = os.read(self._stdout, CHUNK)
        except BlockingIOError:
            return None
        if not chunk:
            return self._gone(what)
        before = len(self._inbox)
        end = chunk.find(b"\n")
        end = before + end if end >= 0 else end
        size = before + len(chunk)
        if end == size - 1 and end <= self._longest_line:
            if not before:
                return chunk[:-1]
            line = bytes(self._inbox) + chunk[:-1]
            self._inbox.clear()
            return line
        if end < 0 and size <= self._longest_line:
            self._inbox += chunk  # in place: compiled code comes as one line of megabytes
            return None
        if end > self._longest_line or end < 0:
            most = f"{self._longest_line:,} bytes"
            return self._end_with(
                FaultKind.OUTPUT, f"the bot wrote an answer of over {most} during {what}"
            )
        return self._end_with(
            FaultKind.PROTOCOL, f"the bot wrote more than one answer during {what}"
        )

    def _drain(self) -> bool:
        """Read what the bot printed; True when it is a flood."""
        try:
            chunk = os.read(self._stderr, CHUNK)
        except BlockingIOError:
            return False
        if not chunk:
            with suppress(KeyError):  # its end is read again when the process is reaped
                self._poll.unregister(self._stderr)
        if chunk and (not self._marks or self._marks[-1][1] != self.decision):
            self._marks.append((self._logged, self.decision))
        self._logged += len(chunk)
        self._log += chunk
        del self._log[: -self._limits.log_bytes]
        return self._is_flooded()

    def _is_flooded(self) -> bool:
        return self._logged > FLOOD_FACTOR * self._limits.log_bytes

    def _gone(self, what: str, closed: str = "output") -> Fault:
        """A pipe is closed: the bot is dead, or about to be, or will not talk any more."""
        if not self._await_end(GONE_TIMEOUT_S):
            if self._is_flooded():
                return self._flooded(what)
            return self._end_with(FaultKind.PROTOCOL, f"the bot closed its {closed} during {what}")
        self._reap()
        assert self._status is not None
        if self._status == -signal.SIGKILL and not self._spawned.can_kill_itself:
            raise SandboxError(
                f"a bot's process was killed from outside during {what};"
                " this machine may be short of memory"
            )
        return verdict.of_death(self.pid, self._status, self.log, what)

    def _await_end(self, seconds: float) -> bool:
        """Wait for its end and read its log meanwhile, without which it might not come."""
        until = time.monotonic() + seconds
        waiting = select.poll()
        waiting.register(self._spawned.pidfd, select.POLLIN)
        waiting.register(self._stderr, select.POLLIN)
        while (left := until - time.monotonic()) > 0:
            events = {fd for fd, _ in waiting.poll(left * 1000 + 1)}
            if self._spawned.pidfd in events:
                return True
            if self._stderr in events:
                before = self._logged
                if self._drain():
                    return False
                if self._logged == before:
                    waiting.unregister(self._stderr)
        return False

    def _deaf(self, what: str) -> Fault:
        return self._gone(what, closed="input")

    def _used_up(self, what: str) -> Fault:
        return self._end_with(FaultKind.TIMEOUT, f"the bot used up its CPU time during {what}")

    def _flooded(self, what: str) -> Fault:
        size = f"{FLOOD_FACTOR * self._limits.log_bytes:,} bytes"
        return self._end_with(FaultKind.OUTPUT, f"the bot printed over {size} by {what}")

    def slept_ns(self, idle_ns: int | None = None) -> int:
        """How long it slept while it was waited for: neither running nor kept from it."""
        idle = self._idle_ns if idle_ns is None else idle_ns
        if idle < WORTH_A_LOOK_NS:
            return 0
        delayed = scheduling.delay_ns(self.pid, self.cpu_ns())
        delayed += scheduling.own_delay_ns() - self._delayed_before
        return max(0, idle - delayed)

    def _overslept(self, what: str, idle_ns: int) -> Fault | None:
        if self.slept_ns(idle_ns) <= self.sleep_left_ns:
            return None
        if self.has_excuses and scheduling.is_stopped(self.pid):
            self.close()
            raise Starved(f"a bot was stopped from outside during {what}")
        allowed = f"{self._limits.sleep_ms / 1000:g} seconds"
        sentence = f"the bot slept for over {allowed} of the match, the last time during {what}"
        return self._end_with(FaultKind.TIMEOUT, sentence)

    def _late(self, what: str, idle_ns: int) -> Fault:
        """The net on the wall clock: ours, if it was kept from the processor more than it slept."""
        is_stopped = scheduling.is_stopped(self.pid)
        if self.has_excuses and (is_stopped or self.slept_ns(idle_ns) * 2 <= idle_ns):
            self.close()
            reason = "this machine gave it too little of the processor"
            reason = "it was stopped from outside" if is_stopped else reason
            raise Starved(f"a bot's wall clock ran out during {what}, but {reason}")
        sentence = f"the bot neither answered nor used its CPU time during {what}: it slept"
        return self._end_with(FaultKind.TIMEOUT, sentence)

    def _holds_too_much(self, what: str) -> Fault | None:
        """Memory that no limit of the kernel counts, such as code, which cannot be written to."""
        try:
            with open(f"/proc/{self.pid}/statm", "rb", buffering=0) as data:
                _, resident, shared, *_ = data.read(200).split()
        except (OSError, ValueError):  # it is gone
            return None
        held = (int(resident) - int(shared)) * PAGE >> 20
        limit = self._limits.memory_mb
        if held <= limit + SPARE_MB:
            return None
        return self._end_with(
            FaultKind.MEMORY,
            f"the bot held {held:,} MB of memory during {what}; the limit is {limit:,} MB",
        )

    def _end_with(self, kind: FaultKind, sentence: str) -> Fault:
        self.close()
        return Fault(kind, sentence, self.log)

    def _reap(self) -> None:
        """Learn how it ended and let go of it."""
        ended = select.poll()  # `select` knows no descriptor above 1023
        ended.register(self._spawned.pidfd, select.POLLIN)
        if not ended.poll(KILLED_TIMEOUT_S * 1000):
            self._spawned.give_up()
        self.cpu_ns()
        try:
            ending = self._spawned.reap()
            self._status = ending.status
            self.peak_memory_mb = ending.peak_kb / 1024
        finally:
            self._status = -signal.SIGKILL if self._status is None else self._status
            self._table.leave(self)
            for _ in range(FLOOD_FACTOR):  # what it printed last, its traceback above all
                before = self._logged
                self._drain()
                if self._logged == before:
                    break
            for fd in (self._stdin, self._stdout, self._stderr, self._spawned.pidfd):
                if fd >= 0:
                    os.close(fd)
