"""Results of rated ticks in a compact stored form.

A fit after a start reads every result of its board. From the rows of matches that takes 35 ms of
CPU and 2 MB of memory for a thousand of them, so older ticks are sealed into segments.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from ladder.boards import Board
from ladder.models import BoardFit, Match, ResultSegment, Tick
from ladder.ratings.results import Results, packed
from ladder.services.rating.tick_results import read

TICKS = 2000  # in a segment: about 8,000 matches


def seal(board: Board, beat: Callable[[], object] = lambda: None) -> int:
    """Store rated ticks as segments, as long as there are enough for one; how many segments.

    `beat` is called after each, before it is committed.
    """
    sealed = 0
    while _seal_one(board, beat):
        sealed += 1
    return sealed


@transaction.atomic
def _seal_one(board: Board, beat: Callable[[], object]) -> bool:
    # Whoever rates the board holds this row, so nothing of it is rated or sealed meanwhile.
    list(BoardFit.objects.select_for_update().filter(game=board.game, seats=board.seats))
    ticks = list(Tick.objects.on(board).unsealed().order_by("pk")[:TICKS])
    if len(ticks) < TICKS:
        return False
    results = read(Match.all_objects.finished().filter(tick__in=ticks), board)
    segment = ResultSegment.objects.create(
        game=board.game, seats=board.seats, data=packed(results.outcomes)
    )
    Tick.objects.filter(pk__in=[tick.pk for tick in ticks]).update(segment=segment)
    beat()
    return True


def forget(board: Board) -> None:
    """Drop the segments of a board, so that its results are read from the matches again."""
    ResultSegment.objects.filter(game=board.game, seats=board.seats).delete()


def results_of(board: Board) -> Results:
    """All rated results of a board, within its lock.

    A segment with a tick that waits to be rated again, since a match of it was struck, is no
    longer true: its ticks are read from their rows until they are sealed again.
    """
    on_board = ResultSegment.objects.filter(game=board.game, seats=board.seats)
    on_board.filter(tick__applied_at=None, tick__isnull=False).delete()
    results = Results()
    results.add_packed(
        bytes(data) for data in on_board.order_by("pk").values_list("data", flat=True)
    )
    unsealed = Tick.objects.on(board).unsealed()
    results.add(read(Match.all_objects.finished().filter(tick__in=unsealed), board).outcomes)
    return results
