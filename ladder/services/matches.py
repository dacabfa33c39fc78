"""The life of a match: queued, claimed, played, finished exactly once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import Any

import structlog
from django.conf import settings
from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce, Now
from django.utils import timezone

from engine.arena import SetPlay
from engine.replay import canonical
from engine.results import PlayResult, set_result
from ladder.errors import Code, LadderError
from ladder.models import Bot, Entry, Line, Match, Play, Sitting, Tick, Version, Worker
from ladder.models.match import Seated
from ladder.operation import bundles
from ladder.operation.nudges import nudge
from ladder.services.events import reporting
from sandbox.player import Printed

log = structlog.get_logger(__name__)

# How long a match rests after its first, second, ... failed attempt: a sick machine must not use up
# all attempts within a second.
BACK_OFF = [timedelta(seconds=seconds) for seconds in (1, 5, 30, 120)]
OVERLOOKED = timedelta(seconds=2)  # who waits for longer may have lost its nudge
CHECK_PATIENCE = 10  # times as many attempts for a check, since an author waits for its verdict
# One statement for all entries: in the ORM's ways it takes ten times the CPU.
WRITE_ENTRY = f"""
    UPDATE {Entry._meta.db_table}
    SET place = %(place)s, points = %(points)s, score = %(score)s, decisions = %(decisions)s,
        faults = %(faults)s, cpu_us = %(cpu_us)s, memory_kb = %(memory_kb)s, printed = %(printed)s
    WHERE match_id = %(match)s AND slot = %(slot)s
"""


@dataclass(slots=True)
class Usage:
    """What one entry used in a match, and what its owner may read of it."""

    cpu_us: int = 0
    memory_kb: int = 0
    printed: list[Printed] = field(default_factory=list)


@dataclass(slots=True)
class Record:
    """What a worker brings back from a match."""

    plays: list[SetPlay] = field(default_factory=list)
    usage: list[Usage] = field(default_factory=list)  # by slot
    seated: list[Seated] = field(default_factory=list)  # as it was when the match began


def queue(
    *,
    kind: str,
    game: str,
    seats: int,
    versions: Sequence[Version],
    why: str,
    seed: int | None = None,
    options: dict[str, Any] | None = None,
    wake: bool = True,
    **links: Any,
) -> Match:
    """Put a match in the queue and, by default, wake a worker when this is committed.

    Without a seed, one is drawn when a worker claims it.
    """
    with transaction.atomic():
        match = Match.all_objects.create(
            kind=kind,
            game=game,
            seats=seats,
            seed=seed,
            options=options or {},
            priority=Match.PRIORITY[Match.Kind(kind)],
            why=why,
            request=structlog.contextvars.get_contextvars().get("request", ""),
            **links,
        )
        Entry.objects.bulk_create(
            Entry(match=match, slot=slot, bot_id=version.bot_id, version=version)
            for slot, version in enumerate(versions)
        )
        if wake:
            nudge(match.priority)
    return match


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays a rated match, and what its rating is if it is ranked."""

    bot: int
    version: int
    rating_milli: int | None = None


def queue_ladder(tables: Iterable[tuple[Tick, str, Sequence[Seat]]]) -> list[Match]:
    """Put matches of ticks in the queue, each with why its bots meet."""
    tables = list(tables)
    with transaction.atomic():
        created = Match.all_objects.bulk_create(
            Match(
                kind=Match.Kind.LADDER,
                game=tick.game,
                seats=tick.seats,
                priority=Match.PRIORITY[Match.Kind.LADDER],
                why=why,
                tick=tick,
            )
            for tick, why, _ in tables
        )
        Entry.objects.bulk_create(
            Entry(
                match=match,
                slot=slot,
                bot_id=one.bot,
                version_id=one.version,
                rating_milli=one.rating_milli,
            )
            for match, (_, _, seats) in zip(created, tables, strict=True)
            for slot, one in enumerate(seats)
        )
        # A worker that is awake plays all that waits.
        nudge(Match.PRIORITY[Match.Kind.LADDER], min(len(tables), idle_processes()))
    return created


def idle_processes() -> int:
    """How many processes of the workers have no match, by their rows."""
    processes = settings.WORKERS * max(1, Worker.objects.alive().count())
    return max(0, processes - Match.all_objects.running().count())


def renew(match: Match) -> bool:
    """Prolong the lease; False when another attempt owns the match or it was called off."""
    return bool(
        Match.all_objects.running()
        .filter(pk=match.pk, attempt=match.attempt)
        .update(lease_until=Now() + match.lease)
    )


def finish(match: Match, record: Record) -> bool:
    """Store the outcome once, in one transaction; False when this attempt no longer counts.

    The file of its replays is written first: it is named by its content, so writing it twice, or
    one that no row comes to point at, does no harm.
    """
    replays = [one.played.replay.to_json() for one in record.plays]
    digests = [data["digest"] for data in replays]
    # Two attempts at a match write two files, so that neither spoils the other's.
    stamp = hashlib.sha256("".join(digests).encode()).hexdigest()[:16]
    file = f"replays/{match.pk // 1000:03}/{match.pk}-{stamp}.jsonl.xz"
    plays = [
        _play_row(match, index, one, digest, bundles.name_in(file, index))
        for index, (one, digest) in enumerate(zip(record.plays, digests, strict=True))
    ]
    if plays:
        default_storage.save_all(  # type: ignore[attr-defined]  # all of ours have it
            {file: bundles.bundled([canonical(data) for data in replays])}
        )
    with transaction.atomic():
        if not close(match):
            return False
        Play.objects.bulk_create(plays)
        results = [PlayResult.of(one.seating, one.played) for one in record.plays]
        entries = set_result(results, len(record.usage)).entries
        rows = [
            {
                "match": match.pk,
                "slot": slot,
                "place": entry.place,
                "points": entry.points,
                "score": None if entry.share is None else float(entry.share),
                "decisions": entry.decisions,
                "faults": entry.faults.total(),
                "cpu_us": usage.cpu_us,
                "memory_kb": usage.memory_kb,
                "printed": _stored(usage.printed),
            }
            for slot, (entry, usage) in enumerate(zip(entries, record.usage, strict=True))
        ]
        with connection.cursor() as cursor:
            cursor.executemany(WRITE_ENTRY, rows)
        seated = record.seated or match.seated()
        results_by_slot = [(entry.place, entry.points) for entry in entries]
        reporting.match_finished(match, seated, results_by_slot, _first_faults(record.plays))
    return True


def _first_faults(plays: Iterable[SetPlay]) -> dict[int, str]:
    """What each entry did wrong first, in words, by slot."""
    found: dict[int, str] = {}
    for one in plays:
        for seat, fault in sorted(one.played.faults.items()):
            found.setdefault(one.seating[seat], fault.sentence)
    return found


def _stored(printed: Iterable[Printed]) -> str:
    """What was printed as the database takes it: no NUL, which PostgreSQL cannot store."""
    lines = [[*one[:3], one.text.replace("\x00", "\ufffd").rstrip("\n")] for one in sorted(printed)]
    return json.dumps(lines)


def close(match: Match) -> bool:
    """Mark this attempt's match as finished; False when the attempt no longer counts."""
    return bool(
        Match.all_objects.running()
        .filter(pk=match.pk, attempt=match.attempt)
        .update(status=Match.Status.FINISHED, finished_at=Now(), lease_until=None)
    )


def fail(match: Match, why: str, *, slot: int | None = None) -> None:
    """Our own failure: try again, or give the match up as void after too many times.

    `slot` is the entry that was waited for, if the machine was too slow for one.
    """
    with transaction.atomic():
        own = Match.all_objects.select_for_update().filter(pk=match.pk, attempt=match.attempt)
        row = own.first()
        if row is None or row.status != Match.Status.RUNNING:
            return
        row.attempts = [
            *row.attempts,
            {
                "attempt": row.attempt,
                "worker": row.worker,
                "why": why[:500],
                "at": timezone.now().isoformat(),
                **({} if slot is None else {"slot": slot}),
            },
        ]
        if slot is not None and not row.is_exhibition:
            slow_for = Version.objects.filter(entries__match=row, entries__slot=slot)
            slow_for.update(discarded_attempts=F("discarded_attempts") + 1)
        row.lease_until = None
        # A keeper that was restarted is no failed attempt, nor is an exhibition that gave way: for
        # these the failures count.
        tried = len(row.attempts) if row.is_remote or row.is_exhibition else row.attempt
        if tried >= _most_attempts(row):
            row.status = Match.Status.VOID
            row.void_cause = Match.VoidCause.FAILED
            # The attempts' own words may name paths of ours, and are for operators.
            row.void_reason = f"Given up after {tried} attempts that failed on our side."
            row.finished_at = Now()
        else:
            row.status = Match.Status.QUEUED
            row.retry_at = Now() + BACK_OFF[min(tried, len(BACK_OFF)) - 1]
        row.save()
        if row.status == Match.Status.VOID:
            _reject_unchecked(row, row.void_reason)
    log.warning("match attempt failed", match=match.pk, attempt=match.attempt, why=why)


def _most_attempts(match: Match) -> int:
    return settings.MAX_ATTEMPTS * (CHECK_PATIENCE if match.kind == Match.Kind.CHECK else 1)


def sweep() -> int:
    """Give lapsed matches back and wake workers for what waits; how many had lapsed."""
    lapsed = list(Match.all_objects.lapsed().exclude(kind__in=Match.HELD_BY_KEEPERS))
    give_back_remote()
    for match in lapsed:
        fail(match, f"worker {match.worker} was not heard of for {settings.MATCH_LEASE}")
    # One that was asked for in the future was by a host whose clock is ahead.
    is_old = Q(created_at__lt=Now() - OVERLOOKED) | Q(created_at__gt=Now())
    overlooked = Match.all_objects.due().filter(is_old).exclude(kind__in=Match.HELD_BY_KEEPERS)
    waiting = overlooked.order_by().values_list("priority", flat=True).distinct()
    # Those at work find what waits by themselves; only the idle can have missed a nudge.
    for priority in waiting:
        nudge(priority, idle_processes())
    return len(lapsed)


def give_back_remote(attempts: Iterable[tuple[int, int]] | None = None) -> int:
    """Let another keeper go on with tables: given ones (match, attempt), or all that lapsed.

    Nothing failed: a table is its seed and the answers given, so it is set up again.
    """
    tables = Match.all_objects.lapsed().filter(kind__in=Match.HELD_BY_KEEPERS)
    if attempts is not None:
        mine = [Q(pk=pk, attempt=attempt) for pk, attempt in attempts]
        if not mine:
            return 0
        tables = Match.all_objects.running().filter(reduce(or_, mine))
    return int(tables.order_by().update(status=Match.Status.QUEUED, lease_until=None))


def gives_way(match: Match) -> bool:
    """Put an exhibition back in the queue if any other match waits; whether it was."""
    urgent = Match.all_objects.due().filter(priority__lt=match.priority)
    if not urgent.exclude(kind__in=Match.HELD_BY_KEEPERS).exists():
        return False
    own = Match.all_objects.running().filter(pk=match.pk, attempt=match.attempt)
    own.update(status=Match.Status.QUEUED, lease_until=None)
    return True


def void(match: Match, why: str, *, cause: str = Match.VoidCause.OPERATOR) -> None:
    """Strike a match from the record; a rated one is taken out of the ratings again.

    Its tick counts as not rated, so the scheduler's next turn rates it again without the match.
    """
    with transaction.atomic():
        changed = (
            Match.all_objects.filter(pk=match.pk)
            .exclude(status__in=[Match.Status.VOID, Match.Status.CANCELLED])
            .update(
                status=Match.Status.VOID,
                void_reason=why,
                void_cause=cause,
                # One that had been played keeps its time: the receipt says how long it took.
                finished_at=Coalesce(F("finished_at"), Now()),
                lease_until=None,
            )
        )
        if changed:
            match.refresh_from_db()
            _withdraw_lines(match)
            _rate_again(match)
            _reject_unchecked(match, why)


def _rate_again(match: Match) -> None:
    """The ratings that count a match, or will, are computed without what they know of it."""
    if match.tick_id is not None:
        Tick.objects.filter(pk=match.tick_id).update(applied_at=None)
    Sitting.objects.filter(match=match, is_rated=True).update(counted_at=None)


def cancel(match: Match, why: str) -> bool:
    """Call off a match that has not been played; False when a worker was quicker."""
    with transaction.atomic():
        called_off = (
            Match.all_objects.open()
            .filter(pk=match.pk)
            .update(
                status=Match.Status.CANCELLED,
                void_reason=why,
                void_cause=Match.VoidCause.CALLED_OFF,
                finished_at=Now(),
                lease_until=None,
            )
        )
        if called_off:
            match.refresh_from_db()
            _withdraw_lines(match)
            _reject_unchecked(match, why)
    return bool(called_off)


def _withdraw_lines(match: Match) -> None:
    """Remote bots are not asked for a match that was called off."""
    if match.is_remote:
        asked = Line.objects.filter(sitting=match.pk, state=Line.State.OPEN, type=Line.Type.DECIDE)
        asked.update(state=Line.State.WITHDRAWN, body={})


def cancel_waiting(bot: Bot, *, rated: bool) -> None:
    """Call off what a bot that left has not begun to play; tournaments go on without it.

    Rated matches only by an operator's decision: an author must not be able to choose which of
    the matches that were drawn are played.
    """
    kinds = [Match.Kind.CHALLENGE, Match.Kind.TRIAL, Match.Kind.REMOTE, Match.Kind.EXHIBITION]
    waiting = Match.all_objects.waiting().filter(entries__bot=bot, pairing=None)
    if rated:
        waiting = waiting.filter(kind__in=[*kinds, Match.Kind.LADDER])
    else:
        waiting = waiting.filter(kind__in=kinds).exclude(sitting__is_rated=True)
    for match in waiting.distinct():  # in a trial the bot sits at the table twice
        cancel(match, f"{bot.name} left the ladder.")


def requeue(match: Match) -> None:
    """Play a void or cancelled match again, as an operator may ask."""
    with transaction.atomic():
        again = Match.all_objects.filter(
            pk=match.pk, status__in=[Match.Status.VOID, Match.Status.CANCELLED]
        )
        if match.plays.exists():
            raise LadderError(
                "This match was struck from the record and cannot be queued again.",
                code=Code.TICK_APPLIED,
            )
        if (
            match.pairing is not None
            and Match.all_objects.filter(pairing=match.pairing_id, number=match.number)
            .exclude(status__in=[Match.Status.VOID, Match.Status.CANCELLED])
            .exists()
        ):
            raise LadderError(
                "Its tournament has replaced it already; it replays void sets by itself.",
                code=Code.MATCH_REPLACED,
            )
        if not again.update(
            status=Match.Status.QUEUED,
            attempt=0,
            retry_at=None,
            void_reason="",
            void_cause="",
            finished_at=None,
        ):
            raise LadderError(
                f"Match {match.pk} is {match.status}; only a void or cancelled one is re-queued.",
                code=Code.MATCH_NOT_VOID,
            )
        _rate_again(match)
        nudge(match.priority)


def _play_row(match: Match, index: int, one: SetPlay, digest: str, file: str) -> Play:
    replay = one.played.replay
    assert replay.result is not None
    return Play(
        match=match,
        index=index,
        seating=list(one.seating),
        places=list(replay.result.places),
        points=list(replay.result.points),
        reason=replay.result.reason,
        faults=[
            {"seat": seat, "kind": f.kind, "sentence": f.sentence, "detail": f.detail}
            for seat, f in sorted(one.played.faults.items())
        ],
        decisions=sum("action" in entry for entry in replay.log),
        digest=digest,
        replay=file,
    )


def _reject_unchecked(match: Match, why: str) -> None:
    """A gate that never came to a verdict must not leave its version waiting for ever."""
    if match.kind != Match.Kind.CHECK:
        return
    checked = Version.objects.filter(entries__match=match, status=Version.Status.CHECKING)
    version = checked.select_related("bot").first()
    if version is not None:
        version.status = Version.Status.REJECTED
        version.report = {"verdict": f"The check was called off: {why}", "is_unfinished": True}
        version.save(update_fields=["status", "report"])
        reporting.version_checked(version)
