"""Who stands on which board: entering it, and being listed."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import F, Q, Sum
from django.utils import timezone

from ladder.boards import Board
from ladder.models import Bot, Rating, Version
from ladder.ratings.fit import Rated, fit
from ladder.ratings.intervals import Z95
from ladder.ratings.selection import RETEST_SETS

TURN = timedelta(hours=1)


def enter(*, board: Board, version: Version, is_listed: bool = True) -> Rating:
    """The version's rating on a board; a new rating starts from its parent's."""
    known = Rating.objects.on(board).filter(version=version).first()
    if known is not None:
        return known
    if version.same_as is not None:
        # The first may be of a bot that is retired, or never played on this board.
        first = enter(board=board, version=version.same_as, is_listed=False)
        return _continued(first, version)
    start = anchor_of(board, version.bot) if version.bot.is_house else None
    is_anchor = start is not None
    rated = start or _start(board, version)
    rating, _ = Rating.objects.get_or_create(
        game=board.game,
        seats=board.seats,
        version=version,
        defaults={
            "bot_id": version.bot_id,
            "milli": round(1000 * rated.value),
            "low_milli": round(1000 * rated.low),
            "high_milli": round(1000 * rated.high),
            "variance": rated.variance,
            "is_anchor": is_anchor,
            "is_provisional": not is_anchor,
            "is_listed": is_listed,
            "turn_at": turn_of(board, version),
        },
    )
    return rating


def _continued(earlier: Rating, version: Version) -> Rating:
    """The rating of a version that plays the same program as an earlier one of its owner."""
    rating, _ = Rating.objects.get_or_create(
        game=earlier.game,
        seats=earlier.seats,
        version=version,
        defaults={
            "bot_id": version.bot_id,
            "milli": earlier.milli,
            "low_milli": earlier.low_milli,
            "high_milli": earlier.high_milli,
            "variance": earlier.variance,
            "is_provisional": earlier.is_provisional,
            "turn_at": turn_of(earlier.board, version),
        },
    )
    return rating


def retest(*, board: Board, version: Version) -> None:
    """Take the rank of a version that was activated again until it has played some more sets.

    Whoever tries many versions would bring back the luckiest.
    """
    rows = Rating.objects.on(board).filter(version=version)
    line = Rating.objects.on(board).filter(
        Q(version=version.line) | Q(version__same_as=version.line)
    )
    if line.aggregate(sets=Sum("sets"))["sets"]:
        rows.update(
            retest_until=F("sets") + RETEST_SETS, is_provisional=True, is_settled=False, band=None
        )


def turn_of(board: Board, version: Version) -> datetime:
    """When a new version stands in line like others, if the workers cannot keep up.

    That is an hour later for each other one that its owner uploaded to the board within the hour.
    """
    now = timezone.now()
    by_owner = Rating.objects.on(board).filter(bot__owner=version.bot.owner_id)
    recent = by_owner.filter(version__created_at__gt=now - TURN).exclude(version=version)
    return now + recent.count() * TURN


def anchor_of(board: Board, bot: Bot) -> Rated | None:
    """Where a house bot was measured on a board; no variance means that it stands fixed."""
    return measured(board, bot.house_slug)


def measured(board: Board, house_slug: str) -> Rated | None:
    """The same, by the bot's name in its game's folder."""
    known = board.rules.anchors().get(board.seats, {}).get(house_slug)
    if known is None:
        return None
    value, error = known
    return Rated(value, value - Z95 * error, value + Z95 * error, 0, error**2)


def _start(board: Board, version: Version) -> Rated:
    """What virtual games alone say: near the parent, or near 1500."""
    parent = Rating.objects.on(board).filter(version=version.parent_id).first()
    if parent is None:
        return fit([], versions=[version.pk]).rated[version.pk]
    near = {parent.version_id: (parent.elo, max(1.0, parent.variance**0.5))}
    kin = {version.pk: parent.version_id}
    return fit([], measured=near, parents=kin, versions=[version.pk]).rated[version.pk]


def relist(bot: Bot) -> None:
    """Show on the ladders of its boards exactly the active version of an active bot."""
    bot.refresh_from_db(fields=["status", "active_version"])
    shown = bot.status == Bot.Status.ACTIVE and not bot.owner.is_suspended
    # A rating on another board is there only since a bot with the same program plays on it.
    playing = Q(version=bot.active_version_id, seats__in=bot.seat_counts)
    ratings = Rating.objects.filter(bot=bot)
    ratings.exclude(playing).update(is_listed=False)
    ratings.filter(playing).update(is_listed=shown)
