"""Live ratings: entering a board, and applying ticks.

A tick is applied once, when none of its matches is open any more, and ticks of a board in the
order of their numbers. So the ratings follow from the match log alone, whatever the order in
which workers finish.
"""

from __future__ import annotations

import math

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from ladder.boards import Board
from ladder.models import Bot, Entry, Match, Rating, RatingChange, Tick, Version
from ladder.ratings import entry as entering
from ladder.ratings.elo import Change, Standing, apply_tick, gains, k_factor
from ladder.services.tick_results import Results, Totals, results_of

HOUSE_ELO = {"random": 1000, "greedy": 1400}
STRONG_HOUSE_ELO = 1600


def enter(*, board: Board, version: Version) -> Rating:
    """The version's rating on a board: its old one, its parent's as a start, or a new bot's."""
    known = Rating.objects.on(board).filter(version=version).first()
    if known is not None:
        return known
    start = _start(board, version)
    rating, _ = Rating.objects.get_or_create(
        game=board.game,
        seats=board.seats,
        version=version,
        defaults={
            "bot_id": version.bot_id,
            "milli": start.milli,
            "start_milli": start.milli,
            "effective_games": start.n,
            "start_games": start.n,
            "is_anchor": start.is_anchor,
            "is_provisional": entering.is_provisional(start),
        },
    )
    return rating


def _start(board: Board, version: Version) -> Standing:
    if version.bot.is_house:
        short = version.bot.name.rpartition(" ")[2].lower()
        ratings = HOUSE_ELO | dict(board.rules.house_ratings.get(board.seats, {}))
        return Standing(ratings.get(short, STRONG_HOUSE_ELO) * 1000, 0.0, is_anchor=True)
    parent = Rating.objects.on(board).filter(version=version.parent_id).first()
    if parent is not None:
        return entering.new_version(parent.standing)
    return entering.new_bot(
        Standing(milli, n)
        for milli, n in Rating.objects.on(board)
        .ranked()
        .filter(is_anchor=False)
        .values_list("milli", "effective_games")
    )


def relist(bot: Bot) -> None:
    """Show on the ladders exactly the active version of an active bot."""
    bot.refresh_from_db(fields=["status", "active_version"])
    shown = bot.status == Bot.Status.ACTIVE and not bot.owner.is_suspended
    ratings = Rating.objects.filter(bot=bot)
    ratings.exclude(version=bot.active_version_id).update(is_listed=False)
    ratings.filter(version=bot.active_version_id).update(is_listed=shown)


def apply_ready_ticks() -> list[Tick]:
    """Apply every tick whose turn has come; which ones, in order."""
    still_played = Match.objects.open().filter(tick=OuterRef("pk"))
    complete = Tick.objects.unapplied().filter(~Exists(still_played))
    return [tick for tick in complete.order_by("game", "seats", "number") if apply(tick)]


def apply(tick: Tick) -> bool:
    """Rate one tick; False while it, or an earlier one of its board, is still open."""
    with transaction.atomic():
        tick = Tick.objects.select_for_update().get(pk=tick.pk)
        earlier = Tick.objects.on(tick.board).unapplied().filter(number__lt=tick.number)
        if tick.applied_at is not None or tick.matches.open().exists() or earlier.exists():
            return False
        results = results_of(tick)
        ratings = {
            rating.version_id: rating
            for rating in Rating.objects.on(tick.board)
            .filter(version__in=results.totals)
            .select_for_update()
            .order_by("pk")
        }
        standings = {version: rating.standing for version, rating in ratings.items()}
        changes = apply_tick(standings, results.outcomes)
        _write_changes(tick, ratings, changes, results.totals)
        write_gains(results, standings, changes)
        tick.applied_at = timezone.now()
        tick.save(update_fields=["applied_at"])
    return True


def _write_changes(
    tick: Tick,
    ratings: dict[int, Rating],
    changes: dict[int, Change],
    totals: dict[int, Totals],
) -> None:
    now = timezone.now()
    rows = [
        change_row(tick, ratings[version], ratings[version].standing, change, totals[version])
        for version, change in changes.items()
    ]
    RatingChange.objects.bulk_create(rows)
    for row, change in zip(rows, changes.values(), strict=True):
        rating = row.rating
        _move(rating, change.after)
        for name in COUNTERS:
            setattr(rating, name, getattr(rating, name) + getattr(row, name))
        rating.last_played_at = now
        # One by one: for a few rows of many fields, bulk_update takes several times the CPU.
        rating.save(update_fields=[*MOVED, *COUNTERS, "last_played_at"])


COUNTERS = ["sets", "plays", "score_sum", "points_sum", "points_square_sum"]
MOVED = ["milli", "effective_games", "is_provisional", "peak_milli"]


def change_row(
    tick: Tick, rating: Rating, before: Standing, change: Change, totals: Totals
) -> RatingChange:
    return RatingChange(
        tick=tick,
        rating=rating,
        before_milli=before.milli,
        delta_milli=change.delta,
        games_before=before.n,
        games_gained=change.games,
        sets=totals.sets,
        plays=totals.plays,
        score_sum=math.fsum(totals.scores),
        points_sum=math.fsum(totals.points),
        points_square_sum=math.fsum(p * p for p in totals.points),
        fitted=rating.fitted,
        fitted_error=rating.fitted_error,
    )


def _move(rating: Rating, after: Standing) -> None:
    rating.milli, rating.effective_games = after.milli, after.n
    rating.is_provisional = entering.is_provisional(after)
    if not rating.is_provisional:
        rating.peak_milli = max(rating.peak_milli or after.milli, after.milli)


def write_gains(
    results: Results, standings: dict[int, Standing], changes: dict[int, Change]
) -> None:
    """Tell each entry its part of the tick's change, for the match page."""
    for match, outcome in results.matches.items():
        for version, (u, _) in zip(outcome.entrants, gains(outcome, standings), strict=True):
            standing = standings[version]
            k = k_factor(standing.n + changes[version].games / 2)
            gain = 0 if standing.is_anchor else round(1000 * k * u)
            Entry.objects.filter(pk=results.entries[match, version]).update(gain_milli=gain)
