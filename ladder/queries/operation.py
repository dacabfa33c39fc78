"""What goes on: for the front page, the API's counts, the metrics and the readiness check."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Max, Min, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Now
from django.utils import timezone

from ladder.contract.games import MatchCounts, Stats
from ladder.contract.operation import Day, HalfHour, WorkerState
from ladder.models import Bot, Entry, Lock, Match, Play, Rating, Tick, Tournament, User, Worker
from ladder.queries.values import Reading

WORKER = Reading(WorkerState)
SCHEDULER_SILENT = timedelta(seconds=30)
STARVED_OFTEN, STARVED_AMONG = 5, 20  # matches of a version
SLOT = timedelta(minutes=30)
SLOTS = 48
MOST = 20_000  # matches that are read; a busier day is shown as far back as they go


@dataclass(frozen=True, slots=True)
class Activity:
    """What is going on right now."""

    running: int
    waiting: int
    workers: int


@dataclass(frozen=True, slots=True)
class Gauges:
    """What /metrics reports."""

    newest_match: int
    open_matches: Counter[tuple[str, str]]  # by kind and status
    waits_since: datetime | None  # the match that has waited longest
    workers: int
    workers_unable: int
    workers_failing: int
    failed_attempts: int  # of the workers alive
    void_matches: int
    plays_not_reproduced: int
    unapplied_ticks: int
    unplayed_since: datetime | None  # the listed bot that waited longest


def activity() -> Activity:
    return Activity(
        running=Match.all_objects.running().count(),
        waiting=Match.all_objects.waiting().count(),
        workers=Worker.objects.alive().count(),
    )


def waits_since() -> datetime | None:
    """When the match that has waited longest was asked for."""
    found: dict[str, datetime | None]
    found = Match.all_objects.waiting().aggregate(oldest=Min("created_at"))
    return found["oldest"]


def finished_since(moment: datetime) -> int:
    return Match.all_objects.in_status(Match.Status.FINISHED).filter(finished_at__gt=moment).count()


def counts() -> Stats:
    """How much of everything there is; it counts whole tables."""
    by_status = Match.objects.order_by().values_list("status").annotate(Count("pk"))
    return Stats(
        bots=Bot.objects.playing().count(),
        users=User.objects.filter(is_active=True).count(),
        matches=MatchCounts(**dict(by_status)),
        plays=Play.objects.count(),
        workers=Worker.objects.alive().count(),
        open_tournaments=Tournament.objects.visible_to(None).upcoming().count(),
    )


def gauges() -> Gauges:
    workers = Worker.objects.alive().aggregate(
        alive=Count("pk"),
        unable=Count("pk", filter=~Q(problem="")),
        failing=Count("pk", filter=~Q(failing="")),
        failures=Sum("failures", default=0),
    )
    starved = Rating.objects.listed().filter(is_anchor=False)
    return Gauges(
        # The newest id stands for all matches ever made: counting a big table would be slow.
        newest_match=Match.all_objects.aggregate(newest=Max("pk"))["newest"] or 0,
        open_matches=Match.all_objects.counts_of_open(),
        waits_since=waits_since(),
        workers=workers["alive"],
        workers_unable=workers["unable"],
        workers_failing=workers["failing"],
        failed_attempts=workers["failures"],
        void_matches=Match.all_objects.filter(status=Match.Status.VOID).count(),
        plays_not_reproduced=Play.objects.not_reproduced().count(),
        unapplied_ticks=Tick.objects.unapplied().count(),
        unplayed_since=starved.aggregate(oldest=Min("last_played_at"))["oldest"],
    )


def workers_alive() -> list[WorkerState]:
    return WORKER(Worker.objects.alive())


def scheduler_leads() -> bool:
    """Whether one holds the lead at this moment; a stopped one has given it back."""
    return Lock.objects.filter(name="scheduler", until__gt=Now()).exists()


def scheduler_is_heard() -> bool:
    # One that ends later than a lead lasts was taken by a clock that is ahead, and says nothing.
    heard = (Now() - SCHEDULER_SILENT, Now() + SCHEDULER_SILENT)
    return Lock.objects.filter(name="scheduler", until__range=heard).exists()


def is_repeatedly_starved(match: Match, slot: int) -> bool:
    """Whether a bot that seems starved once more is to blame for it.

    It is when it was in every earlier attempt at this match; or at a second attempt, when it was
    in STARVED_OFTEN of its newest STARVED_AMONG matches.
    """
    waits = sum(attempt.get("slot") == slot for attempt in match.attempts)
    if not waits:
        return False
    if waits >= settings.MAX_ATTEMPTS - 1:
        return True
    own = Entry.objects.filter(version=match.entries.get(slot=slot).version_id)
    own = own.exclude(match__kind=Match.Kind.EXHIBITION)
    newest = own.order_by("-match").values_list("slot", "match__attempts")[:STARVED_AMONG]
    often = sum(any(a.get("slot") == place for a in attempts) for place, attempts in newest)
    return often >= STARVED_OFTEN


def starved_bots(among: int = 1000) -> list[tuple[int, str, int]]:
    """Number and name of bots for which a worker was too slow in the newest matches, and how often.

    A busy machine is slow for everyone. One bot far above the others may have found a way to seem
    starved: what it loses by that is in `ladder.jobs.runner`.
    """
    last = Match.all_objects.aggregate(last=Max("pk"))["last"] or 0
    newest = Match.all_objects.filter(pk__gt=last - among).values_list("id", "attempts")
    newest = newest.exclude(kind=Match.Kind.EXHIBITION)
    waits = {
        match: [attempt["slot"] for attempt in attempts if "slot" in attempt]
        for match, attempts in newest
        if attempts
    }
    found: Counter[tuple[int, str]] = Counter()
    seated = Entry.objects.filter(match__in=waits)
    for match, slot, bot, name in seated.values_list("match_id", "slot", "bot_id", "bot__name"):
        found[bot, name] += waits[match].count(slot)
    return [(bot, name, count) for (bot, name), count in found.most_common(10) if count]


def day(most: int = MOST) -> Day:
    """What was finished in each half hour, the newest last."""
    now = timezone.now()
    faults = Entry.objects.filter(match=OuterRef("pk")).order_by().values("match")
    ended = Match.all_objects.filter(finished_at__gt=now - SLOTS * SLOT).order_by("-finished_at")
    rows = ended.annotate(
        entry_faults=Subquery(faults.annotate(all=Sum("faults")).values("all"))
    ).values_list("finished_at", "started_at", "created_at", "worker", "entry_faults")[:most]
    met: dict[int, list[tuple[float, str, int]]] = defaultdict(list)
    read, earliest = 0, now
    for finished, started, created, worker, fault_count in rows:
        assert finished is not None
        waited = ((started or finished) - created).total_seconds()
        met[(now - finished) // SLOT].append((max(0.0, waited), worker, fault_count or 0))
        read, earliest = read + 1, finished
    is_cut = read == most
    whole = (now - earliest) // SLOT if is_cut else SLOTS  # the oldest is known in part only
    slots = [_half_hour(now - (back + 1) * SLOT, met[back]) for back in reversed(range(whole))]
    return Day(slots=slots, is_cut=is_cut)


def _half_hour(at: datetime, matches: list[tuple[float, str, int]]) -> HalfHour:
    waits = sorted(waited for waited, _, _ in matches)
    return HalfHour(
        at=at,
        matches_per_minute=len(matches) / (SLOT.total_seconds() / 60),
        median_wait_s=waits[len(waits) // 2] if waits else 0.0,
        faults=sum(faults for _, _, faults in matches),
        workers=len({worker for _, worker, _ in matches if worker}),
    )
