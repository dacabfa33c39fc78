"""Rows for tests, made by plain functions. Only what a test names matters to it."""

from __future__ import annotations

import hashlib
from itertools import count
from typing import Any

from django.core.files.base import ContentFile
from django.utils import timezone

from engine.games import GAMES
from ladder.boards import Board
from ladder.models import Bot, Match, RatingChange, User, Version
from ladder.models.rating import COUNTERS
from ladder.services import bots, matches

numbers = count(1)
PASSWORD = "a long enough passphrase 7"
DUEL = Board("ramen_ramen", 2)


def make_user(name: str = "", **fields: Any) -> User:
    name = name or f"user{next(numbers)}"
    return User.objects.create_user(name, f"{name}@example.org", PASSWORD, **fields)


def make_version(
    bot: Bot, *, source: str = "", status: str = Version.Status.ACCEPTED, active: bool = True
) -> Version:
    """A version that has passed the gate, without running it."""
    content = (source or f"# {next(numbers)}\n{house_source(bot.game)}").encode()
    version = Version(
        bot=bot,
        number=bot.versions.count() + 1,
        language="py",
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        status=status,
        parent=bot.active_version,
        checked_at=timezone.now(),
    )
    version.source.save("bot.py", ContentFile(content), save=False)
    version.save()
    if active and status == Version.Status.ACCEPTED:
        bots.activate(version=version)
        bot.refresh_from_db()
    return version


def make_bot(
    owner: User | None = None,
    *,
    game: str = "ramen_ramen",
    name: str = "",
    seat_counts: list[int] | None = None,
    source: str = "",
    with_version: bool = True,
    is_house: bool = False,
    **fields: Any,
) -> Bot:
    """A bot that plays: it picks at random unless told otherwise. One of the house has no anchor,
    but for a `house_slug` of its game."""
    if is_house:
        fields.setdefault("house_slug", f"plain_{next(numbers)}")
    bot = bots.create_bot(
        owner=owner or make_user(),
        game=game,
        name=name or f"Bot {next(numbers)}",
        seat_counts=seat_counts,
        **fields,
    )
    if with_version:
        make_version(bot, source=source)
    return bot


def make_match(
    *players: Bot,
    board: Board = DUEL,
    kind: str = Match.Kind.CHALLENGE,
    seed: int | None = 4711,
    **fields: Any,
) -> Match:
    players = players or tuple(make_bot() for _ in range(board.sides))
    return matches.queue(
        kind=kind,
        game=board.game,
        seats=board.seats,
        versions=[bot.active_version for bot in players],
        why="a test",
        seed=seed,
        **fields,
    )


def first_change(**fields: Any) -> RatingChange:
    """A step of a rating's history, not stored yet, that nothing was counted before."""
    counted = {name: fields.pop(name, 0) for name in COUNTERS}
    totals = {f"total_{name}": value for name, value in counted.items()}
    return RatingChange(**{"is_provisional": False} | fields | counted | totals)


def house_source(game: str, short: str = "random") -> str:
    return GAMES[game].house_bots()[short].read_text(encoding="utf-8")
