"""Bots and their ratings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import QuerySet, Subquery
from django.db.models.functions import Lower
from django.utils import timezone

from engine.games import GAMES
from ladder.boards import Board
from ladder.contract import bots as contract
from ladder.contract.accounts import Reader
from ladder.contract.bots import BotFilter, Change, Rating, ShownBot, ShownRating
from ladder.contract.tournaments import Entered
from ladder.models import Bot, BotTag, Enrolment, RatingChange, User
from ladder.models import Rating as RatingRow
from ladder.models.account import is_called
from ladder.models.bot import BotQuerySet
from ladder.queries.keyset import Cursor, Order, Page
from ladder.queries.values import Reading, thousandths
from ladder.ratings.intervals import mean_of_sums


def rests_until(status: str, retired_at: datetime | None) -> datetime | None:
    """When its author may bring a bot back; None when that is possible now."""
    if status != Bot.Status.RETIRED or retired_at is None:
        return None
    until = retired_at + settings.RETIRED_REST
    return until if until > timezone.now() else None


MOST_TAGGED = 500
NAMED = {"owner": "owner__username", "active_version": "active_version__number"}
BOT = Reading(contract.Bot, **NAMED)
SHOWN = Reading(
    ShownBot,
    **NAMED,
    playing="active_version_id",
    rests_until=(rests_until, "status", "retired_at"),
)
RATED: dict[str, Any] = {
    "version": "version__number",
    "elo": (thousandths, "milli"),
    "low": (thousandths, "low_milli"),
    "high": (thousandths, "high_milli"),
    "win_rate": (lambda score, sets: score / sets if sets else None, "score_sum", "sets"),
}
RATING = Reading(Rating, **RATED, rank="rank")
SHOWN_RATING = Reading(
    ShownRating,
    **RATED,
    bot="bot_id",
    mean_points=(mean_of_sums, "plays", "points_sum", "points_square_sum"),
    sets_until_retested=(lambda until, sets: max(0, until - sets), "retest_until", "sets"),
    luck=(thousandths, "luck_milli"),
)
CHANGE = Reading(
    Change,
    tick="tick__number",
    at="tick__applied_at",
    version="rating__version__number",
    elo=(thousandths, "milli"),
    low=(thousandths, "low_milli"),
    high=(thousandths, "high_milli"),
)
ENTERED = Reading(Entered, name="tournament__name", status="tournament__status")


def page(
    asked: BotFilter, reader: Reader, order: Order, at: Cursor | None, size: int
) -> Page[contract.Bot]:
    """A page of the bots that are listed for a reader."""
    found = Bot.objects.visible_to(reader)
    given = {name: getattr(asked, name) for name in ("game", "status")}
    narrow = {name: value for name, value in given.items() if value is not None}
    few: list[QuerySet[Bot]] = []
    if asked.search is not None:
        found = found.filter(name__icontains=asked.search)
    if asked.tag is not None:
        few.append(Bot.objects.filter(pk__in=tagged(asked.tag)))
    if asked.owner is not None:
        owner = User.objects.filter(is_called(asked.owner)).values("pk")
        few.append(Bot.objects.filter(owner=Subquery(owner)))
    if asked.mine:
        few.append(Bot.objects.filter(owner=reader.pk))
    elif asked.mine is not None:
        found = found.exclude(owner=reader.pk)
    if asked.is_house:
        few.append(Bot.objects.filter(is_house=True))
    elif asked.is_house is not None:
        found = found.filter(is_house=False)
    found = found.filter(pk__in=_among(few, narrow)) if few else found.filter(**narrow)
    return BOT.page(found, order, at, size)


def tagged(tag: str) -> list[int]:
    """The newest bots with a tag; as many as a list can narrow to."""
    rows = BotTag.objects.filter(tag=tag.strip().lower()).order_by("-bot_id")
    return list(rows.values_list("bot_id", flat=True)[:MOST_TAGGED])


def tagged_bots(tag: str, count: int, reader: Reader) -> list[ShownBot]:
    """Bots with a tag that are listed for a reader, newest first."""
    found = Bot.objects.visible_to(reader).filter(pk__in=tagged(tag))
    return SHOWN(found.order_by("-id")[:count])


def _among(few: list[QuerySet[Bot]], narrow: dict[str, Any]) -> list[int]:
    """The ids of bots that are in all of a few lists, and as they should be.

    They are asked for first, and by one condition each: SQLite would rather walk through all bots
    by the index of another condition, or of the order.
    """
    lists = [
        {
            pk
            for pk, *values in rows.order_by().values_list("pk", *narrow)
            if values == list(narrow.values())
        }
        for rows in few
    ]
    return sorted(set.intersection(*lists))


def show(pk: int) -> contract.Bot:
    """A bot that is known to be there."""
    (found,) = BOT(Bot.objects.filter(pk=pk))
    return found


def find(pk: int, reader: Reader, game: str | None = None) -> ShownBot | None:
    """A bot that is listed for a reader; of this game, if one is named."""
    found = Bot.objects.visible_to(reader).filter(pk=pk)
    return SHOWN.first(found if game is None else found.filter(game=game))


def own(user: int) -> list[ShownBot]:
    """A user's bots, also those that no longer play."""
    return SHOWN(Bot.objects.filter(owner=user).order_by("game", "name"))


def of_author(author: int, reader: Reader) -> list[ShownBot]:
    """An author's bots that are listed for this reader."""
    found = Bot.objects.visible_to(reader).filter(owner=author)
    return SHOWN(found.order_by("game", "name"))


def public_ids(count: int) -> list[int]:
    """The newest bots that play."""
    return list(Bot.objects.playing().order_by("-id").values_list("id", flat=True)[:count])


def has_playing(user: int) -> bool:
    return _playing_of(user).exists()


def playing_of(user: int, board: Board | None = None) -> list[ShownBot]:
    """A user's bots that play; of one board's game, if one is named."""
    found = _playing_of(user)
    return SHOWN(found if board is None else found.filter(game=board.game))


def _playing_of(user: int) -> BotQuerySet:
    return Bot.objects.playing().filter(owner=user).order_by("game", "name")


def numbers_called(game: str, names: Iterable[str]) -> dict[str, int]:
    """Bots of a game by their names in lower case."""
    wanted = [name.lower() for name in names]
    found = Bot.objects.filter(game=game).alias(lower=Lower("name")).filter(lower__in=wanted)
    return {name.lower(): pk for name, pk in found.values_list("name", "pk")}


def number_named(game: str, text: str) -> int | None:
    """The bot of this name, or else of this number."""
    by_name = numbers_called(game, [text]).get(text.lower())
    is_number = text.isascii() and text.isdigit() and len(text) < 18
    if by_name is not None or not is_number:
        return by_name
    return Bot.objects.filter(game=game, pk=int(text)).values_list("pk", flat=True).first()


def search(text: str, count: int, reader: Reader) -> list[ShownBot]:
    found = Bot.objects.visible_to(reader).filter(name__icontains=text)
    return SHOWN(found.order_by("name")[:count])


def rivals(bot: ShownBot, text: str, count: int, reader: Reader) -> list[ShownBot]:
    """Other bots of its game with this text in their name."""
    found = Bot.objects.visible_to(reader).filter(game=bot.game, name__icontains=text)
    return SHOWN(found.exclude(pk=bot.id).order_by("name")[:count])


def house(game: str) -> list[ShownBot]:
    return SHOWN(Bot.objects.filter(game=game, is_house=True).order_by("name"))


def playing_names(most: int) -> dict[str, list[str]]:
    """The names of bots that play, by game: the newest `most` of each."""
    found: dict[str, list[str]] = {}
    for game in GAMES:
        playing = Bot.objects.playing().filter(game=game).order_by("-id")
        found[game] = sorted(playing.values_list("name", flat=True)[:most])
    return found


def ratings_by_bot(bots: Sequence[int]) -> dict[int, list[ShownRating]]:
    """Where these bots stand now."""
    found: dict[int, list[ShownRating]] = {}
    for rating in SHOWN_RATING(RatingRow.objects.filter(bot__in=bots).listed().order_by("seats")):
        found.setdefault(rating.bot, []).append(rating)
    return found


def ratings_now(bot: ShownBot) -> dict[int, ShownRating]:
    """By seat count, the ratings of the version that plays."""
    found = SHOWN_RATING(RatingRow.objects.filter(bot=bot.id, version=bot.playing))
    return {rating.seats: rating for rating in found}


def all_ratings(bot: int) -> list[Rating]:
    """On every board and by every version that was rated, with ranks."""
    found = RatingRow.objects.filter(bot=bot).with_rank()
    return RATING(found.order_by("seats", "-version"))


def changes_on(bot: int, board: Board) -> list[Change]:
    """How its rating on a board moved, oldest first."""
    found = RatingChange.objects.filter(
        rating__bot=bot, rating__game=board.game, rating__seats=board.seats
    )
    return CHANGE(found.order_by("id"))


def tournaments_of(bot: int, count: int) -> list[Entered]:
    """The public tournaments it entered, newest first; being invited is not entering."""
    entered = Enrolment.objects.filter(bot=bot).accepted().visible_to(None)
    return ENTERED(entered.order_by("-tournament_id")[:count])
