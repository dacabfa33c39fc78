"""What a worker does with time that no match needs: it analyses plays.

When nothing waits, at once. While the ladder is busy, for a few per cent of the time, since a
ladder always is; never while somebody waits for a check or a challenge.
"""

from __future__ import annotations

import time

import structlog
from django.conf import settings

from engine.analysis.run import Run
from engine.replay import Replay, read
from engine.studies.puzzles import find
from ladder.boards import BOARDS
from ladder.errors import LadderError
from ladder.models import Match, PlayAnalysis
from ladder.replays import stored as replays
from ladder.services import analyses
from ladder.services.analyses import exploring, studying

log = structlog.get_logger(__name__)

LOOK_SECONDS = 2.0  # between looks for analyses, and for matches while one is under way
LADDER = Match.PRIORITY[Match.Kind.LADDER]
_next_look = 0.0  # by the monotonic clock
_busy_until = 0.0  # until then a busy ladder has all the time
_may_be_stale = True  # analysts change with a new process only
_explored = 0  # boards that were looked at for the explorer


def work_once(*, is_idle: bool) -> bool:
    """Analyse a play, or study an analysis, if it is time for one; whether it did."""
    global _next_look, _busy_until
    now = time.monotonic()
    if not settings.ANALYSIS_SHARE or now < _next_look or (not is_idle and now < _busy_until):
        return False
    row = PlayAnalysis.objects.claim_next()
    if row is not None:
        perform(row)
    elif not study_once() and not renew_once() and not explore_once():
        _next_look = now + LOOK_SECONDS
        return False
    took = time.monotonic() - now
    _busy_until = time.monotonic() + took * (100 / settings.ANALYSIS_SHARE - 1)
    return True


def perform(row: PlayAnalysis) -> None:
    """Analyse a claimed play and store it, unless something more urgent comes."""
    try:
        run = Run(read(replays.load(row.play)))
        looked = time.monotonic()
        for _ in run.steps():
            if time.monotonic() - looked > LOOK_SECONDS:
                if _is_somebody_waiting():
                    analyses.give_back(row)
                    return
                if not analyses.prolong(row):
                    return
                looked = time.monotonic()
        if analyses.finish(row, run.analysis()):
            log.info("play analysed", play=row.play_id, why=row.why)
    except Exception as error:
        # It must not cost the worker its next match.
        log.exception("analysis broke")
        analyses.fail(row, f"{type(error).__name__}: {error}")


def study_once() -> bool:
    """Write down what a finished analysis says of the bots, with the puzzles in its play.

    Whether there was one. It starts over later when somebody waits for a match.
    """
    row = studying.next_unstudied()
    if row is None:
        return False
    try:
        told = studying.told_by(row)
        replay, made = _stored_replay(row), []
        for puzzle in find(replay, studying.promising(told)) if replay else ():
            if puzzle is not None:
                made.append(puzzle)
            if _is_somebody_waiting():
                return True
        studying.study(row, told, replay, made)
    except Exception:
        # One that cannot be read must not keep the others waiting.
        log.exception("analysis cannot be studied", play=row.play_id)
        studying.give_up(row)
    return True


def renew_once() -> bool:
    """Queue an analysis by an earlier analyst again. Once none is left, none comes up later."""
    global _may_be_stale
    _may_be_stale = _may_be_stale and analyses.renew_one()
    return _may_be_stale


def explore_once() -> bool:
    """Count a play of a board's top ten for the explorer; the boards take turns."""
    global _explored
    boards = [board for board in BOARDS if not board.is_solo]
    _explored += 1
    board = boards[_explored % len(boards)]
    try:
        return exploring.count_one(board)
    except Exception:
        # What cannot be counted must not cost the worker its next match.
        log.exception("explorer broke", board=str(board))
        return False


def _stored_replay(row: PlayAnalysis) -> Replay | None:
    """None where this site has dropped it."""
    try:
        return read(replays.load(row.play))
    except (LadderError, replays.ReplayMissing):
        return None


def _is_somebody_waiting() -> bool:
    return Match.all_objects.due().filter(priority__lt=LADDER).exists()
