"""House bots, the fixed points of every ladder, and demo bots, so that a new site is alive."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.core.files.base import ContentFile
from django.db import transaction
from django.utils import timezone

from engine.game import Game
from engine.games import GAMES
from ladder.models import Bot, User, Version
from ladder.services import bots, ratings

DEMO_BOTS = [  # owner, name, share of moves played at random, in per cent
    ("momo", "Momo Noodle", 60),
    ("kenji", "Slow Simmer", 35),
    ("aiko", "Second Helping", 15),
    ("bruno", "Half Asleep", 80),
    ("clara", "Careful Ladle", 5),
]

DAYDREAM = """

# A demo bot: it plays like the house's greedy bot, but daydreams {percent}% of the time.
import random as _random

_thoughtful = decide
_dreams = _random.Random({seed})


def decide(view):
    if _dreams.random() < {share}:
        return _dreams.choice(view.get("legal") or view["suggestions"])
    return _thoughtful(view)
"""


def seat_house_bots() -> None:
    """Every game's own bots, as anchors on every board of the game."""
    house = _user("house")
    for game in GAMES.values():
        for short, path in game.house_bots().items():
            _seat(house, game, f"House {short.title()}", path.read_bytes(), path, is_house=True)


def seat_demo_bots() -> None:
    """A few bots of different strength per game, made from its greedy bot."""
    for game in GAMES.values():
        path = game.house_bots()["greedy"]
        source = path.read_text(encoding="utf-8")
        if "\ndef decide(" not in source:
            continue  # a greedy bot written as a class has no function to wrap
        for owner, name, percent in DEMO_BOTS:
            dream = DAYDREAM.format(percent=percent, share=percent / 100, seed=percent)
            _seat(_user(owner), game, name, (source + dream).encode(), path)


def _user(name: str) -> User:
    user, is_new = User.objects.get_or_create(username=name)
    if is_new:
        user.set_unusable_password()
        user.save()
    return user


def _seat(
    owner: User, game: Game, name: str, content: bytes, path: Path, is_house: bool = False
) -> None:
    """A bot with an accepted version of this content; nothing happens when it is there."""
    bot = Bot.objects.filter(game=game.slug, name=name).first()
    if bot is None:
        bot = bots.create_bot(
            owner=owner, game=game.slug, name=name, is_house=is_house, is_source_public=True
        )
    sha256 = hashlib.sha256(content).hexdigest()
    version = bot.versions.filter(sha256=sha256).first()
    with transaction.atomic():
        if version is None:
            version = Version(
                bot=bot,
                number=bot.versions.count() + 1,
                language=path.suffix.removeprefix("."),
                size=len(content),
                sha256=sha256,
                status=Version.Status.ACCEPTED,
                report={"verdict": "Ships with Ladle, so it needed no check."},
                parent=bot.active_version,
                checked_at=timezone.now(),
            )
            version.source.save(path.name, ContentFile(content), save=False)
            version.save()
        if bot.active_version_id != version.pk:
            bots.activate(version=version)
        else:
            for board in bot.boards:
                ratings.enter(board=board, version=version)
