"""Stored replays: their bytes, and the one referee who says whether they are true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import structlog
from django.core.cache import cache
from django.core.files.storage import default_storage

from engine.errors import EngineError
from engine.games import GAMES, get
from engine.replay import ChangedReplay, Replay, read, verify
from ladder.contract.matches import StoredPlay, Verdict
from ladder.errors import Code, LadderError

log = structlog.get_logger(__name__)

KEPT_SECONDS = 3600
DROPPED = (
    "This replay is no longer kept: the site drops old ones of ladders and trials."
    " The result and the replay's digest stay."
)


class ReplayMissing(Exception):
    """The row is there and its file is not: our failure."""


class Recorded(Protocol):
    """A play whose replay was stored."""

    @property
    def id(self) -> int: ...

    @property
    def digest(self) -> str: ...

    @property
    def file(self) -> str: ...


def load(play: Recorded) -> bytes:
    """The gzipped replay as it was stored.

    ReplayMissing when it is gone; a sentence for everyone when this site has dropped it.
    """
    if not play.file:
        raise LadderError(DROPPED, code=Code.REPLAY_DROPPED)
    try:
        with default_storage.open(play.file) as file:
            data: bytes = file.read()
    except FileNotFoundError:
        log.error("replay file is missing", play=play.id)
        raise ReplayMissing from None
    return data


def verdict(play: StoredPlay) -> Verdict:
    """Referee a stored play from its replay alone. A sound one is remembered for a while."""
    rules = GAMES[play.game]
    key = f"verdict:{play.id}:{play.digest}:{rules.rules_version}"
    known: Verdict | None = cache.get(key)
    if known is not None:
        return known
    found = fresh_verdict(play)
    if found.ok:
        cache.set(key, found, KEPT_SECONDS)
    return found


def fresh_verdict(play: Recorded) -> Verdict:
    """The same, of what is stored at this moment."""
    try:
        return referee(lambda: read(load(play)), play.digest)
    except ReplayMissing:
        return Verdict(ok=False, problem="its file is missing")
    except LadderError as error:
        return Verdict(ok=False, problem=str(error))


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
        return Verdict(ok=False, problem=wrong)
    return Verdict(
        ok=not wrong,
        problem=wrong or None,
        game=replay.game,
        steps=len(replay.log),
        is_seed_proven=not wrong and replay.seed is not None,
        digest=replay.digest(),
    )
