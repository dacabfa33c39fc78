"""Counting what the top ten of every board do, for the explorer."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from engine.errors import EngineError
from engine.games import GAMES
from engine.replay import read
from engine.studies.explorer import counted, result_of
from ladder.boards import Board
from ladder.errors import LadderError
from ladder.models import Explored, MoveTally, Play
from ladder.queries.analyses import explorer
from ladder.replays import stored as replays


def count_one(board: Board) -> bool:
    """Count one more play of a board's top ten; whether there was one."""
    found = explorer.next_uncounted(board)
    if found is None:
        return False
    version, play, slot = found
    _count(board, version, Play.objects.get(pk=play), slot)
    return True


def _count(board: Board, version: int, play: Play, slot: int) -> None:
    game = GAMES[board.game]
    tallies: dict[tuple[str, str], int] = {}
    result = 0.0
    try:
        replay = read(replays.load(play))
        by_seat, results = counted(game, replay), result_of(game, replay)
        seats = [seat for seat, at in enumerate(play.seating) if at == slot]
        result = results[seats[0]]
        for seat in seats:
            for what, times in by_seat.get(seat, {}).items():
                tallies[what] = tallies.get(what, 0) + times
    except (EngineError, LadderError, replays.ReplayMissing):
        pass  # dropped, or of rules that are gone: it is passed over
    with transaction.atomic():
        row, _ = Explored.objects.select_for_update().get_or_create(
            version_id=version, seats=board.seats
        )
        if row.last_match >= play.match_id:
            return  # another process was quicker
        row.last_match = play.match_id
        row.plays += bool(tallies)
        row.save()
        for (kind, answer), times in tallies.items():
            tally, _ = MoveTally.objects.get_or_create(
                version_id=version, seats=board.seats, kind=kind, answer=answer
            )
            MoveTally.objects.filter(pk=tally.pk).update(
                times=F("times") + times,
                plays=F("plays") + 1,
                result_sum=F("result_sum") + result,
            )
