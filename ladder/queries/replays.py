"""Stored replays: their bytes, and the one referee who says whether they are true."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import structlog
from django.core.cache import cache

from engine.errors import EngineError
from engine.games import GAMES, get
from engine.replay import ChangedReplay, Replay, read, verify
from ladder.errors import Code, LadderError
from ladder.models import Play

log = structlog.get_logger(__name__)

KEPT_SECONDS = 3600
DROPPED = (
    "This replay is no longer kept: the site drops old ones of ladders and trials."
    " The result and the replay's digest stay."
)


class ReplayMissing(Exception):
    """The row is there and its file is not: our failure."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the referee says of a replay; `problem` is empty when it is true."""

    problem: str
    game: str | None = None
    steps: int | None = None
    digest: str | None = None
    is_seed_proven: bool = False

    @property
    def ok(self) -> bool:
        return not self.problem


def load(play: Play) -> bytes:
    """The gzipped replay as it was stored.

    ReplayMissing when it is gone; a sentence for everyone when this site has dropped it.
    """
    if not play.replay:
        raise LadderError(DROPPED, code=Code.REPLAY_DROPPED)
    try:
        with play.replay.open("rb") as file:
            data: bytes = file.read()
    except FileNotFoundError:
        log.error("replay file is missing", play=play.pk)
        raise ReplayMissing from None
    return data


def verdict(play: Play) -> Verdict:
    """Referee a stored play from its replay alone. A sound one is remembered for a while."""
    rules = GAMES[play.match.game]
    key = f"verdict:{play.pk}:{play.digest}:{rules.rules_version}"
    known: Verdict | None = cache.get(key)
    if known is not None:
        return known
    found = fresh_verdict(play)
    if found.ok:
        cache.set(key, found, KEPT_SECONDS)
    return found


def fresh_verdict(play: Play) -> Verdict:
    """The same, of what is stored at this moment."""
    try:
        return referee(lambda: read(load(play)), play.digest)
    except ReplayMissing:
        return Verdict("its file is missing")
    except LadderError as error:
        return Verdict(str(error))


def referee(take: Callable[[], Replay], recorded: str | None = None) -> Verdict:
    """Read a replay and follow it by the rules; `recorded` is the digest it should have."""
    changed, replay = "", None
    try:
        try:
            replay = take()
        except ChangedReplay as error:
            # The digest only says that something was changed; the rules can say what.
            changed, replay = str(error), error.replay
        verify(get(replay.game), replay)
        wrong = changed
        if not wrong and recorded not in (None, replay.digest()):
            wrong = "the file is not the one that was recorded: its digest differs"
    except EngineError as error:
        wrong = str(error)
    if replay is None:
        return Verdict(wrong)
    is_proven = not wrong and replay.seed is not None
    return Verdict(wrong, replay.game, len(replay.log), replay.digest(), is_proven)
