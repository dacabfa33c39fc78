"""What came of running a stored play again."""

from __future__ import annotations

import structlog

from ladder.models import Play

log = structlog.get_logger(__name__)

LONGEST_NOTE = 200


def store(play: Play, *, is_reproduced: bool, note: str) -> None:
    """Keep it for the match page. Operators hear of a difference, which must never be."""
    if not is_reproduced:
        log.error("play was not reproduced", match=play.match_id, play=play.index, problem=note)
    Play.objects.filter(pk=play.pk).update(
        is_reproduced=is_reproduced, reproduced_note=note[:LONGEST_NOTE]
    )
