"""What the plays of a game show."""

from __future__ import annotations

from collections import defaultdict

from django.core.cache import cache

from engine.games import GAMES
from ladder.boards import Board
from ladder.contract.games import SeatWins, Statistics
from ladder.models import Match, Play
from ladder.queries.figures import share_of
from ladder.ratings.intervals import mean_and_error

STATISTICS_SECONDS = 600
STATISTICS_PLAYS = 400  # the newest of a board


def statistics(slug: str) -> list[Statistics]:
    """Of every board that has been played on; cached for a while, as they move slowly."""
    key = f"statistics:{slug}"
    return cache.get_or_set(key, lambda: _statistics(slug), STATISTICS_SECONDS) or []


def _statistics(slug: str) -> list[Statistics]:
    boards = (_board_statistics(Board(slug, seats)) for seats in GAMES[slug].seats)
    return [found for found in boards if found is not None]


def _board_statistics(board: Board) -> Statistics | None:
    newest = Match.objects.on(board).finished().order_by("-id")
    ids = list(newest.values_list("pk", flat=True)[: STATISTICS_PLAYS // board.sides])
    wins: dict[int, float] = defaultdict(float)
    decisions, plays = 0, 0
    scores = []
    for places, points, asked in Play.objects.filter(match__in=ids).values_list(
        "places", "points", "decisions"
    ):
        scores.append(points[0])
        plays += 1
        decisions += asked
        winners = [seat for seat, place in enumerate(places) if place == 1]
        for seat in winners:
            wins[seat] += 1 / len(winners)
    if not plays:
        return None
    shares = [SeatWins(seat=seat, **share_of(wins[seat], plays)) for seat in range(board.seats)]
    mean = mean_and_error(scores) if board.is_solo and plays > 1 else None
    return Statistics(
        seats=board.seats,
        plays=plays,
        decisions=round(decisions / plays, 1),
        by_seat=[] if board.is_solo else shares,
        mean_points=mean[0] if mean else None,
        mean_points_error=mean[1] if mean else None,
    )
