"""Two bots' record against each other."""

from __future__ import annotations

from typing import Any

from ladder.boards import Board
from ladder.models import Bot, Entry, Match
from ladder.ratings.intervals import wilson

NEWEST = 500  # matches looked at
COUNTED = (Match.Kind.LADDER, Match.Kind.CHALLENGE, Match.Kind.TOURNAMENT)


def head_to_head(one: Bot, other: Bot) -> list[dict[str, Any]]:
    """By seat count: sets won, drawn and lost by the first, with a 95% interval."""
    met = (
        Entry.objects.filter(
            bot=one,
            match__entries__bot=other,
            match__status=Match.Status.FINISHED,
            match__kind__in=COUNTED,
        )
        .order_by("-match_id")
        .values_list("match_id", "match__seats", "place", "points")[:NEWEST]
    )
    mine = {match: (seats, place, points) for match, seats, place, points in met}
    tallies: dict[int, list[int]] = {}
    theirs = Entry.objects.filter(bot=other, match__in=list(mine))
    for match, place, points in theirs.values_list("match_id", "place", "points"):
        seats, own_place, own_points = mine[match]
        if place is None or own_place is None:
            continue
        # Solo, everybody comes first at their own table: points tell.
        gap = own_points - points if Board(one.game, seats).is_solo else place - own_place
        tally = tallies.setdefault(seats, [0, 0, 0])
        tally[0 if gap > 0 else 1 if gap == 0 else 2] += 1
    return [_told(seats, *tallies[seats]) for seats in sorted(tallies)]


def _told(seats: int, won: int, drawn: int, lost: int) -> dict[str, Any]:
    sets, score = won + drawn + lost, won + drawn / 2
    low, high = wilson(score, sets)
    return {
        "seats": seats,
        "won": won,
        "drawn": drawn,
        "lost": lost,
        "share": round(score / sets, 4),
        "low": round(low, 4),
        "high": round(high, 4),
    }
