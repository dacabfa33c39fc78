"""The daily cup of every game: made by the scheduler, run like any tournament."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from engine.games import GAMES
from ladder.boards import Board
from ladder.models import Bot, Enrolment, Tournament
from ladder.services import tournaments
from ladder.services.tournaments.planning import formats_for, seat_counts_needed
from ladder.tournaments import FORMATS

log = structlog.get_logger(__name__)

PLACES = 8
FEWEST_AUTHORS = 2  # places that house bots leave free at least
NOTICE = timedelta(minutes=5)  # a cup that is made late starts after this time
FORMAT = "single_elimination"
DESCRIPTION = (
    "The daily cup: the best bot of each of the board's best authors, and the house bots. It starts"
    " by itself, and counts for no rating."
)


def hold() -> int:
    """Announce today's cup of every game that has none; how many were made.

    The database allows one for a game and day, so two schedulers make one.
    """
    if not settings.DAILY_CUPS:
        return 0
    today = timezone.now().astimezone(UTC).date()
    held = Tournament.objects.filter(cup_on=today).values_list("game", flat=True)
    return sum(_announce(game, today) for game in set(GAMES) - set(held))


def _announce(game: str, today: date) -> bool:
    board = _board(game)
    house = _house_bots(board) if board else []
    if board is None or not house:
        return False
    places = max(FEWEST_AUTHORS, PLACES - len(house))
    try:
        with transaction.atomic():
            cup = tournaments.create(
                by=house[0].owner,
                board=board,
                name=f"{board.rules.title} cup, {today:%d %B %Y}",
                format=FORMAT,
                cup_on=today,
                description=DESCRIPTION,
                entry=Tournament.Entry.TOP,
                top_count=places,
                max_entrants=places + len(house),
                start_at=_start(today),
            )
            Enrolment.objects.bulk_create(Enrolment(tournament=cup, bot=bot) for bot in house)
    except IntegrityError:  # another scheduler was quicker
        return False
    log.info("cup announced", tournament=cup.pk, board=str(board))
    return True


def _board(game: str) -> Board | None:
    """The smallest table at which two sides meet, as the format needs."""
    boards = (Board(game, seats) for seats in sorted(GAMES[game].seats))
    return next(
        (one for one in boards if one.sides == 2 and FORMATS[FORMAT] in formats_for(one)), None
    )


def _house_bots(board: Board) -> list[Bot]:
    needed = set(seat_counts_needed(board))
    house = Bot.objects.filter(game=board.game, is_house=True, status=Bot.Status.ACTIVE)
    rows = house.exclude(active_version=None).select_related("owner").order_by("pk")
    return [bot for bot in rows[: PLACES - FEWEST_AUTHORS] if needed <= set(bot.seat_counts)]


def _start(today: date) -> datetime:
    planned = datetime.combine(today, time(settings.CUP_HOUR % 24, tzinfo=UTC))
    return max(planned, timezone.now() + NOTICE)
