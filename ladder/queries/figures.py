"""Statistics of a bot's matches, for the site and the API.

Matches of private tournaments are left out: they are not listed for everyone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from engine.results import PlayResult
from ladder.boards import Board
from ladder.contract.bots import Bot, FaultCount, Figures, Opponent, Record, SeatShare, Tally
from ladder.models import Entry, Match, Play, Rating
from ladder.ratings.intervals import wilson

NEWEST = 400  # matches looked at
NEWEST_OF_TWO = 500


def share_of(score: float, n: int) -> dict[str, float]:
    """A share of wins with its interval, as the contract has it."""
    low, high = wilson(score, n)
    return {"share": round(score / n, 4), "low": round(low, 4), "high": round(high, 4)}


def head_to_head(one: Bot, other: Bot) -> tuple[list[Tally], list[int]]:
    """Their record by seat count, and the matches it rests on, newest first."""
    met = _finished_of(one.id).filter(match__entries__bot=other.id)
    mine = {
        match: (seats, place, points)
        for match, seats, place, points in met.values_list(
            "match_id", "match__seats", "place", "points"
        )[:NEWEST_OF_TWO]
    }
    gaps: dict[int, list[float]] = defaultdict(list)
    theirs = Entry.objects.filter(bot=other.id, match__in=list(mine))
    for match, place, points in theirs.values_list("match_id", "place", "points"):
        seats, own_place, own_points = mine[match]
        if place is None or points is None or own_place is None or own_points is None:
            continue
        gap = Board(one.game, seats).gap((own_place, own_points), (place, points))
        gaps[seats].append(gap)
    return [_tally(seats, gaps[seats]) for seats in sorted(gaps)], sorted(mine, reverse=True)


def _tally(seats: int, gaps: list[float]) -> Tally:
    won, drawn = sum(gap < 0 for gap in gaps), sum(gap == 0 for gap in gaps)
    return Tally(
        seats=seats,
        won=won,
        drawn=drawn,
        lost=len(gaps) - won - drawn,
        **share_of(won + drawn / 2, len(gaps)),
    )


def records(versions: Iterable[int]) -> dict[int, list[Record]]:
    """By version, its record on each ladder that it has played on, fewest seats first.

    The matches are those that its ratings count; of its entries only the faulty ones are read.
    """
    failed = Entry.objects.filter(
        version=OuterRef("version"),
        faults__gt=0,
        match__kind=Match.Kind.LADDER,
        match__status=Match.Status.FINISHED,
        match__seats=OuterRef("seats"),
    )
    by_version = failed.order_by().values("version")
    rated = Rating.objects.filter(version__in=list(versions)).order_by()
    found: dict[int, list[Record]] = defaultdict(list)
    rows = rated.annotate(
        faulty=Coalesce(Subquery(by_version.values(count=Count("pk"))), 0),
        last=Subquery(by_version.values(last=Max("match_id"))),
    ).values_list("version", "seats", "sets", "faulty", "last")
    for version, seats, sets, faulty, last in sorted(rows, key=itemgetter(0, 1)):
        # The newest of them may not be rated yet.
        if matches := max(sets, faulty):
            record = Record(seats=seats, matches=matches, faulty=faulty, last_faulty=last)
            found[version].append(record)
    return dict(found)


def figures(bot: int, board: Board) -> Figures:
    """Results by opponent and by seat, faults, and what it used."""
    seated = _finished_of(bot).filter(match__game=board.game, match__seats=board.seats)
    used = ("match_id", "slot", "place", "points", "cpu_us", "decisions", "memory_kb")
    mine = {entry["match_id"]: entry for entry in seated.values(*used)[:NEWEST]}
    decisions = sum(entry["decisions"] for entry in mine.values())
    cpu_us = sum(entry["cpu_us"] for entry in mine.values())
    by_seat, faults = _seats_and_faults(mine)
    return Figures(
        game=board.game,
        seats=board.seats,
        matches=len(mine),
        opponents=_opponents(bot, board, mine) if mine else [],
        by_seat=by_seat,
        faults=faults,
        cpu_us=round(cpu_us / decisions, 1) if decisions else None,
        memory_kb=max((entry["memory_kb"] for entry in mine.values()), default=0),
    )


def _opponents(bot: int, board: Board, mine: Mapping[int, Mapping[str, Any]]) -> list[Opponent]:
    scores: dict[tuple[int, str], list[float]] = defaultdict(list)
    others = Entry.objects.filter(match__in=list(mine)).exclude(bot=bot)
    for match, pk, name, place, points in others.values_list(
        "match_id", "bot_id", "bot__name", "place", "points"
    ):
        if place is None or points is None or mine[match]["place"] is None:
            continue
        gap = board.gap((mine[match]["place"], mine[match]["points"]), (place, points))
        scores[pk, name].append(1.0 if gap < 0 else 0.5 if gap == 0 else 0.0)
    found = [
        Opponent(bot=pk, name=name, sets=len(own), **share_of(sum(own), len(own)))
        for (pk, name), own in scores.items()
    ]
    return sorted(found, key=lambda one: (-one.sets, one.name))


def _seats_and_faults(
    mine: Mapping[int, Mapping[str, Any]],
) -> tuple[list[SeatShare], list[FaultCount]]:
    wins: dict[int, float] = defaultdict(float)
    plays: Counter[int] = Counter()
    faults: Counter[str] = Counter()
    for match, seating, places, found in Play.objects.filter(match__in=list(mine)).values_list(
        "match_id", "seating", "places", "faults"
    ):
        slot = mine[match]["slot"]
        shares = PlayResult(seating, places, (), {}, {}, {}).win_shares
        for seat, at in enumerate(seating):
            if at == slot:
                plays[seat] += 1
                wins[seat] += shares[slot]
        faults.update(fault["kind"] for fault in found if seating[fault["seat"]] == slot)
    by_seat = [
        SeatShare(seat=seat, plays=n, **share_of(wins[seat], n))
        for seat, n in sorted(plays.items())
    ]
    return by_seat, [FaultCount(kind=kind, count=n) for kind, n in faults.most_common()]


def _finished_of(bot: int) -> QuerySet[Entry]:
    """A bot's places in finished matches that are listed for everyone, newest first.

    Those against its own versions and those for spectators say nothing about it.
    """
    among_others = ~Q(match__kind__in=[Match.Kind.TRIAL, Match.Kind.EXHIBITION])
    finished = Entry.objects.filter(among_others, bot=bot, match__status=Match.Status.FINISHED)
    return finished.visible_to(None).order_by("-match_id")
