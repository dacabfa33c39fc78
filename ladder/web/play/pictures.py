"""A table of each game as a picture in a page, drawn by the game's own board."""

from __future__ import annotations

import subprocess
import time
from functools import cache
from itertools import islice

import structlog

from engine.frames import frames, names
from engine.game import Game
from engine.replay import from_json
from ladder.theatre.example import source
from ladder.web.cards.layout import TablePicture
from ladder.web.cards.making import drawn

log = structlog.get_logger(__name__)

SHOWN_AT = 2 / 3  # of the example, where a table is well filled
PAUSE_SECONDS = 60.0  # after a failure: drawing holds a page until it has timed out
_next_try: dict[Game, float] = {}  # by the monotonic clock


def picture(game: Game) -> TablePicture | None:
    """A table out of the example of the rules page; None where it cannot be drawn now."""
    if time.monotonic() < _next_try.get(game, 0.0):
        return None
    try:
        return _example(game)
    except (OSError, subprocess.SubprocessError) as error:
        log.warning("no picture of a table", game=game.slug, error=str(error))
        _next_try[game] = time.monotonic() + PAUSE_SECONDS
        return None


@cache  # an exception is not cached
def _example(game: Game) -> TablePicture | None:
    example = source(game)
    if example is None:
        return None
    replay = from_json(example["replay"])
    *_, frame = islice(frames(game, replay), int(len(replay.log) * SHOWN_AT) + 1)
    asked = {"game": game.slug, "frame": frame, "names": names(replay), "seats": replay.seats}
    return drawn(asked | {"inline": True})
