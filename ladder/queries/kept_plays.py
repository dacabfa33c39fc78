"""Plays that people keep, and who sat at their tables."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from typing import Any, Literal

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from engine.games import GAMES
from ladder.contract.operation import KeptPlay, KeptSeat
from ladder.models import KeptPlay as KeptPlayRow
from ladder.models import Version
from ladder.queries.values import Reading

Who = Literal["person", "house bot", "program"]


def find(pk: int) -> KeptPlay | None:
    return KEPT.first(_kept().filter(pk=pk))


def newest_of(owner: int, count: int) -> list[KeptPlay]:
    return KEPT(KeptPlayRow.objects.filter(owner=owner, owner__is_active=True)[:count])


def _kept() -> QuerySet[KeptPlayRow]:
    guests = Q(owner=None, created_at__gt=guests_since())
    return KeptPlayRow.objects.filter(Q(owner__is_active=True) | guests)


def guests_since() -> datetime:
    """Plays that guests shared before this moment are forgotten."""
    return timezone.now() - timedelta(days=settings.KEEP_GUEST_PLAYS_DAYS)


def house_bot(game: str, sha256: str) -> str | None:
    """The short name of the house bot with this source."""
    return _house_sources(game).get(sha256)


def has_open_source(game: str, name: str, sha256: str) -> bool:
    """Whether a bot of this name shows everyone a version with this source."""
    named = Version.objects.filter(bot__game=game, bot__name=name, sha256=sha256)
    return named.filter(bot__is_source_public=True).exists()


def _seated(
    owner: int | None,
    owner_name: str | None,
    game: str,
    players: list[dict[str, str]],
    places: list[int],
    points: list[int],
) -> list[KeptSeat]:
    seated = []
    for one, place, score in zip(players, places, points, strict=True):
        who, is_verified = _who(owner, owner_name, game, one["name"], one["sha256"])
        seated.append(
            KeptSeat(name=one["name"], who=who, is_verified=is_verified, place=place, points=score)
        )
    return seated


def _who(
    owner: int | None, owner_name: str | None, game: str, name: str, source: str
) -> tuple[Who, bool]:
    if not source:
        # A guest claims to be nobody.
        return "person", owner_name is None or name == owner_name
    if (house := _house_sources(game).get(source)) is not None:
        return "house bot", name.lower() == f"house {house}"
    # Sources of others are named in public records, and a replay proves no program's choice.
    own = Version.objects.filter(bot__owner=owner, bot__game=game, bot__name=name)
    return "program", own.filter(sha256=source).exists()


@cache
def _house_sources(game: str) -> dict[str, str]:
    """The house bots' short names, by the SHA-256 of their sources."""
    files = GAMES[game].house_bots()
    return {sha256(path.read_bytes()).hexdigest(): short for short, path in files.items()}


SEATED: tuple[Any, ...] = (_seated, "owner_id", "owner__username", "game")
SEATED += ("players", "places", "points")
KEPT = Reading(KeptPlay, owner="owner__username", file="replay", seated=SEATED)
