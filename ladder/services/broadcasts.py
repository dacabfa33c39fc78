"""Live updates of plays for spectators, a few seconds behind."""

from __future__ import annotations

import time

import structlog
from django.db import Error as DatabaseProblem

from engine.replay import Replay
from ladder.models import Broadcast, Match

log = structlog.get_logger(__name__)

PERIOD_SECONDS = 2.0  # seconds between updates of a play; a shorter play has none
TOLD = ("attempt", "steps", "is_over", "replay")


class Camera:
    """Stands at the table of one match. What goes wrong with it never disturbs the play."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._replay: Replay | None = None
        self._looked = 0.0  # by the monotonic clock
        self._steps = 0  # of the log, as sent last

    def turn_to(self, replay: Replay) -> None:
        """A play begins; its replay grows."""
        self._replay, self._steps = replay, 0
        self._looked = time.monotonic()

    def look(self) -> None:
        """Send what is new, if it is time."""
        now = time.monotonic()
        if self._replay is None or now - self._looked < PERIOD_SECONDS:
            return
        self._looked = now
        if len(self._replay.log) > self._steps:
            self._tell(self._replay)

    def end(self, replay: Replay) -> None:
        """The play is over; its end is sent to those already watching."""
        if self._steps:
            self._tell(replay)
        self._replay = None

    def _tell(self, replay: Replay) -> None:
        self._steps = len(replay.log)
        row = Broadcast(
            match=self._match,
            index=replay.round,
            attempt=self._match.attempt,
            steps=self._steps,
            is_over=replay.result is not None,
            replay=replay.to_gzip(),
        )
        try:
            Broadcast.objects.bulk_create(
                [row], update_conflicts=True, unique_fields=["match", "index"], update_fields=TOLD
            )
        except DatabaseProblem as error:
            log.warning("broadcast failed", match=self._match.pk, error=str(error))


def sweep() -> None:
    """Drop the live updates of matches that are no longer played."""
    Broadcast.objects.exclude(match__status=Match.Status.RUNNING).delete()
