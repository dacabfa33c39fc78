"""The one referee who says whether replays are true, and the positions in them."""

from __future__ import annotations

from collections.abc import Callable

from django.core.cache import cache

from engine.errors import BadReplay, EngineError
from engine.games import GAMES, get
from engine.replay import ChangedReplay, Replay, read, verify
from ladder.contract.matches import StoredPlay, Verdict
from ladder.errors import Code, LadderError
from ladder.replays.stored import Recorded, ReplayMissing, load

KEPT_SECONDS = 3600


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


def position(data: bytes, step: int) -> Replay:
    """A play up to a step, to go on from."""
    try:
        replay = read(data)
    except BadReplay as error:
        raise LadderError(f"The replay is damaged: {error}.", code=Code.BAD_REPLAY) from None
    if step > len(replay.log):
        raise LadderError(f"The play has {len(replay.log)} steps.", code=Code.NO_SUCH_STEP)
    try:
        return replay.position(step)
    except BadReplay as error:
        raise LadderError(f"{error}.".capitalize(), code=Code.AFTER_FAULT) from None
