"""Who stands on which board: entering it, and being listed."""

from __future__ import annotations

from ladder.boards import Board
from ladder.models import Bot, Rating, Version
from ladder.ratings.fit import Rated, fit
from ladder.ratings.intervals import Z95


def enter(*, board: Board, version: Version) -> Rating:
    """The version's rating on a board; a new one begins where nothing but its kin is known."""
    known = Rating.objects.on(board).filter(version=version).first()
    if known is not None:
        return known
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
        },
    )
    return rating


def anchor_of(board: Board, bot: Bot) -> Rated | None:
    """Where a house bot was measured on a board; no variance means that it stands fixed."""
    short = bot.name.rpartition(" ")[2].lower()
    measured = board.rules.anchors().get(board.seats, {}).get(short)
    if measured is None:
        return None
    value, error = measured
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
    """Show on the ladders exactly the active version of an active bot."""
    bot.refresh_from_db(fields=["status", "active_version"])
    shown = bot.status == Bot.Status.ACTIVE and not bot.owner.is_suspended
    ratings = Rating.objects.filter(bot=bot)
    ratings.exclude(version=bot.active_version_id).update(is_listed=False)
    ratings.filter(version=bot.active_version_id).update(is_listed=shown)
