"""What operators see of workers, queue and ticks, on one page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ladder.contract.exhibitions import ExhibitionUsage
from ladder.models import Lock, Match, Play, Tick, Worker
from ladder.queries.exhibitions import usage
from ladder.queries.operation import starved_bots


@dataclass(frozen=True, slots=True)
class DeskWorker:
    name: str
    seen_at: datetime
    matches: int
    failures: int
    problem: str
    notice: str


@dataclass(frozen=True, slots=True)
class DeskMatch:
    id: int
    title: str
    created_at: datetime
    started_at: datetime | None
    worker: str
    attempt: int
    void_reason: str

    @staticmethod
    def of(row: Match) -> DeskMatch:
        taken = (row.created_at, row.started_at, row.worker, row.attempt, row.void_reason)
        return DeskMatch(row.pk, str(row), *taken)


@dataclass(frozen=True, slots=True)
class DeskPlay:
    match: int
    title: str
    note: str


@dataclass(frozen=True, slots=True)
class Desk:
    workers: list[DeskWorker]
    queue: list[tuple[tuple[str, str], int]]  # by kind and status
    running: list[DeskMatch]
    lapsed: int
    oldest: DeskMatch | None
    void: list[DeskMatch]
    differing: list[DeskPlay]
    exhibitions: ExhibitionUsage
    starved: list[tuple[int, str, int]]
    ticks: list[tuple[str, datetime]]
    locks: list[tuple[str, datetime]]


def desk() -> Desk:
    matches = Match.all_objects
    oldest = matches.waiting().order_by("priority", "id").first()
    columns = ("name", "seen_at", "matches", "failures", "problem", "notice")
    return Desk(
        workers=[DeskWorker(*row) for row in Worker.objects.values_list(*columns)],
        queue=sorted(matches.counts_of_open().items()),
        running=[DeskMatch.of(row) for row in matches.running().order_by("started_at")[:50]],
        lapsed=matches.lapsed().count(),
        oldest=DeskMatch.of(oldest) if oldest else None,
        void=[DeskMatch.of(row) for row in matches.in_status(Match.Status.VOID)[:10]],
        differing=[
            DeskPlay(row.match_id, str(row), row.reproduced_note)
            for row in Play.objects.not_reproduced().order_by("-pk")[:10]
        ],
        exhibitions=usage(),
        starved=starved_bots(),
        ticks=[(str(tick), tick.created_at) for tick in Tick.objects.unapplied()],
        locks=[(str(lock), lock.until) for lock in Lock.objects.all()],
    )
