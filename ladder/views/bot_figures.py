"""What a bot's matches tell about it, over its newest ones on a board."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import Any

from ladder.boards import Board
from ladder.models import Bot, Entry, Match, Play, Rating, RatingChange
from ladder.ratings.intervals import Z95, wilson
from ladder.svg import Chart, Point, Segment, Share, rating_chart, thinned

NEWEST = 400  # matches looked at
CHART_POINTS = 240
AMONG_OTHERS = (Match.Kind.LADDER, Match.Kind.CHALLENGE, Match.Kind.TOURNAMENT)


@dataclass(slots=True)
class Opponent:
    pk: int
    name: str
    sets: int = 0
    score: float = 0.0

    @property
    def share(self) -> Share:
        return Share(self.score / self.sets, *wilson(self.score, self.sets), self.sets)


@dataclass(slots=True)
class Figures:
    matches: int = 0
    opponents: list[Opponent] = field(default_factory=list)
    seats: list[tuple[int, Share]] = field(default_factory=list)
    faults: list[tuple[str, int]] = field(default_factory=list)
    cpu_us: float | None = None  # per decision
    memory_kb: int = 0  # the most in a match


def figures(bot: Bot, board: Board) -> Figures:
    """Results by opponent and by seat, faults, and what it used."""
    seated = Entry.objects.filter(
        bot=bot,
        match__game=board.game,
        match__seats=board.seats,
        match__status=Match.Status.FINISHED,
        match__kind__in=AMONG_OTHERS,
    ).order_by("-match_id")
    mine = {
        entry["match_id"]: entry
        for entry in seated.values(
            "match_id", "slot", "place", "points", "cpu_us", "decisions", "memory_kb"
        )[:NEWEST]
    }
    if not mine:
        return Figures()
    decisions = sum(entry["decisions"] for entry in mine.values())
    seats, faults = _seats_and_faults(mine)
    return Figures(
        matches=len(mine),
        opponents=_opponents(bot, board, mine),
        seats=seats,
        faults=faults,
        cpu_us=sum(e["cpu_us"] for e in mine.values()) / decisions if decisions else None,
        memory_kb=max(entry["memory_kb"] for entry in mine.values()),
    )


def _opponents(bot: Bot, board: Board, mine: dict[int, dict[str, Any]]) -> list[Opponent]:
    found: dict[int, Opponent] = {}
    others = Entry.objects.filter(match__in=list(mine)).exclude(bot=bot)
    for match, pk, name, place, points in others.values_list(
        "match_id", "bot_id", "bot__name", "place", "points"
    ):
        if place is None or mine[match]["place"] is None:
            continue
        # Solo, everybody comes first at their own table: points tell.
        gap = points - mine[match]["points"] if board.is_solo else mine[match]["place"] - place
        opponent = found.setdefault(pk, Opponent(pk, name))
        opponent.sets += 1
        opponent.score += 1.0 if gap < 0 else 0.5 if gap == 0 else 0.0
    return sorted(found.values(), key=lambda one: (-one.sets, one.name))


def _seats_and_faults(
    mine: dict[int, dict[str, Any]],
) -> tuple[list[tuple[int, Share]], list[tuple[str, int]]]:
    wins: dict[int, float] = defaultdict(float)
    plays: Counter[int] = Counter()
    faults: Counter[str] = Counter()
    for match, seating, places, found in Play.objects.filter(match__in=list(mine)).values_list(
        "match_id", "seating", "places", "faults"
    ):
        slot = mine[match]["slot"]
        winners = {seating[seat] for seat, place in enumerate(places) if place == 1}
        for seat, at in enumerate(seating):
            if at == slot:
                plays[seat] += 1
                wins[seat] += (slot in winners) / len(winners)
        faults.update(fault["kind"] for fault in found if seating[fault["seat"]] == slot)
    shares = [
        (seat, Share(wins[seat] / n, *wilson(wins[seat], n), n))
        for seat, n in sorted(plays.items())
    ]
    return shares, faults.most_common()


def history_chart(bot: Bot, board: Board, current: Rating | None) -> Chart | None:
    """The bot's rating on a board over all its versions, oldest first.

    Each point has the interval that was known when its tick was rated; the newest point of the
    version that plays has today's.
    """
    changes = (
        RatingChange.objects.filter(
            rating__bot=bot, rating__game=board.game, rating__seats=board.seats
        )
        .order_by("rating__version__number", "id")
        .values_list(
            "rating__version__number", "before_milli", "delta_milli", "fitted", "fitted_error"
        )
    )
    by_version: dict[int, list[Point]] = defaultdict(list)
    for number, before, delta, fitted, error in changes:
        points = by_version[number]
        known = _reach(fitted, error)
        if not points:
            points.append(Point(before / 1000, known))
        points.append(Point((before + delta) / 1000, known))
    if bot.active_version is not None and (points := by_version.get(bot.active_version.number)):
        points[-1] = replace(points[-1], interval=interval(current))
    total = sum(len(points) for points in by_version.values())
    segments = [
        Segment(f"v{number}", thinned(points, max(2, CHART_POINTS * len(points) // total)))
        for number, points in by_version.items()
    ]
    return rating_chart(segments)


def interval(rating: Rating | None) -> tuple[float, float] | None:
    """The fitted rating's 95% interval, if it has been fitted."""
    return _reach(rating.fitted, rating.fitted_error) if rating is not None else None


def _reach(fitted: float | None, error: float | None) -> tuple[float, float] | None:
    if fitted is None or not error:
        return None  # not fitted, or an anchor
    return fitted - Z95 * error, fitted + Z95 * error
