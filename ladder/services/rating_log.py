"""The rating history as a log: checked from its beginning, or played again from one tick on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Sum

from ladder.boards import Board
from ladder.models import Rating, RatingChange, Tick
from ladder.ratings import entry as entering
from ladder.ratings.elo import Standing, apply_tick
from ladder.services.ratings import COUNTERS, MOVED, change_row, write_gains
from ladder.services.tick_results import results_of


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the stored ratings are not what the match log gives."""

    where: str
    stored: object
    replayed: object


def verify(board: Board) -> Iterator[Difference]:
    """Replay every tick of a board from its matches and compare with what is stored."""
    standings: dict[int, Standing] = {}
    ratings = {r.version_id: r for r in Rating.objects.on(board)}
    for rating in ratings.values():
        standings[rating.version_id] = Standing(
            rating.start_milli, rating.start_games, rating.is_anchor
        )
    for tick in Tick.objects.on(board).exclude(applied_at=None).order_by("number"):
        stored = {
            change.rating.version_id: (change.delta_milli, change.games_gained)
            for change in tick.changes.select_related("rating")
        }
        replayed = {}
        for version, change in apply_tick(standings, results_of(tick).outcomes).items():
            replayed[version] = (change.delta, change.games)
            standings[version] = change.after
        if stored != replayed:
            yield Difference(str(tick), stored, replayed)
    for version, rating in ratings.items():
        if rating.standing != standings[version]:
            yield Difference(str(rating), rating.standing, standings[version])


def replay_from(tick: Tick) -> None:
    """Rate a board again from one tick on, after a match of it was struck from the record."""
    board = tick.board
    with transaction.atomic():
        ticks = list(
            Tick.objects.on(board)
            .filter(number__gte=tick.number)
            .exclude(applied_at=None)
            .order_by("number")
            .select_for_update()
        )
        ratings = {
            r.version_id: r for r in Rating.objects.on(board).select_for_update().order_by("pk")
        }
        standings = _standings_before(tick, ratings)
        fits = _fits_then(tick)
        RatingChange.objects.filter(tick__in=ticks).delete()
        for again in ticks:
            results = results_of(again)
            changes = apply_tick(standings, results.outcomes)
            rows = [
                change_row(again, ratings[v], standings[v], change, results.totals[v])
                for v, change in changes.items()
            ]
            for row in rows:
                row.fitted, row.fitted_error = fits[row.tick_id, row.rating_id]
            RatingChange.objects.bulk_create(rows)
            write_gains(results, standings, changes)
            standings |= {version: change.after for version, change in changes.items()}
        for version, rating in ratings.items():
            _recount(rating, standings[version])
        Rating.objects.bulk_update(ratings.values(), [*MOVED, *COUNTERS])


def _standings_before(tick: Tick, ratings: dict[int, Rating]) -> dict[int, Standing]:
    standings = {
        version: Standing(r.start_milli, r.start_games, r.is_anchor)
        for version, r in ratings.items()
    }
    earlier = RatingChange.objects.filter(
        tick__game=tick.game, tick__seats=tick.seats, tick__number__lt=tick.number
    )
    for change in earlier.order_by("tick__number").select_related("rating"):
        standings[change.rating.version_id] = Standing(
            change.after_milli,
            change.games_before + change.games_gained,
            change.rating.is_anchor,
        )
    return standings


def _fits_then(tick: Tick) -> dict[tuple[int, int], tuple[float | None, float | None]]:
    """By tick and rating: what the last fit said then. It did say so, whatever was struck since."""
    changes = RatingChange.objects.filter(
        tick__game=tick.game, tick__seats=tick.seats, tick__number__gte=tick.number
    )
    rows = changes.values_list("tick_id", "rating_id", "fitted", "fitted_error")
    return {(at, rating): (fitted, error) for at, rating, fitted, error in rows}


def _recount(rating: Rating, final: Standing) -> None:
    """Bring a rating's counters and peak in line with its history."""
    rating.milli, rating.effective_games = final.milli, final.n
    rating.is_provisional = entering.is_provisional(final)
    sums = rating.changes.aggregate(**{name: Sum(name) for name in COUNTERS})
    for name, value in sums.items():
        setattr(rating, name, value or 0)
    history = [
        Standing(c.after_milli, c.games_before + c.games_gained, rating.is_anchor)
        for c in rating.changes.all()
    ]
    rating.peak_milli = entering.peak(history)
