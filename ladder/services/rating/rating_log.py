"""Whether the stored ratings are what the match log gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ladder.boards import Board
from ladder.models import Match, Rating, RatingChange, Tick
from ladder.models.rating import COUNTERS
from ladder.ratings.results import Results
from ladder.services.rating.fitting import SAME_MILLI, fit_board
from ladder.services.rating.standing import Standing, standings
from ladder.services.rating.tick_results import Totals, read


@dataclass(frozen=True, slots=True)
class Difference:
    """Where something stored is not what the match log gives."""

    where: str
    stored: object
    computed: object


def verify(board: Board) -> Iterator[Difference]:
    """Fit the board again from its matches alone, and count everything again.

    Nothing that is stored of ratings goes into it: not where a version began, nor where a house
    bot stands, which the games' folders say. So whatever was changed by hand shows.
    """
    ticks = Tick.objects.on(board).exclude(applied_at=None)
    log = read(Match.all_objects.finished().filter(tick__in=ticks), board)
    rows = {row.version_id: row for row in Rating.objects.on(board).select_related("version__bot")}
    if not rows:
        return
    blank = {version: _blank(row) for version, row in standings(board).items()}
    fitted = fit_board(board, Results(log.outcomes), blank, due=None)
    totals = log.totals
    for version, row in rows.items():
        rated = fitted.rated[version]
        stored, computed = [row.elo], [rated.value]
        if row.sets:  # before its first set a version's interval waits for the next fit
            stored += [row.low_milli / 1000, row.high_milli / 1000]
            computed += [rated.low, rated.high]
        if any(1000 * abs(a - b) > SAME_MILLI for a, b in zip(stored, computed, strict=True)):
            yield Difference(f"{row}", _shown(stored), _shown(computed))
        counted = totals.get(version, Totals()).counters()
        mine = {name: getattr(row, name) for name in COUNTERS}
        if any(abs(mine[name] - counted[name]) > 1e-6 * (1 + abs(mine[name])) for name in COUNTERS):
            yield Difference(f"{row}, what it counts", mine, counted)
    yield from _history(board, log.by_tick)


def _blank(row: Standing) -> Standing:
    """The same without anything that is stored of its rating."""
    return replace(
        row,
        milli=1_500_000,
        low_milli=0,
        high_milli=0,
        luck_milli=0,
        variance=0.0,
        sets=0,
        is_anchor=row.is_house,
    )


def _history(board: Board, by_tick: dict[int, dict[int, Totals]]) -> Iterator[Difference]:
    """Every tick has a step for everybody who played in it, and nobody else, with its totals."""
    stored: dict[int, dict[int, tuple[int, int]]] = {}
    changes = RatingChange.objects.filter(tick__game=board.game, tick__seats=board.seats)
    for tick, version, *sets in changes.values_list(
        "tick_id", "rating__version_id", "sets", "total_sets"
    ):
        stored.setdefault(tick, {})[version] = (sets[0], sets[1])
    so_far: Counter[int] = Counter()
    for tick in sorted(stored.keys() | by_tick.keys()):
        sets_now = {version: one.sets for version, one in by_tick.get(tick, {}).items()}
        so_far.update(sets_now)
        played = {version: (sets, so_far[version]) for version, sets in sets_now.items()}
        if stored.get(tick, {}) != played:
            yield Difference(f"{board}, tick id {tick}", stored.get(tick, {}), played)


def _shown(values: list[float]) -> str:
    return ", ".join(f"{value:.3f}" for value in values)
