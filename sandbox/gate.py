"""The upload gate: does a bot load, and does it play a clean game at every seat count?

The server runs it on each new version and `ladle check` runs it at home, in the same sandbox.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import Protocol

from engine.chance import MAX_SEED
from engine.game import Game, Limits
from engine.match import Fault, Played, Player, play
from engine.outcome import FaultKind
from engine.replay import Replay
from sandbox.languages import PYTHON
from sandbox.player import JailedPlayer
from sandbox.pool import Launcher, Pool
from sandbox.program import Program, doubts, problem_with
from sandbox.table import Tablemates

EVIDENCE_LENGTH = 300


class Seated(Player, Protocol):
    """A bot's player, with what the report says about it."""

    @property
    def log(self) -> str: ...

    @property
    def peak_memory_mb(self) -> float: ...

    def close(self) -> None: ...


Seating = Callable[[Program, Tablemates], AbstractContextManager[Seated]]
Progress = Callable[[int, int, str], None]  # steps done, steps in all, what comes next
Keep = Callable[[int, Replay], None]  # which row it belongs to, and how it was played


@dataclass(frozen=True, slots=True)
class Row:
    """One step of the check."""

    step: str  # "read", "2 seats, as seat 1"
    ok: bool
    sentence: str
    detail: str = ""  # evidence for the owner: a traceback, the end of the log
    decisions: int = 0
    cpu_ms: int = 0  # in all
    slowest_ms: float = 0.0  # the decision that took most CPU
    memory_mb: float = 0.0


@dataclass(frozen=True, slots=True)
class GateReport:
    """The verdict and what it rests on."""

    ok: bool
    verdict: str
    sha256: str
    rows: tuple[Row, ...]
    behaviour: str = ""  # a hash of how it played check positions; not part of what authors see

    def as_json(self) -> dict[str, object]:
        """The report as it is stored and sent."""
        rows = [{name: getattr(row, name) for name in Row.__slots__} for row in self.rows]
        return {"ok": self.ok, "verdict": self.verdict, "sha256": self.sha256, "rows": rows}

    def table(self) -> str:
        """The report in lines of plain text."""
        width = max(len(row.step) for row in self.rows)
        lines = [
            f"{'ok  ' if row.ok else 'FAIL'}  {row.step:{width}}  {row.sentence}"
            for row in self.rows
        ]
        return "\n".join([*lines, self.verdict])


def check(
    program: Program,
    game: Game,
    seat_counts: Sequence[int] | None = None,
    *,
    progress: Progress | None = None,
    launcher: Launcher | None = None,
    seat: Seating | None = None,
    beat: Callable[[], None] = lambda: None,
    keep: Keep = lambda row, replay: None,
) -> GateReport:
    """Check a bot; SandboxError when this machine cannot. All seat counts unless some are named.

    `seat` makes the players where there is no launcher.
    `beat` is called now and then while the bot is waited for, `keep` with every play.
    """
    counts = list(game.seats if seat_counts is None else seat_counts)
    rows: list[Row] = []
    tell = progress or (lambda done, total, step: None)
    with ExitStack() as stack:
        seat = seat or jailed(launcher or stack.enter_context(Pool()))
        tell(0, len(counts) + 1, "read")
        rows.append(_read(program, game.limits))
        for done, seats in enumerate(counts, start=1):
            if not rows[-1].ok:
                break  # one failure is enough to fix; the next steps would only repeat it
            tell(done, len(counts) + 1, f"{seats} seats")
            row, played = _trial(program, game, seats, sit=seat, beat=beat)
            keep(len(rows), played.replay)
            rows.append(row)
    ok = all(row.ok for row in rows)
    tell(len(counts) + 1, len(counts) + 1, "done")
    name = program.filename
    verdict = f"{name} may play {game.title}" if ok else f"{name}: {rows[-1].sentence}"
    return GateReport(ok, verdict, program.sha256, tuple(rows))


def jailed(launcher: Launcher) -> Seating:
    """Players in processes of a launcher."""
    return lambda program, table: JailedPlayer(program, pool=launcher, table=table)


def behaviour(
    program: Program,
    game: Game,
    seats: int,
    seeds: Sequence[int],
    *,
    launcher: Launcher,
    beat: Callable[[], None] = lambda: None,
) -> str:
    """A hash of what a bot does against itself on these seeds; empty when it fails on one.

    The bot's luck follows from the seed, so equal hashes mean equal choices at every position.
    """
    actions = hashlib.sha256()
    for seed in seeds:
        table = Tablemates(beat)
        with ExitStack() as stack:
            players = [
                stack.enter_context(JailedPlayer(program, pool=launcher, table=table))
                for _ in range(seats)
            ]
            played = play(game, players, seed=seed)
        if played.faults:
            return ""
        for entry in played.replay.log:
            actions.update(f"{entry.get('seat')} {entry.get('action')}\n".encode())
    return actions.hexdigest()


def _read(program: Program, limits: Limits) -> Row:
    """What can be found without running or even compiling it, which only the jail may do."""
    problem = problem_with(program, limits)
    if problem:
        return Row("read", False, problem)
    size = f"{len(program.content):,} bytes of {program.language.name}"
    if program.bundle:
        count = len(program.bundle.files)
        size = f"{count} files in {size}, beginning with {program.entry}"
    return Row("read", True, "; ".join(filter(None, (size, doubts(program)))))


def _trial(
    program: Program,
    game: Game,
    seats: int,
    *,
    sit: Seating,
    beat: Callable[[], None],
) -> tuple[Row, Played]:
    """One play at this seat count against a house bot, or against itself where there is none.

    Luck, seat and rival are drawn again, so that a bot cannot tell it from a match.
    """
    seat = secrets.randbelow(seats)
    rival, name = secrets.choice(_rivals(game) or [(program, "itself")])
    table = Tablemates(beat)
    with ExitStack() as stack:
        players = [
            stack.enter_context(sit(program if place == seat else rival, table))
            for place in range(seats)
        ]
        played = play(game, players, seed=secrets.randbelow(MAX_SEED + 1))
        bot = players[seat]
        bot.close()
        return _row(played, bot, seat=seat, step=_step(seats, seat), rival=name), played


def _row(played: Played, bot: Seated, *, seat: int, step: str, rival: str) -> Row:
    actions = [entry for entry in played.replay.log if "action" in entry]
    spent = [
        us
        for entry, us in zip(actions, played.replay.cpu_us, strict=True)
        if entry["seat"] == seat and not entry.get("auto")
    ]
    fault: Fault | None = played.faults.get(seat)
    result = played.replay.result
    assert result is not None
    points = result.points[seat]
    data = f"{len(spent)} decisions, {points} {'point' if points == 1 else 'points'}"
    if len(result.places) > 1:
        data += f", place {result.places[seat]} against {rival}"
    return Row(
        step=step,
        ok=fault is None,
        sentence=data if fault is None else f"{fault.sentence}{_evidence(fault)}",
        detail=bot.log[-4000:] if fault is None else fault.detail,
        decisions=len(spent),
        cpu_ms=sum(spent) // 1000,
        slowest_ms=max(spent, default=0) / 1000,
        memory_mb=round(bot.peak_memory_mb, 1),
    )


def _evidence(fault: Fault) -> str:
    """The most useful line of the evidence; a report is for the bot's owner only."""
    lines = [line.strip() for line in fault.detail.splitlines() if line.strip()]
    if fault.kind not in (FaultKind.CRASH, FaultKind.ILLEGAL) or not lines:
        return ""
    return f": {lines[0 if fault.kind == FaultKind.ILLEGAL else -1][:EVIDENCE_LENGTH]}"


def _rivals(game: Game) -> list[tuple[Program, str]]:
    """The game's house bots in Python."""
    return [
        (Program(path.name, path.read_bytes()), f"the house's {name} bot")
        for name, path in sorted(game.house_bots().items())
        if path.suffix == PYTHON.suffix
    ]


def _step(seats: int, seat: int) -> str:
    return "alone" if seats == 1 else f"{seats} seats, as seat {seat + 1}"
