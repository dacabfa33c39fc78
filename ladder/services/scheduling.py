"""What the scheduler does in each turn: rate what is ready, and keep the workers busy."""

from __future__ import annotations

import secrets
from collections import Counter
from dataclasses import replace
from datetime import datetime
from functools import partial
from random import Random

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Max, Min, Q

from ladder.boards import BOARDS, Board
from ladder.jobs.nudges import nudge
from ladder.models import Entry, Match, Rating, Tick, Version
from ladder.ratings.matchmaking import PROVISIONAL_WEIGHT, Candidate, Seating, next_seating
from ladder.services import matches

TOP = 16
TICK_MATCHES = 4
PATIENT_SHARE = 0.25  # of turns in which the longest wait counts, not the latest arrival
SOLO_SEEDS = 2
SOLO_TABLE = 8
RESTED_GAMES = 2000  # a board where everyone has this many has little left to tell


def fill_queue() -> int:
    """Create ticks, most needed board first, until enough ladder matches wait; how many ticks."""
    waiting = Match.objects.waiting().filter(kind=Match.Kind.LADDER).count()
    created = 0
    for board in _boards_by_need() if waiting < settings.QUEUE_TARGET else ():
        if waiting >= settings.QUEUE_TARGET:
            break
        tick = create_tick(board)
        if tick is not None:
            created += 1
            waiting += tick.matches.count()
    return created


def create_tick(board: Board, rng: Random | None = None) -> Tick | None:
    """The next batch of rated matches of a board; None if no table can be filled."""
    rng = rng or Random(secrets.randbits(64))
    candidates = _candidates(board)
    tables = _solo_tables(candidates) if board.is_solo else _tables(board, candidates, rng)
    if not tables:
        return None
    with transaction.atomic():
        last = Tick.objects.on(board).aggregate(last=Max("number"))["last"] or 0
        tick = Tick.objects.create(game=board.game, seats=board.seats, number=last + 1)
        versions = Version.objects.in_bulk({c.id for table in tables for c in table.candidates})
        for table in tables:
            matches.queue(
                kind=Match.Kind.LADDER,
                game=board.game,
                seats=board.seats,
                versions=[versions[candidate.id] for candidate in table.candidates],
                why=table.why,
                tick=tick,
                wake=False,
            )
        # A worker that is awake plays all that waits.
        nudge(Match.PRIORITY[Match.Kind.LADDER], min(len(tables), settings.WORKERS))
    return tick


def _boards_by_need() -> list[Board]:
    """Boards without an open tick that have something to learn, the most urgent first.

    The latest arrivals go first, until they are established; but now and then, and where there
    are none, the longest wait decides, so that nobody starves under a stream of uploads.
    """
    busy = {tick.board for tick in Tick.objects.unapplied()}
    rows = (
        Rating.objects.listed()
        .filter(is_anchor=False)
        .values("game", "seats")
        .annotate(
            arrived=Max("version__created_at", filter=Q(is_provisional=True)),
            newest=Min("effective_games", filter=Q(is_provisional=True)),
            others=Min("effective_games", filter=Q(is_provisional=False)),
        )
    )
    urgency: dict[Board, tuple[int, float]] = {}
    patient = Random().random() < PATIENT_SHARE
    for row in rows:
        waits = [
            row["others"],
            None if row["newest"] is None else row["newest"] / PROVISIONAL_WEIGHT,
        ]
        wait = min(one for one in waits if one is not None)
        if wait < RESTED_GAMES:
            arrived = 0 if patient or row["arrived"] is None else _minute(row["arrived"])
            urgency[Board(row["game"], row["seats"])] = (-arrived, wait)
    due = [board for board in BOARDS if board in urgency and board not in busy]
    # Shuffled before the stable sort, so that boards with equal waits take turns.
    return sorted(Random().sample(due, len(due)), key=lambda board: urgency[board])


def _minute(moment: datetime) -> int:
    return int(moment.timestamp() // 60)


def _candidates(board: Board) -> list[Candidate]:
    """Everyone who may be seated, the latest arrivals first."""
    top = set(
        Rating.objects.on(board).ranked().by_rank().values_list("version_id", flat=True)[:TOP]
    )
    rows = Rating.objects.on(board).listed().order_by("-version__created_at")
    columns = ["version_id", "bot__name", "milli", "effective_games", "bot__owner_id"]
    return [
        Candidate(
            id=version,
            name=name,
            rating=milli / 1000,
            games=games,
            owner=owner,
            is_provisional=provisional,
            is_top=version in top,
            is_house=anchor,
        )
        for version, name, milli, games, owner, provisional, anchor in rows.values_list(
            *columns, "is_provisional", "is_anchor"
        )
    ]


def _tables(board: Board, candidates: list[Candidate], rng: Random) -> list[Seating]:
    """Tables of a tick: all but the last for a newcomer if there is one, else by waiting time."""
    tables: list[Seating] = []
    met: dict[frozenset[object], int] = {}
    asked: set[object] = set()
    gained = board.sides * 3 * (board.sides - 1) / (board.sides + 1)
    hopeful = [candidate for candidate in candidates if not candidate.is_house]
    newcomers = [candidate.id for candidate in hopeful if candidate.is_provisional][:1]
    for number in range(min(TICK_MATCHES, 2 * len(hopeful))):
        by_id = {candidate.id: candidate for candidate in candidates}
        newcomer = by_id[newcomers[0]] if newcomers and number < TICK_MATCHES - 1 else None
        seeker = newcomer or min(
            (one for one in candidates if not one.is_house), key=lambda one: one.virtual_time
        )
        if seeker.id not in asked:
            asked.add(seeker.id)
            met |= _meetings(board, seeker.id)
        seat = partial(next_seating, candidates, met, seats=board.sides, rng=rng, newcomer=newcomer)
        # A young board may have too few established bots for the rule of one newcomer a table.
        table = seat() or seat(provisional_limit=board.sides)
        if table is None:
            break
        tables.append(table)
        seated = {candidate.id for candidate in table.candidates}
        candidates = [
            replace(c, games=c.games + gained) if c.id in seated else c for c in candidates
        ]
        for other in seated - {table.candidates[0].id}:
            pair = frozenset((table.candidates[0].id, other))
            met[pair] = met.get(pair, 0) + 1
    return tables


def _meetings(board: Board, version: object) -> dict[frozenset[object], int]:
    rows = (
        Entry.objects.filter(
            match__entries__version=version,
            match__kind=Match.Kind.LADDER,
            match__game=board.game,
            match__seats=board.seats,
        )
        .exclude(version=version)
        .values_list("version")
        .annotate(times=Count("pk"))
    )
    return Counter({frozenset((version, other)): times for other, times in rows})


def _solo_tables(candidates: list[Candidate]) -> list[Seating]:
    """The same versions on a few shared seeds: those that waited longest, and the house bots."""
    house = [candidate for candidate in candidates if candidate.is_house]
    waiting = sorted((c for c in candidates if not c.is_house), key=lambda c: c.virtual_time)
    newcomer = next((c for c in candidates if c.is_provisional and not c.is_house), None)
    if newcomer is not None:
        waiting.remove(newcomer)
        waiting.insert(0, newcomer)
    table = waiting[: max(2, SOLO_TABLE - len(house))] + house
    if not waiting or len(table) < 2:
        return []
    why = (
        f"{waiting[0].name} {'is new and goes first' if newcomer else 'has waited longest'}"
        f" ({waiting[0].games:.0f} games); the others play the same seeds for comparison."
    )
    return [Seating(tuple(table), why)] * SOLO_SEEDS
