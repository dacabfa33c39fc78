"""Plays of people that they keep on their page."""

from __future__ import annotations

import re

import structlog
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction

from engine.replay import Replay, packed, read
from ladder.errors import Code, LadderError
from ladder.models import KeptPlay, User
from ladder.models.names import has_unseen
from ladder.queries import accounts, limits
from ladder.queries.replays import referee
from ladder.services import quotas

log = structlog.get_logger(__name__)

LONGEST_NAME = 60


def keep(*, user: User, data: bytes) -> KeptPlay:
    """Keep a replay that the referee agrees with. The same one again is the one already kept."""
    replay = _sound(data)
    assert replay.result is not None
    content = replay.to_json()
    digest = content["digest"]
    path = f"kept/{user.pk % 1000:03}/{user.pk}-{digest[:32]}.json.gz"
    with transaction.atomic():
        quotas.hold(user.pk)
        known = KeptPlay.objects.filter(owner=user, digest=digest).first()
        if known is not None:
            return known
        quotas.check(user.pk, limits.kept_plays(user.pk))
        play = KeptPlay.objects.create(
            owner=user,
            game=replay.game,
            seats=replay.seats,
            players=[{"name": one.bot, "sha256": one.sha256} for one in replay.players],
            places=list(replay.result.places),
            points=list(replay.result.points),
            digest=digest,
            replay=path,
        )
        # After the row: one that is refused leaves no file.
        default_storage.save(path, ContentFile(packed(content)))
    log.info("play kept", play=play.pk, user=user.pk, game=play.game)
    return play


def remove(pk: int) -> None:
    """Forget a kept play and its file."""
    play = KeptPlay.objects.get(pk=pk)
    path = str(play.replay.name)
    play.delete()
    transaction.on_commit(lambda: default_storage.delete(path))


def _sound(data: bytes) -> Replay:
    verdict = referee(lambda: read(data))
    if not verdict.ok:
        raise LadderError(f"This replay is not true: {verdict.problem}.", code=Code.BAD_REPLAY)
    replay = read(data)
    if replay.result is None:
        raise LadderError("This play is not over yet.", code=Code.BAD_REPLAY)
    if len(replay.players) != replay.seats:
        raise LadderError("This replay does not say who played.", code=Code.BAD_REPLAY)
    for one in replay.players:
        if not 0 < len(one.bot.strip()) <= LONGEST_NAME or has_unseen(one.bot):
            raise LadderError(
                f"A player's name has 1 to {LONGEST_NAME} visible characters.", code=Code.BAD_NAME
            )
        if user := accounts.looks_like(one.bot):
            raise LadderError(
                f"The player's name {one.bot} looks like {user}, but is another name.",
                code=Code.BAD_NAME,
            )
        if not re.fullmatch("([0-9a-f]{64})?", one.sha256):
            raise LadderError("A bot is named by the SHA-256 of its source.", code=Code.BAD_REPLAY)
    if all(one.sha256 for one in replay.players):
        raise LadderError("No person took part in this play.", code=Code.BAD_REPLAY)
    return replay
