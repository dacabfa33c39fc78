"""Matches that are being played: what their workers have reported so far, and who sits where."""

from __future__ import annotations

from typing import Any

from engine.arena import plan
from ladder.boards import Board
from ladder.contract.accounts import Reader
from ladder.contract.matches import Match as MatchValue
from ladder.contract.matches import OnAir, OpenMatch
from ladder.models import Broadcast, Match
from ladder.queries.matches import rows
from ladder.queries.values import Reading

SHOWN_KINDS = (
    *(Match.Kind.LADDER, Match.Kind.CHALLENGE, Match.Kind.TOURNAMENT),
    Match.Kind.EXHIBITION,
)
ON_AIR = Reading(OnAir, match="match_id")


def open_match(reader: Reader, pk: int) -> OpenMatch | None:
    """A match that waits or is played, with who sits at its table, if the reader may see it."""
    seeds = Match.objects.visible_to(reader).open().filter(pk=pk).values_list("seed", flat=True)
    seed = list(seeds[:1])
    if not seed:
        return None
    (match,) = rows([pk])
    if match.status == "queued" or seed[0] is None:
        return OpenMatch(match=match, seatings=[])
    rules = Board(match.game, match.seats).rules
    due = plan(rules, match.seats, len(match.entries), seed[0])
    return OpenMatch(match=match, seatings=[list(seating) for seating in due])


def play(match: int, index: int) -> OnAir | None:
    """What workers have reported of a play that is not stored yet."""
    return ON_AIR.first(Broadcast.objects.on_air().filter(match=match, index=index))


def replay(told: OnAir) -> bytes:
    """The play as far as it has been reported, gzipped."""
    found = Broadcast.objects.filter(match=told.match, index=told.index)
    return bytes(found.values_list("replay", flat=True)[0])


def of_match(match: int) -> list[OnAir]:
    """The plays of a running match that have been reported on."""
    return ON_AIR(Broadcast.objects.on_air().filter(match=match).order_by("index"))


def tables(count: int, **filters: Any) -> list[tuple[MatchValue, OnAir]]:
    """The newest matches that everyone may watch while they are played, each with its play now."""
    shown = Broadcast.objects.on_air().visible_to(None).exclude(match__seats=1)
    named = {f"match__{name}": value for name, value in filters.items()}
    found = shown.filter(match__kind__in=SHOWN_KINDS, **named)
    latest = ON_AIR.by("match_id", found.order_by("match_id", "index"))
    ids = sorted(latest, reverse=True)[:count]
    return [(row, latest[row.id]) for row in rows(ids)]
