"""Your own programs as remote bots: one process per seat of a play, by the wire of the sandbox."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ladle.remote import Line, Seat

END_S = 2.0  # for a program to leave by itself after the end
MOST_STARTS = 2  # of the program in a play: it is started again once
DRAIN_S = 5.0  # between two questions whether plays are left
OWN = ("start", "players")  # fields of a question that are not the program's
Told = Callable[[Line], None]


class State(StrEnum):
    THINKING = "thinking"
    WAITING = "waiting"  # for the others
    FAILED = "failed"  # its program ended too often


@dataclass(eq=False)
class PlaySeat:
    """One seat of a play, and the process that plays there."""

    play: int
    seat: int
    start: Line
    players: list[str]
    state: State = State.WAITING
    decisions: int = 0
    left_ms: int = 0  # when it was asked last
    asked_at: float = 0.0  # by the monotonic clock
    round_trip_ms: int | None = None  # from the last question to its answer's receipt
    starts: int = 0
    program: Program | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def clock_left_s(self, now: float) -> float:
        used = now - self.asked_at if self.state is not State.WAITING else 0.0
        return max(0.0, self.left_ms / 1000 - used)

    @property
    def opponents(self) -> list[str]:
        return [name for at, name in enumerate(self.players) if at != self.seat]


class Programs:
    """Answers a seat's decisions with one process of the command for each seat of a play."""

    def __init__(self, seat: Seat, command: Sequence[str], told: Told) -> None:
        self._seat = seat
        self._command = list(command)
        self._told = told
        self._held: dict[tuple[int, int], PlaySeat] = {}
        self._drainer: threading.Thread | None = None
        self._has_ended = threading.Event()  # a play, or all of it
        self._is_over = threading.Event()  # every line was handled
        self.is_draining = False

    @property
    def under_way(self) -> list[PlaySeat]:
        """The plays under way, oldest first."""
        return sorted(self._held.values(), key=lambda one: (one.play, one.seat))

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
        finally:
            self._seat.stop()
            self._has_ended.set()
            self._is_over.set()
            for own in self.under_way:
                if own.program is not None:
                    own.program.close()

    def drain(self) -> None:
        """Take no new plays, and leave once those under way are over."""
        if not self.is_draining:
            self.is_draining = True
            self._drainer = threading.Thread(target=self._drain, daemon=True)
            self._drainer.start()

    def _drain(self) -> None:
        """The server knows what is left: a match may be called off without a last line."""
        while not self._seat.is_stopping:
            self._has_ended.clear()
            plays = self._seat.drain()
            if plays == []:
                # The server ends the stream after the last lines, which are still to be read.
                self._is_over.wait(DRAIN_S)
            if plays == [] or (plays is None and not self._held):
                self._seat.stop()
                return
            if plays is not None:
                self._told({"type": "draining", "plays": plays})
            self._has_ended.wait(DRAIN_S)

    def _ask(self, line: Line) -> None:
        key = (line["play"], line["start"]["seat"])
        if key not in self._held:
            start, players = line["start"], line.get("players", [])
            self._held[key] = PlaySeat(*key, start=start, players=players)
        own = self._held[key]
        own.left_ms, own.asked_at = line["cpu_left_ms"], time.monotonic()
        # A thread of its own: other plays go on while this one thinks.
        threading.Thread(target=self._answer, args=(own, line), daemon=True).start()

    def _answer(self, own: PlaySeat, line: Line) -> None:
        action = self._decide(own, line)
        if action is None:
            return
        outcome = self._seat.answer(line["id"], action)
        own.state = State.WAITING
        own.decisions += 1
        own.round_trip_ms = round(1000 * (time.monotonic() - own.asked_at))
        own.left_ms -= own.round_trip_ms
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

    def _decide(self, own: PlaySeat, line: Line) -> str | None:
        """The program's answer. One that ends is started again once; None if that failed too."""
        asked = {name: value for name, value in line.items() if name not in OWN}
        with own.lock:
            while own.state is not State.FAILED:
                own.state = State.THINKING
                try:
                    if own.program is None:
                        own.starts += 1
                        own.program = Program(self._command, own.start)
                    return own.program.decide(asked)
                except (OSError, ValueError) as error:
                    self._broken(own, str(error))
        return None

    def _broken(self, own: PlaySeat, why: str) -> None:
        if self._seat.is_stopping:
            own.state = State.FAILED
            return
        if own.program is not None:
            own.program.close()
            own.program = None
        told = {"play": own.play, "seat": own.seat, "why": why}
        if own.starts < MOST_STARTS:
            self._told({"type": "restarted", **told})
            return
        own.state = State.FAILED
        left_s = round(own.clock_left_s(time.monotonic()))
        self._told({"type": "failed", **told, "left_s": left_s})
        self.drain()  # the next play would end in the same way

    def _end(self, line: Line) -> None:
        own = self._held.pop((line["play"], line["seat"]), None)
        if own is not None and own.program is not None:
            own.program.end(line)
        self._told(line)
        self._has_ended.set()


class Program:
    """One process for one seat: `start` first, then a line for each decision."""

    def __init__(self, command: Sequence[str], start: Line) -> None:
        try:
            # A session of its own: Ctrl-C is for `ladle connect`, which finishes the plays first.
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            words = f"the program {command[0]!r} cannot be started: {error.strerror}"
            raise ValueError(words) from None
        with suppress(OSError):  # it has ended: the first question says so
            self._say(start)

    def decide(self, line: Line) -> str:
        """The program's answer; ValueError says what is wrong with it."""
        try:
            self._say(line)
        except OSError:
            raise ValueError(self._ended()) from None
        assert self._process.stdout is not None
        while True:
            text = self._process.stdout.readline()
            if not text:
                raise ValueError(self._ended())
            said: Any = _json(text)
            if not isinstance(said, dict) or not isinstance(said.get("action"), str):
                shown = text.decode(errors="replace").strip()[:80]
                raise ValueError(f'the program wrote {shown!r}, not {{"id": …, "action": …}}')
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

    def _ended(self) -> str:
        try:
            code = self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            return "the program closed its output without an answer"
        return f"the program ended without an answer (exit code {code})"

    def _say(self, line: Line) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        self._process.stdin.flush()


def _json(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
