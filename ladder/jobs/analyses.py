"""What a worker does with time that no match needs: it analyses plays.

When nothing waits, at once. While the ladder is busy, for a few per cent of the time, since a
ladder always is; never while somebody waits for a check or a challenge.
"""

from __future__ import annotations

import time

import structlog
from django.conf import settings

from engine.analysis.run import Run
from engine.replay import read
from ladder.models import Match, PlayAnalysis
from ladder.queries import replays
from ladder.services import analyses

log = structlog.get_logger(__name__)

LOOK_SECONDS = 2.0  # between looks for analyses, and for matches while one is under way
LADDER = Match.PRIORITY[Match.Kind.LADDER]
_next_look = 0.0  # by the monotonic clock
_busy_until = 0.0  # until then a busy ladder has all the time


def work_once(*, is_idle: bool) -> bool:
    """Analyse a play if it is time for one; whether it did."""
    global _next_look, _busy_until
    now = time.monotonic()
    if not settings.ANALYSIS_SHARE or now < _next_look or (not is_idle and now < _busy_until):
        return False
    row = PlayAnalysis.objects.claim_next()
    if row is None:
        _next_look = now + LOOK_SECONDS
        return False
    perform(row)
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


def _is_somebody_waiting() -> bool:
    return Match.everything.due().filter(priority__lt=LADDER).exists()
