"""Matches that are being played: what their workers have told so far, and who sits where."""

from __future__ import annotations

from typing import Any

from engine.arena import plan
from ladder.models import Broadcast, Match
from ladder.queries.matches import MatchRow, rows, with_entries

SHOWN_KINDS = (Match.Kind.LADDER, Match.Kind.CHALLENGE, Match.Kind.TOURNAMENT)


def open_match(user: Any, pk: int) -> Match | None:
    """A match that waits or is played, with who sits at its table, if the user may see it."""
    return with_entries(user).open().filter(pk=pk).first()


def seatings(match: Match) -> list[tuple[int, ...]]:
    """The slot at each seat, for each play that a match under way is made of."""
    assert match.seed is not None
    return plan(match.board.rules, match.seats, len(match.entries.all()), match.seed)


def play(match: Match, index: int) -> Broadcast | None:
    """What has been told of a play that is not stored yet."""
    return Broadcast.objects.on_air().filter(match=match, index=index).first()


def of_match(match: Match) -> list[Broadcast]:
    """The plays of a running match of which something has been told, without their replays."""
    return list(Broadcast.objects.on_air().filter(match=match).defer("replay").order_by("index"))


def tables(count: int, **filters: Any) -> list[tuple[MatchRow, Broadcast]]:
    """The newest matches that everyone may watch while they are played, each with its play now."""
    shown = Broadcast.objects.on_air().visible_to(None).exclude(match__seats=1)
    named = {f"match__{name}": value for name, value in filters.items()}
    found = shown.filter(match__kind__in=SHOWN_KINDS, **named)
    latest = {one.match_id: one for one in found.defer("replay").order_by("match_id", "index")}
    ids = sorted(latest, reverse=True)[:count]
    return [(row, latest[row.id]) for row in rows(ids)]
