"""Bots and their ratings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet, Subquery
from django.db.models.functions import Lower

from engine.games import GAMES
from ladder.boards import Board
from ladder.models import Bot, Enrolment, Rating, RatingChange, User
from ladder.models.account import is_called
from ladder.models.bot import BotQuerySet


def bots() -> BotQuerySet:
    """All bots, each with its owner and the version that plays."""
    return Bot.objects.select_related("owner", "active_version")


def visible(user: Any) -> BotQuerySet:
    """The bots a reader may come across."""
    return bots().visible_to(user)


def find(pk: int) -> Bot | None:
    return bots().filter(pk=pk).first()


def find_visible(pk: int, user: Any) -> Bot | None:
    return visible(user).filter(pk=pk).first()


def by_number(numbers: Iterable[int]) -> dict[int, Bot]:
    return bots().order_by().in_bulk(list(numbers))


def own(user: User) -> list[Bot]:
    """A user's bots, also those that no longer play."""
    return list(user.bots.select_related("active_version").order_by("game", "name"))


def of_owner(found: QuerySet[Bot], owner: int, is_own: bool) -> QuerySet[Bot]:
    """Of these bots the owner's, or all others."""
    own = Bot.objects.filter(owner=owner)
    return _among(found, own) if is_own else found.exclude(owner=owner)


def owned_by(found: QuerySet[Bot], name: str) -> QuerySet[Bot]:
    owner = User.objects.filter(is_called(name)).values("pk")
    return _among(found, Bot.objects.filter(owner=Subquery(owner)))


def of_house(found: QuerySet[Bot], is_house: bool) -> QuerySet[Bot]:
    """Of these bots the house's, or all others."""
    house = Bot.objects.filter(is_house=True)
    return _among(found, house) if is_house else found.filter(is_house=False)


def _among(found: QuerySet[Bot], few: QuerySet[Bot]) -> QuerySet[Bot]:
    """Those of a few. Their ids are asked for first: SQLite would walk through all bots."""
    return found.filter(pk__in=list(few.order_by().values_list("pk", flat=True)))


def of_author(author: int, user: Any) -> list[Bot]:
    """An author's bots that this reader may come across."""
    return list(visible(user).filter(owner=author).order_by("game", "name"))


def public_ids(count: int) -> list[int]:
    """The newest bots that play."""
    return list(Bot.objects.playing().order_by("-id").values_list("id", flat=True)[:count])


def has_playing(user: User) -> bool:
    return playing_of(user).exists()


def playing_of(user: User, **filters: Any) -> BotQuerySet:
    return Bot.objects.playing().filter(owner=user, **filters).order_by("game", "name")


def none() -> BotQuerySet:
    return Bot.objects.none()


def called(game: str, names: Iterable[str]) -> dict[str, Bot]:
    """Bots of a game by their names in lower case."""
    wanted = [name.lower() for name in names]
    found = bots().filter(game=game).alias(lower=Lower("name")).filter(lower__in=wanted)
    return {bot.name.lower(): bot for bot in found}


def named(game: str, text: str) -> Bot | None:
    """The bot of this name, or else of this number."""
    found = bots().filter(game=game)
    by_name = called(game, [text]).get(text.lower())
    is_number = text.isascii() and text.isdigit() and len(text) < 18
    return by_name or (found.filter(pk=int(text)).first() if is_number else None)


def search(text: str, count: int, user: Any) -> list[Bot]:
    found = visible(user).filter(name__icontains=text)
    return list(found.order_by("name")[:count])


def rivals(bot: Bot, text: str, count: int, user: Any) -> list[Bot]:
    """Other bots of its game with this text in their name."""
    found = visible(user).filter(game=bot.game, name__icontains=text).exclude(pk=bot.pk)
    return list(found.order_by("name")[:count])


def house(game: str) -> list[Mapping[str, Any]]:
    found = Bot.objects.filter(game=game, is_house=True).order_by("name")
    return list(found.values("pk", "name", "is_source_public"))


def playing_names(most: int) -> dict[str, list[str]]:
    """The names of bots that play, by game; of the newest, so many of each."""
    found: dict[str, list[str]] = {}
    for game in GAMES:
        playing = Bot.objects.playing().filter(game=game).order_by("-id")
        found[game] = sorted(playing.values_list("name", flat=True)[:most])
    return found


def ratings_by_bot(bots: Sequence[Bot]) -> dict[int, list[Rating]]:
    """Where these bots stand now."""
    found: dict[int, list[Rating]] = {}
    for rating in Rating.objects.filter(bot__in=bots).listed().order_by("seats"):
        found.setdefault(rating.bot_id, []).append(rating)
    return found


def ratings_now(bot: Bot) -> dict[int, Rating]:
    """By seat count, the ratings of the version that plays."""
    found = Rating.objects.filter(bot=bot, version=bot.active_version_id)
    return {rating.seats: rating for rating in found}


def all_ratings(bot: int) -> QuerySet[Rating]:
    """On every board and by every version that was rated, with ranks."""
    found = Rating.objects.filter(bot=bot).with_rank().select_related("version")
    return found.order_by("seats", "-version")


def changes_on(bot: Bot, board: Board) -> Iterable[tuple[Any, ...]]:
    """Version, its rating with the interval after a tick, and when that was, oldest first."""
    found = RatingChange.objects.filter(
        rating__bot=bot, rating__game=board.game, rating__seats=board.seats
    )
    return found.order_by("id").values_list(
        "rating__version__number", "milli", "low_milli", "high_milli", "tick__applied_at"
    )


def tournaments_of(bot: Bot, count: int) -> list[Enrolment]:
    """The public tournaments it entered, newest first; being invited is not entering."""
    entered = bot.enrolments.accepted().visible_to(None).select_related("tournament")
    return list(entered.order_by("-tournament_id")[:count])
