"""A match row becomes players, and players become a record. The only place that does so."""

from __future__ import annotations

import time
from contextlib import ExitStack
from functools import cache, lru_cache
from typing import NamedTuple

from django.conf import settings

from engine.arena import Entry, copies, play_set
from engine.match import Answer, Fault, Question
from ladder.models import Match, Version
from ladder.services import matches
from ladder.services.matches import Record, Usage
from sandbox import gate
from sandbox.player import JailedPlayer
from sandbox.pool import Pool


class CalledOff(Exception):
    """The match is no longer ours: cancelled, void, or given to another worker."""


@cache
def pool() -> Pool:
    """One pool of warm sandboxes per worker process."""
    return Pool(size=2)


def play(match: Match) -> Record:
    """Play all of a match in the sandbox. No transaction is open while bots think."""
    rows = match.entries.order_by("slot").values_list("version", "bot__name")
    bots = [(_script(version), name) for version, name in rows]
    lease = Lease(match)
    per_side = copies(match.board.rules, match.seats)
    with ExitStack() as stack:
        players = [
            [stack.enter_context(LeasedPlayer(script, lease)) for _ in range(per_side)]
            for script, _ in bots
        ]
        entries = [
            Entry(team, name, script.number, script.sha256)
            for team, (script, name) in zip(players, bots, strict=True)
        ]
        record = Record()
        for one in play_set(
            match.board.rules,
            match.seats,
            entries,
            seed=match.seed,
            options=match.options,
            match=str(match.pk),
        ):
            record.plays.append(one)
            lease.renew()
    record.usage = [_usage(team) for team in players]
    return record


def check(match: Match) -> gate.Report:
    """Put a new version through the gate."""
    version = match.entries.select_related("version__bot").get().version
    lease = Lease(match)

    def progress(done: int, total: int, step: str) -> None:
        lease.renew()
        told = {"progress": {"done": done, "total": total, "step": step}}
        Version.objects.filter(pk=version.pk, status=Version.Status.CHECKING).update(report=told)

    return gate.check(
        version.read_source(),
        version.filename,
        version.bot.rules,
        version.bot.seat_counts,
        launcher=pool(),
        progress=progress,
    )


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
    filename: str
    source: str


class LeasedPlayer(JailedPlayer):
    """A jailed player whose every answer shows that the match goes on."""

    def __init__(self, script: Script, lease: Lease) -> None:
        super().__init__(script.source, script.filename, pool=pool())
        self._lease = lease
        self.cpu_us = 0

    def decide(self, question: Question) -> Answer | Fault:
        self._lease.renew()
        answer = super().decide(question)
        if isinstance(answer, Answer):
            self.cpu_us += answer.cpu_us
        return answer


def _usage(team: list[LeasedPlayer]) -> Usage:
    return Usage(
        cpu_us=sum(player.cpu_us for player in team),
        memory_kb=int(max(player.peak_memory_mb for player in team) * 1024),
        log="\n".join(player.log for player in team if player.log).replace("\x00", "�"),
    )


@lru_cache(maxsize=256)
def _script(version_id: int) -> Script:
    """A version's content never changes, so it is read once per worker."""
    version = Version.objects.get(pk=version_id)
    return Script(version.number, version.sha256, version.filename, version.read_source())
