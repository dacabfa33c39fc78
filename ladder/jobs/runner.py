"""A match row becomes players, and players become a record. The only place that does so."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import NamedTuple

import structlog
from django.conf import settings

from engine.arena import Entry, copies, play_set
from engine.match import Answer, Fault, Question
from engine.replay import Replay
from ladder.jobs.exhibition import Exhibition
from ladder.models import Match, Version
from ladder.queries.operation import is_repeatedly_starved
from ladder.services import bots, matches
from ladder.services.broadcasts import Camera
from ladder.services.fairness import likeness
from ladder.services.matches import Record, Usage
from sandbox import gate
from sandbox.errors import Starved
from sandbox.player import JailedPlayer
from sandbox.pool import Pool
from sandbox.program import Program
from sandbox.table import Tablemates

log = structlog.get_logger(__name__)


# Matches that count, so that nobody may gain by a memory from play to play.
COUNTED = (Match.Kind.LADDER, Match.Kind.TOURNAMENT, Match.Kind.TRIAL)


class CalledOff(Exception):
    """The match is no longer ours: cancelled, void, or given to another worker."""


@cache
def pool() -> Pool:
    """One pool of jails per worker process."""
    return Pool()


def play(match: Match) -> Record:
    """Play all of a match in the sandbox. No transaction is open while bots think."""
    assert match.seed is not None  # it was claimed
    seats = match.seated()
    seated = [(script(seat.version), seat.name) for seat in seats]
    lease, camera, exhibition = Lease(match), Camera(match), Exhibition(match)

    def beat() -> None:
        lease.renew()
        camera.look()
        if exhibition.must_stop():
            raise CalledOff

    table = Tablemates(beat, sweeps=settings.SWEEP_CACHES and match.kind in COUNTED)
    pause = partial(exhibition.pause, table)
    per_side = copies(match.board.rules, match.seats)
    with ExitStack() as stack:
        players = [
            [stack.enter_context(CountedPlayer(script, table, pause)) for _ in range(per_side)]
            for script, _ in seated
        ]
        stack.enter_context(exhibition.metered([one for team in players for one in team]))
        stack.enter_context(_blame(match, players))
        entries = [
            Entry(team, name, script.number, script.sha256)
            for team, (script, name) in zip(players, seated, strict=True)
        ]
        record = Record(seated=seats)
        for one in play_set(
            match.board.rules,
            match.seats,
            entries,
            seed=match.seed,
            options=match.options,
            match=str(match.pk),
            watch=camera.turn_to,
        ):
            record.plays.append(one)
            log.info(
                "play finished",
                play=len(record.plays),
                decisions=len(one.played.replay.cpu_us),
                faults=len(one.played.faults),
            )
            camera.end(one.played.replay)
            table.beat()
    record.usage = [usage(team) for team in players]
    return record


@contextmanager
def _blame(match: Match, players: list[list[CountedPlayer]]) -> Iterator[None]:
    """Note for whom the machine was too slow. One for whom it often is has no excuse left.

    Otherwise a bot that found a way to seem starved could void every match that it is losing.
    """
    for slot, team in enumerate(players):
        for player in team:
            player.has_excuses = not is_repeatedly_starved(match, slot)
    try:
        yield
    except Starved as error:
        starved = [any(player.was_starved for player in team) for team in players]
        error.slot = starved.index(True) if True in starved else None
        raise


def check(match: Match) -> gate.GateReport:
    """Put a new version through the gate."""
    version = match.entries.select_related("version__bot").get().version
    lease = Lease(match)

    def progress(done: int, total: int, step: str) -> None:
        lease.renew()
        data = {"progress": {"done": done, "total": total, "step": step}}
        Version.objects.filter(pk=version.pk, status=Version.Status.CHECKING).update(report=data)

    def keep(row: int, replay: Replay) -> None:
        log.info("play finished", play=row + 1, decisions=len(replay.cpu_us))
        bots.keep_check_play(version, row, replay)

    program, bot = version.program(), version.bot
    report = gate.check(
        program,
        bot.rules,
        bot.seat_counts,
        launcher=pool(),
        progress=progress,
        beat=lease.renew,
        keep=keep,
    )
    if not report.ok or bot.is_house:
        return report
    hashed = gate.behaviour(
        program,
        bot.rules,
        likeness.check_seats(bot),
        likeness.check_seeds(bot),
        launcher=pool(),
        beat=lease.renew,
    )
    return replace(report, behaviour=hashed)


class Lease:
    """Keeps a match ours while it makes progress, and notices when it no longer is."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._renewed = time.monotonic()
        self._period = settings.MATCH_LEASE.total_seconds() / 4

    def renew(self) -> None:
        """Prolong the lease when a quarter of it has passed; CalledOff when it is lost."""
        now = time.monotonic()
        if now - self._renewed < self._period:
            return
        self._renewed = now
        if not matches.renew(self._match):
            raise CalledOff


class Script(NamedTuple):
    """What a version is made of."""

    number: int
    sha256: str
    program: Program


class CountedPlayer(JailedPlayer):
    """A jailed player that adds up its CPU time, and whose every answer keeps the match ours."""

    def __init__(
        self, script: Script, table: Tablemates, pause: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(script.program, pool=pool(), table=table)
        self._beat, self._pause = table.beat, pause
        self.cpu_us = 0

    def decide(self, question: Question) -> Answer | Fault:
        self._beat()
        self._pause()
        answer = super().decide(question)
        if isinstance(answer, Answer):
            self.cpu_us += answer.cpu_us
        return answer


def usage(team: Sequence[CountedPlayer]) -> Usage:
    return Usage(
        cpu_us=sum(player.cpu_us for player in team),
        memory_kb=int(max(player.peak_memory_mb for player in team) * 1024),
        printed=[one for player in team for one in player.printed],
    )


@lru_cache(maxsize=32)
def script(version_id: int) -> Script:
    """A version's content never changes, so it is read once per worker."""
    version = Version.objects.get(pk=version_id)
    return Script(version.number, version.sha256, version.program())
