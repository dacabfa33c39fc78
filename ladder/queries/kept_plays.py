"""Plays that people keep, and who sat at their tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from django.db.models import QuerySet

from engine.games import GAMES
from ladder.models import KeptPlay, Version

PERSON, HOUSE_BOT, PROGRAM = "person", "house bot", "program"


@dataclass(frozen=True, slots=True)
class KeptSeat:
    """What a replay says of a seat, and whether that is known to be so."""

    name: str
    who: str
    is_verified: bool  # the owner's own seat or bot, or a house bot by its source
    place: int
    points: int


def kept_plays() -> QuerySet[KeptPlay]:
    return KeptPlay.objects.filter(owner__is_active=True).select_related("owner")


def newest_of(owner: int, count: int) -> list[KeptPlay]:
    return list(KeptPlay.objects.filter(owner=owner)[:count])


def seats_of(play: KeptPlay) -> list[KeptSeat]:
    return [
        KeptSeat(one["name"], *_who(play, one["name"], one["sha256"]), place, points)
        for one, place, points in zip(play.players, play.places, play.points, strict=True)
    ]


def _who(play: KeptPlay, name: str, source: str) -> tuple[str, bool]:
    if not source:
        return PERSON, name == play.owner.username
    if (house := _house_sources(play.game).get(source)) is not None:
        return HOUSE_BOT, name.lower() == f"house {house}"
    # Sources of others are named in public records, and a replay proves no program's choice.
    own = Version.objects.filter(bot__owner=play.owner_id, bot__game=play.game, bot__name=name)
    return PROGRAM, own.filter(sha256=source).exists()


@cache
def _house_sources(game: str) -> dict[str, str]:
    """The house bots' short names, by the SHA-256 of their sources."""
    files = GAMES[game].house_bots()
    return {sha256(path.read_bytes()).hexdigest(): short for short, path in files.items()}
