"""Fitted Elo beside the live one: values with intervals, and bands that cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterator

from ladder.boards import Board
from ladder.models import Match, Rating, Tick
from ladder.ratings.elo import Outcome
from ladder.ratings.fit import Fit, fit
from ladder.services.tick_results import read

FITTED_MATCHES = 30_000  # the newest ones; older results hardly bear on today's versions


def refit(board: Board) -> Fit | None:
    """Fit the board's newest results and store value, error and band of every listed version."""
    outcomes = _newest_outcomes(board)
    ratings = list(Rating.objects.on(board).select_related("version"))
    if not outcomes:
        return None
    known = {rating.version_id for rating in ratings}
    fitted = fit(
        [one for one in outcomes if known.issuperset(one.entrants)],
        parents={
            r.version_id: r.version.parent_id for r in ratings if r.version.parent_id in known
        },
        anchors={r.version_id: r.elo for r in ratings if r.is_anchor},
        versions=known,
    )
    listed = {rating.version_id for rating in ratings if rating.is_listed}
    bands = {
        version: number
        for number, band in enumerate(_listed_bands(fitted, listed), 1)
        for version in band
    }
    for rating in ratings:
        rating.fitted = fitted.value[rating.version_id]
        rating.fitted_error = fitted.error[rating.version_id]
        rating.band = bands.get(rating.version_id)
    Rating.objects.bulk_update(ratings, ["fitted", "fitted_error", "band"], batch_size=500)
    return fitted


def _listed_bands(fitted: Fit, listed: set[int]) -> Iterator[list[int]]:
    for band in fitted.bands():
        shown = [version for version in band if version in listed]
        if shown:
            yield shown


def _newest_outcomes(board: Board) -> list[Outcome]:
    newest = Match.objects.on(board).finished().filter(kind=Match.Kind.LADDER).order_by("-id")
    first = newest.values_list("tick__number", flat=True)[FITTED_MATCHES : FITTED_MATCHES + 1]
    ticks = Tick.objects.on(board).exclude(applied_at=None)
    for number in first:
        ticks = ticks.filter(number__gte=number)
    return read(Match.objects.finished().filter(tick__in=ticks), board).outcomes
