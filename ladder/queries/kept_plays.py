"""Plays that people keep, and who sat at their tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from django.db.models import QuerySet

from engine.games import GAMES
from ladder.models import KeptPlay, User

PERSON, HOUSE_BOT, PROGRAM = "person", "house bot", "program"


@dataclass(frozen=True, slots=True)
class KeptSeat:
    """What a replay says of a seat; only that a house bot's source is named can be checked."""

    name: str
    who: str
    place: int
    points: int


def kept_plays() -> QuerySet[KeptPlay]:
    return KeptPlay.objects.filter(owner__is_active=True).select_related("owner")


def newest_of(owner: User, count: int) -> list[KeptPlay]:
    return list(KeptPlay.objects.filter(owner=owner)[:count])


def seats_of(play: KeptPlay) -> list[KeptSeat]:
    return [
        KeptSeat(one["name"], _who(play.game, one["sha256"]), place, points)
        for one, place, points in zip(play.players, play.places, play.points, strict=True)
    ]


def _who(game: str, source: str) -> str:
    if not source:
        return PERSON
    return HOUSE_BOT if source in _house_sources(game) else PROGRAM


@cache
def _house_sources(game: str) -> frozenset[str]:
    files = GAMES[game].house_bots().values()
    return frozenset(sha256(path.read_bytes()).hexdigest() for path in files)
