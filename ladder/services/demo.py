"""House bots, the fixed points of every ladder, and demo bots, so that a new site is alive."""

from __future__ import annotations

from engine.game import house_name
from engine.games import GAMES
from ladder.models import Bot, User
from ladder.services import bots
from sandbox.program import Program

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
            bot = Bot.objects.filter(game=game.slug, house_slug=short).first()
            if bot is None:
                bot = bots.create_bot(
                    owner=house,
                    game=game.slug,
                    name=house_name(short),
                    house_slug=short,
                    is_source_public=True,
                )
            bots.install(bot=bot, program=Program(path.name, path.read_bytes()))


def seat_demo_bots() -> None:
    """A few bots of different strength per game, made from its greedy bot."""
    for game in GAMES.values():
        path = game.house_bots()["greedy"]
        source = path.read_text(encoding="utf-8")
        if "\ndef decide(" not in source:
            continue  # a greedy bot written as a class has no function to wrap
        for owner, name, percent in DEMO_BOTS:
            dream = DAYDREAM.format(percent=percent, share=percent / 100, seed=percent)
            bot = Bot.objects.filter(game=game.slug, name=name).first()
            if bot is None:
                bot = bots.create_bot(
                    owner=_user(owner), game=game.slug, name=name, is_source_public=True
                )
            bots.install(bot=bot, program=Program(path.name, (source + dream).encode()))


def _user(name: str) -> User:
    user, is_new = User.objects.get_or_create(username=name)
    if is_new:
        user.set_unusable_password()
        user.save()
    return user
