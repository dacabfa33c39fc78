"""Rating a board: its results in, ratings with intervals, ranks and bands out.

A tick is rated when none of its matches is open any more. The whole board is fitted each time,
so the order in which workers finish, and ticks end, changes nothing; what a page shows is never
older than the board's last tick. The results stay in memory between ticks: only news is read.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import structlog
from django.db import connection, transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now
from django.utils import timezone

from ladder.boards import Board
from ladder.models import BoardFit, Match, Rating, RatingChange, Tick
from ladder.models.rating import COUNTERS
from ladder.ratings.fit import Fit, Rated, fit
from ladder.ratings.matchmaking import is_settled
from ladder.ratings.results import Results
from ladder.ratings.selection import without_luck
from ladder.services.events import ranks
from ladder.services.rating import leagues, ratings, segments
from ladder.services.rating.tick_results import Totals, read

log = structlog.get_logger(__name__)

MOVED = [
    *("milli", "low_milli", "high_milli", "luck_milli", "variance"),
    *("is_provisional", "is_settled"),
]
# All of a rating; of its version and bot no more than a fit asks for.
READ = [
    *(field.name for field in Rating._meta.concrete_fields),
    *(f"version__{name}" for name in ("parent", "same_as", "essence", "number")),
    *(
        f"version__bot__{name}"
        for name in ("house_slug", "active_version", "owner", "is_house", "name")
    ),
]
REST = 9  # times as long as a fit took, before the next one of the board
SEALED_EVERY = 100  # fits of a board between looks whether its older ticks can be sealed
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
    on_board = Rating.objects.on(board).select_related("version__bot").only(*READ)
    rows = {row.version_id: row for row in on_board}
    if not rows:
        return None
    kept.results.add(one for one in news.outcomes if rows.keys() >= set(one.entrants))
    fitted = fit_board(board, kept.results, rows, due=None if from_scratch else news.totals)
    played = {rows[version].pk for version in news.totals if version in rows}
    for change in again.select_related("rating"):
        _count(rows[change.rating.version_id], change, -1)
        played.add(change.rating_id)
    again.delete()
    places = ranks.places(rows)
    _write(ticks, rows, fitted, news.by_tick)
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


def fit_board(
    board: Board, results: Results, rows: dict[int, Rating], due: Iterable[int] | None
) -> Fit:
    """Fit results to the versions of a board, house bots as they were measured.

    Versions of one program share a rating, that of the first of them. What is shown of an owner's
    active versions is freed of the luck of having tried many.
    """
    lines = {version: row.version.line for version, row in rows.items()}
    anchors = {
        version: (anchor.value, math.sqrt(anchor.variance))
        for version, row in rows.items()
        if row.is_anchor and row.version.bot.active_version_id == version
        if (anchor := ratings.anchor_of(board, row.version.bot)) is not None
    }
    parents = {
        lines[version]: lines[row.version.parent_id]
        for version, row in rows.items()
        if lines[version] == version and row.version.parent_id in rows
    }
    fitted = fit(
        results,
        fixed={v: value for v, (value, error) in anchors.items() if not error},
        measured={v: both for v, both in anchors.items() if both[1]},
        parents={child: parent for child, parent in parents.items() if child != parent},
        versions=lines.values(),
        programs={lines[v]: r.version.essence for v, r in rows.items() if r.version.essence},
        start={version: row.rated for version, row in rows.items() if lines[version] == version},
        due=None if due is None else {lines.get(version, version) for version in due},
    ).renamed(lines)
    return replace(fitted, rated=fitted.rated | _without_luck(rows, fitted))


def _without_luck(rows: dict[int, Rating], fitted: Fit) -> dict[int, Rated]:
    """What is shown of the active versions of owners who tried more than one."""
    families: dict[int, dict[int, int]] = defaultdict(dict)  # by owner: a version of each line
    for version, row in rows.items():
        if not row.is_anchor and fitted.rated[version].sets:
            families[row.version.bot.owner_id].setdefault(row.version.line, version)
    shown = {}
    for version, row in rows.items():
        family = families.get(row.version.bot.owner_id, {})
        if row.version.bot.active_version_id == version and not row.is_anchor and len(family) > 1:
            kin = [other for line, other in family.items() if line != row.version.line]
            shown[version] = without_luck(fitted.rated, version, kin)
    return shown


def _write(
    ticks: list[Tick],
    rows: dict[int, Rating],
    fitted: Fit,
    by_tick: dict[int, dict[int, Totals]],
) -> None:
    """Write what moved, and a step of the history for everybody who played."""
    now = timezone.now()
    history, moved = [], []
    for version, row in rows.items():
        before = tuple(getattr(row, name) for name in (*MOVED, *COUNTERS))
        changes = [
            RatingChange(tick=tick, rating=row, **by_tick[tick.pk][version].counters())
            for tick in ticks
            if version in by_tick.get(tick.pk, ())
        ]
        for change in changes:
            _count(row, change, 1)
            for name in COUNTERS:
                setattr(change, f"total_{name}", getattr(row, name))
            row.last_played_at = now
        _move(row, fitted.rated[version], played=bool(changes))
        for change in changes:
            change.milli, change.low_milli = row.milli, row.low_milli
            change.high_milli, change.is_provisional = row.high_milli, row.is_provisional
        history += changes
        if changes or before != tuple(getattr(row, name) for name in (*MOVED, *COUNTERS)):
            moved.append(row)
    RatingChange.objects.bulk_create(history)
    _update(moved, [*MOVED, *COUNTERS, "last_played_at"])


def _move(row: Rating, rated: Rated, *, played: bool) -> None:
    values = [round(1000 * value) for value in (rated.value, rated.low, rated.high)]
    stored = [row.milli, row.low_milli, row.high_milli]
    if played or any(abs(a - b) >= SAME_MILLI for a, b in zip(values, stored, strict=True)):
        row.milli, row.low_milli, row.high_milli = values
        row.variance = rated.variance
        row.luck_milli = round(1000 * rated.luck)
    is_ranked = rated.is_ranked if row.is_provisional else rated.keeps_rank
    is_ranked = is_ranked and row.sets >= row.retest_until
    row.is_provisional = not (row.is_anchor or is_ranked)
    row.is_settled = is_settled(
        is_ranked=is_ranked, half_width=(rated.high - rated.low) / 2, sets=rated.sets
    )


def _count(row: Rating, change: RatingChange, sign: int) -> None:
    for name in COUNTERS:
        setattr(row, name, getattr(row, name) + sign * getattr(change, name))


def _update(rows: list[Rating], names: list[str]) -> None:
    """One prepared statement for all: `bulk_update` takes many times the CPU."""
    fields: list[Any] = [Rating._meta.get_field(name) for name in names]
    words = ", ".join(f"{field.column} = %s" for field in fields)
    with connection.cursor() as cursor:
        cursor.executemany(
            f"UPDATE {Rating._meta.db_table} SET {words} WHERE id = %s",
            [
                [*(f.get_db_prep_save(getattr(row, f.attname), connection) for f in fields), row.pk]
                for row in rows
            ],
        )


def _write_bands(board: Board, rows: dict[int, Rating], fitted: Fit) -> None:
    """Number the bands of those on the ladder; a band is a stretch of it."""
    shown = [v for v, row in rows.items() if row.is_listed and not row.is_provisional]
    bands = {v: n for n, band in enumerate(fitted.bands(shown), 1) for v in band}
    changed = [row for version, row in rows.items() if row.band != bands.get(version)]
    for row in changed:
        row.band = bands.get(row.version_id)
    _update(changed, ["band"])
