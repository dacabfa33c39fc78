"""What a bot's matches tell about it, for the site and the API.

Matches of private tournaments are left out: they are not for everyone to come across.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Max, Q

from engine.games import MAX_SEATS
from engine.results import PlayResult
from ladder.boards import Board
from ladder.models import Bot, Entry, Match, Play
from ladder.queries.matches import between, finished_of
from ladder.queries.shares import Share
from ladder.ratings.intervals import wilson

NEWEST = 400  # matches looked at
NEWEST_OF_TWO = 500
SEAT_COUNTS = range(1, MAX_SEATS + 1)


@dataclass(slots=True)
class Opponent:
    pk: int
    name: str
    sets: int = 0
    score: float = 0.0

    @property
    def share(self) -> Share:
        return Share(self.score / self.sets, *wilson(self.score, self.sets), self.sets)


@dataclass(slots=True)
class Figures:
    matches: int = 0
    opponents: list[Opponent] = field(default_factory=list)
    seats: list[tuple[int, Share]] = field(default_factory=list)
    faults: list[tuple[str, int]] = field(default_factory=list)
    cpu_us: float | None = None  # per decision
    memory_kb: int = 0  # the most in a match


@dataclass(frozen=True, slots=True)
class Record:
    """How often a version failed on one ladder."""

    seats: int
    matches: int
    faulty: int  # matches with a fault of its own in them
    last_faulty: int | None  # the newest of those


@dataclass(slots=True)
class Tally:
    """The first bot's record against the second on one board."""

    seats: int
    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def share(self) -> Share:
        n = self.won + self.drawn + self.lost
        score = self.won + self.drawn / 2
        return Share(score / n, *wilson(score, n), n)


def head_to_head(one: Bot, other: Bot) -> tuple[list[Tally], list[int]]:
    """Their record by seat count, and the matches it rests on, newest first."""
    met = between(one, other)
    mine = {
        match: (seats, place, points)
        for match, seats, place, points in met.values_list(
            "match_id", "match__seats", "place", "points"
        )[:NEWEST_OF_TWO]
    }
    tallies: dict[int, Tally] = {}
    theirs = Entry.objects.filter(bot=other, match__in=list(mine))
    for match, place, points in theirs.values_list("match_id", "place", "points"):
        seats, own_place, own_points = mine[match]
        if place is None or points is None or own_place is None or own_points is None:
            continue
        gap = Board(one.game, seats).gap((own_place, own_points), (place, points))
        tally = tallies.setdefault(seats, Tally(seats))
        tally.won += gap < 0
        tally.drawn += gap == 0
        tally.lost += gap > 0
    return [tallies[seats] for seats in sorted(tallies)], sorted(mine, reverse=True)


def records(versions: Iterable[int]) -> dict[int, list[Record]]:
    """By version, its record on each ladder that it has played on, fewest seats first."""
    played = Entry.objects.filter(
        version__in=list(versions),
        match__kind=Match.Kind.LADDER,
        match__status=Match.Status.FINISHED,
    )
    # One group for a version, as its index has them; a group for each board would be sorted.
    counts: dict[str, Count | Max] = {}
    for seats in SEAT_COUNTS:
        here = Q(match__seats=seats)
        failed = here & Q(faults__gt=0)
        counts[f"matches_{seats}"] = Count("pk", filter=here)
        counts[f"faulty_{seats}"] = Count("pk", filter=failed)
        counts[f"last_{seats}"] = Max("match_id", filter=failed)
    rows: Any = played.order_by().values("version").annotate(**counts)
    return {
        row["version"]: [
            Record(seats, matches, row[f"faulty_{seats}"], row[f"last_{seats}"])
            for seats in SEAT_COUNTS
            if (matches := row[f"matches_{seats}"])
        ]
        for row in rows
    }


def figures(bot: Bot, board: Board) -> Figures:
    """Results by opponent and by seat, faults, and what it used."""
    seated = finished_of(bot).filter(match__game=board.game, match__seats=board.seats)
    mine = {
        entry["match_id"]: entry
        for entry in seated.values(
            "match_id", "slot", "place", "points", "cpu_us", "decisions", "memory_kb"
        )[:NEWEST]
    }
    if not mine:
        return Figures()
    decisions = sum(entry["decisions"] for entry in mine.values())
    seats, faults = _seats_and_faults(mine)
    return Figures(
        matches=len(mine),
        opponents=_opponents(bot, board, mine),
        seats=seats,
        faults=faults,
        cpu_us=sum(e["cpu_us"] for e in mine.values()) / decisions if decisions else None,
        memory_kb=max(entry["memory_kb"] for entry in mine.values()),
    )


def _opponents(bot: Bot, board: Board, mine: Mapping[int, Mapping[str, Any]]) -> list[Opponent]:
    found: dict[int, Opponent] = {}
    others = Entry.objects.filter(match__in=list(mine)).exclude(bot=bot)
    for match, pk, name, place, points in others.values_list(
        "match_id", "bot_id", "bot__name", "place", "points"
    ):
        if place is None or points is None or mine[match]["place"] is None:
            continue
        gap = board.gap((mine[match]["place"], mine[match]["points"]), (place, points))
        opponent = found.setdefault(pk, Opponent(pk, name))
        opponent.sets += 1
        opponent.score += 1.0 if gap < 0 else 0.5 if gap == 0 else 0.0
    return sorted(found.values(), key=lambda one: (-one.sets, one.name))


def _seats_and_faults(
    mine: Mapping[int, Mapping[str, Any]],
) -> tuple[list[tuple[int, Share]], list[tuple[str, int]]]:
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
        (seat, Share(wins[seat] / n, *wilson(wins[seat], n), n))
        for seat, n in sorted(plays.items())
    ]
    return by_seat, faults.most_common()
