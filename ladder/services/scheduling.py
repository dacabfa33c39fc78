"""What keeps the workers busy: ticks for the boards and bots that need them most."""

from __future__ import annotations

import heapq
import math
import secrets
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from operator import itemgetter
from random import Random
from typing import Any, Self

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Max, Min
from django.db.models.functions import Now
from django.utils import timezone

from ladder.boards import BOARDS, Board
from ladder.models import BoardFit, Bot, Entry, Match, Rating, Tick, Worker
from ladder.models.rating import RatingQuerySet
from ladder.ratings.matchmaking import (
    AT_ONCE,
    TICK_TABLES,
    Candidate,
    Seating,
    next_ticks,
    queue_of,
    solo_ticks,
)
from ladder.services import matches

log = structlog.get_logger(__name__)

STOCK = 2  # matches kept waiting for each process of a worker
SECOND = timedelta(seconds=1)
TOP = 16
REST = timedelta(hours=6)  # between ticks of a board on which everybody is settled
WHOLE_BOARD = 200  # bots up to which all are looked at; beyond that
NEIGHBOURS = 15  # this many on either side of those who need a table,
STRANGERS = 100  # and whoever of this many lots is on the board
OWNERS_TURNS = 4  # newcomers looked at for each table, so that owners can take turns
COLUMNS = (
    "version_id",
    "bot_id",
    "bot__name",
    "bot__owner_id",
    "milli",
    "variance",
    "sets",
    "is_provisional",
    "is_settled",
    "is_anchor",
    "turn_at",
)


@dataclass
class Queued:
    """What is arranged on the ladders and not over: matches by board, and who is in them."""

    matches: Counter[Board] = field(default_factory=Counter)
    seats: Counter[tuple[Board, int]] = field(default_factory=Counter)  # by version

    @classmethod
    def now(cls, board: Board | None = None) -> Self:
        found = cls()
        # One status after the other, their few ids first: SQLite would read a whole index.
        for some in (Match.all_objects.waiting(), Match.all_objects.running()):
            some = some.filter(kind=Match.Kind.LADDER)
            few = (some if board is None else some.on(board)).order_by().values("pk")
            rows = Entry.objects.filter(match__in=few).order_by()
            for game, seats, slot, version in rows.values_list(
                "match__game", "match__seats", "slot", "version_id"
            ):
                place = Board(game, seats)
                found.matches[place] += slot == 0
                found.seats[place, version] += 1
        return found


def fill_queue() -> int:
    """Create ticks until enough ladder matches wait for the workers; how many ticks.

    A board may have any number of open ticks, so a slow match holds up nobody. They are shared out
    so that every board has about as many open matches; among equals the neediest goes first.
    """
    wanted = _wanted()
    if wanted <= 0:
        return 0
    queued, created = Queued.now(), 0
    boards = _boards_by_need()
    while wanted > 0 and boards:
        for board, share in _shared_out(wanted, boards, queued).items():
            most = min(share, AT_ONCE)
            ticks = create_ticks(board, most, queued=queued)
            created += len(ticks)
            wanted -= sum(ticks.values())
            if len(ticks) < most:  # nobody there needs more for now
                boards.remove(board)
    rested = _rested_boards(queued) if wanted > 0 else []
    while wanted > 0 and rested:
        ticks = create_ticks(rested.pop(0), 1, queued=queued, is_resting=True)
        created += len(ticks)
        wanted -= sum(ticks.values())
    return created


def _wanted() -> int:
    """How many more ladder matches should wait: as many as are played until the next look.

    That is two for each process, or what ended within the last second where plays are short.
    """
    ladder = Match.all_objects.filter(kind=Match.Kind.LADDER)
    waiting = ladder.waiting().count()
    able = Worker.objects.alive().filter(problem="").count()
    target = max(settings.QUEUE_TARGET, STOCK * able * settings.WORKERS)
    if waiting < target // 2:
        target = max(target, ladder.finished().filter(finished_at__gt=Now() - SECOND).count())
    return target - waiting


def _shared_out(wanted: int, boards: list[Board], queued: Queued) -> dict[Board, int]:
    """How many ticks each board is to get; the boards are listed by need."""
    heap = [
        (queued.matches[board] // TICK_TABLES, place, board) for place, board in enumerate(boards)
    ]
    heapq.heapify(heap)
    shares: Counter[Board] = Counter()
    for _ in range(math.ceil(wanted / TICK_TABLES)):
        level, place, board = heap[0]
        shares[board] += 1
        heapq.heapreplace(heap, (level + 1, place, board))
    return dict(sorted(shares.items(), key=lambda one: boards.index(one[0])))


def create_tick(
    board: Board, rng: Random | None = None, *, is_resting: bool = False
) -> Tick | None:
    """The next batch of rated matches of a board; None if nobody needs one or can be seated."""
    queued = Queued.now(board)
    return next(iter(create_ticks(board, 1, queued=queued, rng=rng, is_resting=is_resting)), None)


def create_ticks(
    board: Board,
    most: int,
    *,
    queued: Queued,
    rng: Random | None = None,
    is_resting: bool = False,
) -> dict[Tick, int]:
    """The next batches of rated matches of a board, `most` at most, and how many are in each.

    Where everybody is settled nobody needs one: a resting board is given a tick nevertheless.
    """
    rng = rng or Random(secrets.randbits(64))
    on_board = Rating.objects.on(board).listed()
    # Counted no further than need be.
    if board.is_solo or on_board.order_by()[: WHOLE_BOARD + 1].count() <= WHOLE_BOARD:
        rows, anyone = list(on_board.order_by("version_id").values(*COLUMNS)), None
    else:
        rows, anyone = _part_of(board, on_board, rng, most * TICK_TABLES, queued)
    by_version = {row["version_id"]: row for row in rows}
    candidates = _candidates(board, rows, queued, is_resting)
    if board.is_solo:
        drawn = solo_ticks(candidates, most)
    else:
        drawn = next_ticks(
            candidates,
            lambda one: _meetings(board, one),
            seats=board.sides,
            rng=rng,
            anyone=anyone,
            most=most,
        )
    if not drawn:
        return {}
    with transaction.atomic():
        last = Tick.objects.on(board).aggregate(last=Max("number"))["last"] or 0
        ticks = Tick.objects.bulk_create(
            Tick(game=board.game, seats=board.seats, number=last + 1 + place)
            for place in range(len(drawn))
        )
        created = {tick: len(tables) for tick, tables in zip(ticks, drawn, strict=True)}
        matches.queue_ladder(
            (tick, table.why, _seats(table, by_version))
            for tick, tables in zip(ticks, drawn, strict=True)
            for table in tables
        )
    for tick, count in created.items():
        log.info("tick created", board=str(board), tick=tick.number, matches=count)
    for tables in drawn:
        queued.matches[board] += len(tables)
        for table in tables:
            queued.seats.update((board, one.id) for one in table.candidates)
    return created


def _boards_by_need() -> list[Board]:
    """Boards where somebody needs a table, the neediest first.

    That is the one where somebody without a rank has the fewest sets, then the one where a ranked
    one has.
    """
    players = Rating.objects.listed().filter(is_anchor=False)
    needy = players.filter(is_settled=False).values("game", "seats", "is_provisional")
    urgency: dict[Board, tuple[bool, int]] = {}
    for row in needy.annotate(fewest=Min("sets")):
        board, need = Board(row["game"], row["seats"]), (not row["is_provisional"], row["fewest"])
        urgency[board] = min(urgency.get(board, need), need)
    due = [board for board in BOARDS if board in urgency]
    # Shuffled before the stable sort, so that boards with equal needs take turns.
    return sorted(Random().sample(due, len(due)), key=lambda board: urgency[board])


def _rested_boards(queued: Queued) -> list[Board]:
    """Boards where nothing was rated for long and nothing is open: where all are settled."""
    rested = BoardFit.objects.filter(fitted_at__lt=Now() - REST).order_by("fitted_at")
    boards = [Board(one.game, one.seats) for one in rested]
    return [board for board in boards if not queued.matches[board]]


def _candidates(
    board: Board, rows: list[dict[str, Any]], queued: Queued, is_resting: bool
) -> list[Candidate]:
    ranked = sorted((row["milli"] for row in rows if not row["is_provisional"]), reverse=True)
    top = ranked[:TOP][-1] if ranked else 0
    now = timezone.now()
    return [
        Candidate(
            id=row["version_id"],
            name=row["bot__name"],
            rating=row["milli"] / 1000,
            sets=row["sets"],
            owner=row["bot__owner_id"],
            is_ranked=not row["is_provisional"],
            is_top=not row["is_provisional"] and row["milli"] >= top,
            is_house=row["is_anchor"],
            is_settled=row["is_settled"] and not is_resting,
            variance=row["variance"],
            open=queued.seats[board, row["version_id"]],
            turn_in=(row["turn_at"] - now).total_seconds(),
        )
        for row in rows
    ]


def _part_of(
    board: Board, on_board: RatingQuerySet, rng: Random, tables: int, queued: Queued
) -> tuple[list[dict[str, Any]], set[int]]:
    """Of a large board those who need tables, their neighbours, house bots and some strangers.

    The neighbours are near in rating for certain; who is met whatever the rating is one of the
    strangers, whose versions are the second answer.
    """
    needy = on_board.filter(is_anchor=False, is_settled=False)
    unranked = needy.filter(is_provisional__in=[True])
    ranked = needy.filter(is_provisional__in=[False])
    # Of the neediest some are seated already. Enough newcomers that several owners are among them.
    enough = tables + sum(place == board for place, _ in queued.seats)
    top = list(on_board.ranked().by_rank()[:TOP].values(*COLUMNS))
    waiting = {row["version_id"]: row for row in top}
    for some in (
        unranked.filter(sets=0).order_by("-version_id")[: OWNERS_TURNS * enough],
        *_begun(unranked, enough),
        ranked.order_by("sets", "version_id")[:enough],
    ):
        waiting.update((row["version_id"], row) for row in some.values(*COLUMNS))
    in_order = sorted(waiting.values(), key=itemgetter("version_id"))
    seekers = queue_of(_candidates(board, in_order, queued, is_resting=False))[:tables]
    found = {row["version_id"]: row for row in top}
    found |= {one.id: waiting[one.id] for one in seekers}

    def take(rows: RatingQuerySet) -> list[dict[str, Any]]:
        taken = list(rows.values(*COLUMNS))
        found.update((row["version_id"], row) for row in taken)
        return taken

    take(on_board.filter(is_anchor=True, bot__in=_house_bots(board)))
    near = _near(board, {waiting[one.id]["milli"] for one in seekers})
    take(on_board.filter(pk__in=near))
    versions = Rating.objects.on(board).order_by("version_id").values_list("version_id", flat=True)
    first, last = versions[:1].get(), versions.reverse()[:1].get()
    lots = [rng.randint(first, last) for _ in range(STRANGERS)]
    strangers = take(on_board.filter(version__in=lots))
    rows = sorted(found.values(), key=itemgetter("version_id"))
    return rows, {row["version_id"] for row in strangers}


def _begun(unranked: RatingQuerySet, enough: int) -> Iterator[RatingQuerySet]:
    """Those on their way to a rank, the most sets first; others than whose turn it is if needed."""
    begun = unranked.filter(sets__gt=0).order_by("-sets", "turn_at")
    due = begun.filter(turn_at__lte=timezone.now())
    yield due[:enough]
    if due[:enough].count() < enough:
        yield begun[: 2 * enough]


def _house_bots(board: Board) -> list[int]:
    slugs = list(board.rules.anchors()[board.seats])
    house = Bot.objects.filter(game=board.game, house_slug__in=slugs).exclude(house_slug="")
    return list(house.values_list("pk", flat=True))


def _near(board: Board, ratings: set[int]) -> list[int]:
    """The rows next above and below each of these ratings, with a rank and without.

    One statement by hand: to put sixteen together takes Django longer than to answer them.
    """
    part = (
        f"SELECT id FROM (SELECT id FROM {Rating._meta.db_table} WHERE game = %s AND seats = %s"
        " AND is_listed AND is_provisional IN (%s) AND milli {} %s ORDER BY milli {} LIMIT %s) AS n"
    )
    parts: list[str] = []
    lines: list[str | int] = []
    for milli in ratings:
        for is_provisional in (False, True):
            for way, order in ((">=", "ASC"), ("<", "DESC")):
                parts.append(part.format(way, order))
                lines += [board.game, board.seats, is_provisional, milli, NEIGHBOURS]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts), lines)
        return [row[0] for row in cursor.fetchall()]


def _seats(table: Seating, rows: dict[int, dict[str, Any]]) -> list[matches.Seat]:
    seated = [rows[one.id] for one in table.candidates]
    return [
        matches.Seat(
            row["bot_id"], row["version_id"], None if row["is_provisional"] else row["milli"]
        )
        for row in seated
    ]


def _meetings(board: Board, version: Any) -> dict[Any, int]:
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
    return dict(rows)
