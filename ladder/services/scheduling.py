"""What keeps the workers busy: ticks for the boards and bots that need them most."""

from __future__ import annotations

import secrets
from datetime import timedelta
from random import Random
from typing import Any

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Max, Min
from django.db.models.functions import Lower, Now

from ladder.boards import BOARDS, Board
from ladder.models import BoardFit, Bot, Entry, Match, Rating, Tick
from ladder.models.rating import RatingQuerySet
from ladder.ratings.matchmaking import (
    SOLO_SEEDS,
    TICK_TABLES,
    Candidate,
    Seating,
    queue_of,
    solo_table,
    tick_tables,
)
from ladder.services import matches

log = structlog.get_logger(__name__)

TOP = 16
REST = timedelta(hours=6)  # between ticks of a board on which everybody is settled
WHOLE_BOARD = 200  # bots up to which all are looked at; beyond that
NEIGHBOURS = 15  # so many on either side of those who need a table,
STRANGERS = 100  # and whoever of so many lots is on the board
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
)


def fill_queue() -> int:
    """Create ticks, most needed board first, until enough ladder matches wait; how many ticks."""
    waiting = Match.everything.waiting().filter(kind=Match.Kind.LADDER).count()
    created = 0
    if waiting >= settings.QUEUE_TARGET:
        return created
    for board, is_resting in _boards_by_need():
        if waiting >= settings.QUEUE_TARGET:
            break
        tick = create_tick(board, is_resting=is_resting)
        if tick is not None:
            created += 1
            waiting += tick.matches.count()
    return created


def create_tick(
    board: Board, rng: Random | None = None, *, is_resting: bool = False
) -> Tick | None:
    """The next batch of rated matches of a board; None if nobody needs one or can be seated.

    Where everybody is settled nobody needs one: a resting board is given a tick nevertheless.
    """
    rng = rng or Random(secrets.randbits(64))
    on_board = Rating.objects.on(board).listed()
    # Counted no further than need be.
    if board.is_solo or on_board.order_by()[: WHOLE_BOARD + 1].count() <= WHOLE_BOARD:
        rows, anyone = list(on_board.order_by("version_id").values(*COLUMNS)), None
    else:
        rows, anyone = _part_of(board, on_board, rng)
    by_version = {row["version_id"]: row for row in rows}
    candidates = _candidates(board, rows, is_resting)
    if board.is_solo:
        table = solo_table(candidates)
        tables = [table] * SOLO_SEEDS if table is not None else []
    else:
        tables = tick_tables(
            candidates, lambda one: _meetings(board, one), seats=board.sides, rng=rng, anyone=anyone
        )
    if not tables:
        return None
    with transaction.atomic():
        last = Tick.objects.on(board).aggregate(last=Max("number"))["last"] or 0
        tick = Tick.objects.create(game=board.game, seats=board.seats, number=last + 1)
        matches.queue_ladder(tick, [(table.why, _seats(table, by_version)) for table in tables])
    log.info("tick created", board=str(board), tick=tick.number, matches=len(tables))
    return tick


def _boards_by_need() -> list[tuple[Board, bool]]:
    """Boards without an open tick, the neediest first, and whether they only rest.

    That is the one where somebody without a rank has the fewest sets, then the one where a ranked
    one has. Where all are settled a tick is due after a long rest.
    """
    busy = {tick.board for tick in Tick.objects.unapplied()}
    players = Rating.objects.listed().filter(is_anchor=False)
    needy = players.filter(is_settled=False).values("game", "seats", "is_provisional")
    urgency: dict[Board, tuple[bool, int]] = {}
    for row in needy.annotate(fewest=Min("sets")):
        board, need = Board(row["game"], row["seats"]), (not row["is_provisional"], row["fewest"])
        urgency[board] = min(urgency.get(board, need), need)
    due = [board for board in BOARDS if board in urgency and board not in busy]
    # Shuffled before the stable sort, so that boards with equal needs take turns.
    found = sorted(Random().sample(due, len(due)), key=lambda board: urgency[board])
    if found:
        return [(board, False) for board in found]
    rested = BoardFit.objects.filter(fitted_at__lt=Now() - REST).order_by("fitted_at")
    boards = [Board(one.game, one.seats) for one in rested]
    return [(board, True) for board in boards if board not in busy and board not in urgency]


def _candidates(board: Board, rows: list[dict[str, Any]], is_resting: bool) -> list[Candidate]:
    ranked = sorted((row["milli"] for row in rows if not row["is_provisional"]), reverse=True)
    top = ranked[:TOP][-1] if ranked else 0
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
        )
        for row in rows
    ]


def _part_of(
    board: Board, on_board: RatingQuerySet, rng: Random
) -> tuple[list[dict[str, Any]], set[int]]:
    """Of a large board those who need tables, their neighbours, house bots and some strangers.

    The neighbours are near in rating for certain; who is met whatever the rating is one of the
    strangers, whose versions are the second answer.
    """
    found: dict[int, dict[str, Any]] = {}

    def take(rows: RatingQuerySet) -> list[dict[str, Any]]:
        taken = list(rows.values(*COLUMNS))
        found.update((row["version_id"], row) for row in taken)
        return taken

    needy = on_board.filter(is_anchor=False, is_settled=False).order_by("sets", "version_id")
    waiting = take(needy.filter(is_provisional__in=[True])[:TICK_TABLES])
    waiting += take(needy.filter(is_provisional__in=[False])[:TICK_TABLES])
    waiting += take(on_board.ranked().by_rank()[:TOP])
    take(on_board.filter(is_anchor=True, bot__in=_house_bots(board)))
    candidates = _candidates(board, waiting, is_resting=False)
    seekers = queue_of(candidates)[:TICK_TABLES]
    take(on_board.filter(pk__in=_near(board, {found[one.id]["milli"] for one in seekers})))
    versions = Rating.objects.on(board).order_by("version_id").values_list("version_id", flat=True)
    first, last = versions[:1].get(), versions.reverse()[:1].get()
    lots = [rng.randint(first, last) for _ in range(STRANGERS)]
    strangers = take(on_board.filter(version__in=lots))
    return list(found.values()), {row["version_id"] for row in strangers}


def _house_bots(board: Board) -> list[int]:
    """By name, which is indexed: only bots of the house may be called so."""
    names = [f"house {short}" for short in board.rules.anchors()[board.seats]]
    named = Bot.objects.filter(game=board.game).annotate(small=Lower("name"))
    return list(named.filter(small__in=names).values_list("pk", flat=True))


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
