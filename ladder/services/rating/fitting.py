"""Rating a board: its results in, ratings with intervals, ranks and bands out.

A tick is rated when none of its matches is open any more. The whole board is fitted each time,
so the order in which workers finish, and ticks end, changes nothing; what a page shows is never
older than the board's last tick. The results stay in memory between ticks: only news is read.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

import structlog
from django.db import connection, transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from ladder.boards import Board
from ladder.models import BoardFit, Match, Rating, RatingChange, Tick
from ladder.models.rating import COUNTERS
from ladder.ratings.fit import Fit, Rated, fit
from ladder.ratings.matchmaking import is_settled
from ladder.ratings.results import Results
from ladder.ratings.selection import without_luck
from ladder.services.events import ranks
from ladder.services.rating import leagues, ratings, segments
from ladder.services.rating.standing import Standing, standings
from ladder.services.rating.tick_results import Totals, read

log = structlog.get_logger(__name__)

MOVED = (
    *("milli", "low_milli", "high_milli", "luck_milli", "variance"),
    *("is_provisional", "is_settled"),
)
REST = 9  # times as long as a fit took, before the next one of the board
SEALED_EVERY = 100  # fits of a board between looks whether its older ticks can be sealed
WRITTEN = (*MOVED, *COUNTERS)
Standings = dict[int, Standing]  # by version
SAME_MILLI = 500  # who did not play and moved less than half a point stays as written


@dataclass(slots=True)
class _Kept:
    """A board's results, and as of which fit they are."""

    revision: int
    results: Results


_kept: dict[Board, _Kept] = {}
_next_at: dict[Board, float] = {}  # by the monotonic clock


def rate_ready_ticks(
    beat: Callable[[], object] = lambda: None, *, is_patient: bool = False
) -> list[Tick]:
    """Rate every tick that is over; which they were. `beat` is called before each board.

    One fit serves any number of ticks, so a patient caller leaves a board alone for a while after
    each: fitting takes at most a tenth of the time, and a match costs less the more are played.
    """
    still_played = Match.all_objects.open().filter(tick=OuterRef("pk"))
    complete = Tick.objects.unapplied().filter(~Exists(still_played))
    by_board: dict[Board, list[Tick]] = defaultdict(list)
    for tick in complete.order_by("game", "seats", "number"):
        by_board[tick.board].append(tick)
    if is_patient:
        now = time.monotonic()
        by_board = {board: ts for board, ts in by_board.items() if _next_at.get(board, 0.0) <= now}
    for board, ticks in by_board.items():
        beat()
        if board not in _kept or _kept[board].revision % SEALED_EVERY == 0:
            segments.seal(board, beat)
        began = time.monotonic()
        rate(board, ticks, beat=beat)
        ended = time.monotonic()
        _next_at[board] = ended + REST * (ended - began)
        seconds = round(ended - began, 2)
        for tick in ticks:
            log.info("tick rated", board=str(board), tick=tick.number, seconds=seconds)
    return [tick for ticks in by_board.values() for tick in ticks]


def rate_unfitted(beat: Callable[[], object] = lambda: None) -> list[Board]:
    """Fit the boards that were never fitted; which they were.

    Those without a result too: an earlier version may have had other anchors.
    """
    known = {(one.game, one.seats) for one in BoardFit.objects.all()}
    places = Rating.objects.order_by().values_list("game", "seats").distinct()
    boards = [Board(*place) for place in sorted(set(places) - known)]
    for board in boards:
        beat()
        rate(board, from_scratch=True, beat=beat)
    return boards


def rate(
    board: Board,
    ticks: Iterable[Tick] = (),
    *,
    from_scratch: bool = False,
    beat: Callable[[], object] = lambda: None,
) -> Fit | None:
    """Take ticks into a board's ratings; None if the board has no rated result at all.

    A tick that had been rated before, since a match of it was struck, is counted again. `beat` is
    called after each part that may take long, and last within the transaction: SQLite lets nobody
    else write until then, so a lease that ran out meanwhile is prolonged before it can be taken.
    """
    if from_scratch:
        segments.forget(board)
        segments.seal(board, beat)
    try:
        with transaction.atomic():
            state, _ = BoardFit.objects.select_for_update().get_or_create(
                game=board.game, seats=board.seats
            )
            fitted = _rate(board, state, list(ticks), from_scratch)
            beat()
            return fitted
    except BaseException:
        _kept.pop(board, None)  # what was added there is not in the database
        raise


def _rate(board: Board, state: BoardFit, ticks: list[Tick], from_scratch: bool) -> Fit | None:
    """Within the lock of a board."""
    news = read(Match.all_objects.finished().filter(tick__in=ticks), board)
    again = RatingChange.objects.filter(tick__in=ticks)
    kept = _kept.get(board)
    is_again = any(tick.segment_id for tick in ticks) or again.exists()
    if from_scratch or kept is None or kept.revision != state.revision or is_again:
        kept = _kept[board] = _Kept(state.revision, segments.results_of(board))
    rows = standings(board)
    if not rows:
        return None
    kept.results.add(one for one in news.outcomes if rows.keys() >= set(one.entrants))
    fitted = fit_board(board, kept.results, rows, due=None if from_scratch else news.totals)
    played = {rows[version].pk for version in news.totals if version in rows}
    by_rating = {row.pk: row for row in rows.values()}
    recounted = set()
    for change in again:
        _count(by_rating[change.rating_id], change, -1)
        recounted.add(change.rating_id)
    played |= recounted
    again.delete()
    places = ranks.places(rows)
    _write(ticks, rows, fitted, news.by_tick, recounted)
    if ticks and Tick.objects.on(board).applied_after(min(tick.number for tick in ticks)).exists():
        # Their later totals lack what these ticks count, or hold what they counted before.
        RatingChange.objects.add_up(played, since=min(tick.pk for tick in ticks))
    _write_bands(board, rows, fitted)
    Tick.objects.filter(pk__in=[tick.pk for tick in ticks]).update(applied_at=Now())
    kept.revision = state.revision + 1
    BoardFit.objects.filter(pk=state.pk).update(
        revision=kept.revision, dispersion=fitted.dispersion, fitted_at=Now()
    )
    if not from_scratch:
        ranks.report(board, rows, places)
        if not is_again:
            leagues.advance(board, rows, news.outcomes)
    return fitted


def fit_board(board: Board, results: Results, rows: Standings, due: Iterable[int] | None) -> Fit:
    """Fit results to the versions of a board, house bots as they were measured.

    Versions of one program share a rating, that of the first of them. What is shown of an owner's
    active versions is freed of the luck of having tried many.
    """
    lines = {version: row.line for version, row in rows.items()}
    anchors = {
        version: (anchor.value, math.sqrt(anchor.variance))
        for version, row in rows.items()
        if row.is_anchor and row.is_active
        if (anchor := ratings.measured(board, row.house_slug)) is not None
    }
    parents = {
        row.line: lines[row.parent]
        for version, row in rows.items()
        if row.line == version and row.parent in lines
    }
    fitted = fit(
        results,
        fixed={v: value for v, (value, error) in anchors.items() if not error},
        measured={v: both for v, both in anchors.items() if both[1]},
        parents={child: parent for child, parent in parents.items() if child != parent},
        versions=lines.values(),
        programs={row.line: row.essence for row in rows.values() if row.essence},
        start={version: row.rated for version, row in rows.items() if lines[version] == version},
        due=None if due is None else {lines.get(version, version) for version in due},
    ).renamed(lines)
    return replace(fitted, rated=fitted.rated | _without_luck(rows, fitted))


def _without_luck(rows: Standings, fitted: Fit) -> dict[int, Rated]:
    """What is shown of the active versions of owners who tried more than one."""
    families: dict[int, dict[int, int]] = defaultdict(dict)  # by owner: a version of each line
    for version, row in rows.items():
        if not row.is_anchor and fitted.rated[version].sets:
            families[row.owner].setdefault(row.line, version)
    shown = {}
    for version, row in rows.items():
        family = families.get(row.owner, {})
        if row.is_active and not row.is_anchor and len(family) > 1:
            kin = [other for line, other in family.items() if line != row.line]
            shown[version] = without_luck(fitted.rated, version, kin)
    return shown


def _write(
    ticks: list[Tick],
    rows: Standings,
    fitted: Fit,
    by_tick: dict[int, dict[int, Totals]],
    recounted: Collection[int],
) -> None:
    """Write what moved, and a step of the history for everybody who played.

    Of those that were recounted, by their rows' ids, a struck match may be the only news.
    """
    own: dict[int, list[Tick]] = defaultdict(list)  # by version, in which it played
    for tick in ticks:
        for version in by_tick.get(tick.pk, ()):
            own[version].append(tick)
    history, played, moved = [], [], []
    for version, row in rows.items():
        before = [getattr(row, name) for name in WRITTEN]
        changes = [
            RatingChange(tick=tick, rating_id=row.pk, **by_tick[tick.pk][version].counters())
            for tick in own.get(version, ())
        ]
        for change in changes:
            _count(row, change, 1)
            for name in COUNTERS:
                setattr(change, f"total_{name}", getattr(row, name))
        _move(row, fitted.rated[version], played=bool(changes))
        for change in changes:
            change.milli, change.low_milli = row.milli, row.low_milli
            change.high_milli, change.is_provisional = row.high_milli, row.is_provisional
        history += changes
        if changes:
            played.append(row)
        elif row.pk in recounted or before != [getattr(row, name) for name in WRITTEN]:
            moved.append(row)
    RatingChange.objects.bulk_create(history)
    _update([*played, *moved], WRITTEN)
    Rating.objects.filter(pk__in=[row.pk for row in played]).update(last_played_at=Now())


def _move(row: Standing, rated: Rated, *, played: bool) -> None:
    values = [round(1000 * value) for value in (rated.value, rated.low, rated.high)]
    stored = [row.milli, row.low_milli, row.high_milli]
    if played or any(abs(a - b) >= SAME_MILLI for a, b in zip(values, stored, strict=True)):
        row.milli, row.low_milli, row.high_milli = values
        row.variance = float(rated.variance)
        row.luck_milli = round(1000 * rated.luck)
    is_ranked = rated.is_ranked if row.is_provisional else rated.keeps_rank
    is_ranked = is_ranked and row.sets >= row.retest_until
    row.is_provisional = not (row.is_anchor or is_ranked)
    half_width = (rated.high - rated.low) / 2
    row.is_settled = bool(is_settled(is_ranked=is_ranked, half_width=half_width, sets=rated.sets))


def _count(row: Standing, change: RatingChange, sign: int) -> None:
    for name in COUNTERS:
        setattr(row, name, getattr(row, name) + sign * getattr(change, name))


def _update(rows: list[Standing], names: Sequence[str]) -> None:
    """One prepared statement for all: `bulk_update` takes many times the CPU.

    The values are numbers and truth values, which databases take as they are.
    """
    words = ", ".join(f"{name} = %s" for name in names)
    values = attrgetter(*names, "pk")
    with connection.cursor() as cursor:
        cursor.executemany(
            f"UPDATE {Rating._meta.db_table} SET {words} WHERE id = %s",
            [values(row) for row in rows],
        )


def _write_bands(board: Board, rows: Standings, fitted: Fit) -> None:
    """Number the bands of those on the ladder; a band is a stretch of it."""
    shown = [v for v, row in rows.items() if row.is_listed and not row.is_provisional]
    bands = {v: n for n, band in enumerate(fitted.bands(shown), 1) for v in band}
    changed = [row for version, row in rows.items() if row.band != bands.get(version)]
    for row in changed:
        row.band = bands.get(row.version)
    _update(changed, ["band"])
