"""Plays of people: saved on a user's page, or shared by a guest for some days."""

from __future__ import annotations

import re
import secrets

import structlog
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction

from engine.game import house_name
from engine.replay import Replay, Seating, packed, read
from ladder.errors import Code, LadderError, QuotaReached
from ladder.models import KeptPlay, User
from ladder.models.names import has_unseen
from ladder.queries import accounts, kept_plays, limits
from ladder.replays.referee import referee
from ladder.services import quotas

log = structlog.get_logger(__name__)

LONGEST_NAME = 60
GUESTS = ("Guest", "Friend")  # as the play page names people without an account
FORGOTTEN = 500  # guest plays removed in a turn of the scheduler


def keep(*, user: User, data: bytes) -> KeptPlay:
    """Save a replay that the referee agrees with. The same one again is the one already saved."""
    replay = _sound(data)
    with transaction.atomic():
        quotas.hold(user.pk)
        known = KeptPlay.objects.filter(owner=user, digest=replay.digest()).first()
        if known is not None:
            return known
        quotas.check(user.pk, limits.kept_plays(user.pk))
        play = _stored(replay, user, f"kept/{user.pk % 1000:03}/{user.pk}")
    log.info("play kept", play=play.pk, user=user.pk, game=play.game)
    return play


def share(*, data: bytes) -> KeptPlay:
    """Keep a guest's replay for some days. It names nobody but guests and bots that are known."""
    replay = _sound(data)
    for one in replay.players:
        if not _is_known(replay.game, one):
            raise LadderError(
                f"A play shared without an account cannot name {one.bot}. Sign in to keep it.",
                code=Code.BAD_NAME,
            )
    digest = replay.digest()
    known = KeptPlay.objects.filter(owner=None, digest=digest).first()
    if known is not None and known.created_at > kept_plays.guests_since():
        return known
    if (limit := limits.guest_plays()).is_reached:
        raise QuotaReached(quotas.reached(limit))
    try:
        with transaction.atomic():
            if known is not None:
                remove(known.pk)
            play = _stored(replay, None, f"kept/guests/{digest[:2]}/{secrets.token_hex(4)}")
    except IntegrityError:  # the same play was shared at the same moment
        return KeptPlay.objects.get(owner=None, digest=digest)
    log.info("guest play shared", play=play.pk, game=play.game)
    return play


def keep_shared(*, replay: Replay) -> KeptPlay:
    """Keep a play of people over the network, which this site refereed itself."""
    digest = replay.digest()
    known = KeptPlay.objects.filter(owner=None, digest=digest).first()
    if known is not None:
        return known
    return _stored(replay, None, f"kept/shared/{digest[:2]}/{secrets.token_hex(4)}")


def forget_guest_plays() -> int:
    """Remove the oldest plays of guests that are past their days; how many."""
    past = KeptPlay.objects.filter(owner=None, created_at__lte=kept_plays.guests_since())
    old = list(past.order_by("created_at").values_list("pk", "replay")[:FORGOTTEN])
    KeptPlay.objects.filter(pk__in=[pk for pk, _ in old]).delete()
    default_storage.delete_all([path for _, path in old])  # type: ignore[attr-defined]
    if old:
        log.info("guest plays forgotten", count=len(old))
    return len(old)


def remove(pk: int) -> None:
    """Delete a saved play and its file."""
    play = KeptPlay.objects.get(pk=pk)
    path = str(play.replay.name)
    play.delete()
    transaction.on_commit(lambda: default_storage.delete(path))


def _stored(replay: Replay, owner: User | None, path: str) -> KeptPlay:
    assert replay.result is not None
    content = replay.to_json()
    digest = content["digest"]
    play = KeptPlay.objects.create(
        owner=owner,
        game=replay.game,
        seats=replay.seats,
        players=[{"name": one.bot, "sha256": one.sha256} for one in replay.players],
        places=list(replay.result.places),
        points=list(replay.result.points),
        digest=digest,
        replay=f"{path}-{digest[:32]}.json.gz",
    )
    # After the row: one that is refused leaves no file.
    default_storage.save(str(play.replay.name), ContentFile(packed(content)))
    return play


def _is_known(game: str, player: Seating) -> bool:
    """Whether a player's name is one that this site gave."""
    if not player.sha256:
        return player.bot in GUESTS
    if (short := kept_plays.house_bot(game, player.sha256)) is not None:
        return player.bot == house_name(short)
    return kept_plays.has_open_source(game, player.bot, player.sha256)


def _sound(data: bytes) -> Replay:
    verdict = referee(lambda: read(data))
    if not verdict.ok:
        raise LadderError(f"This replay is not valid: {verdict.problem}.", code=Code.BAD_REPLAY)
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
                f"The player's name {one.bot} is too similar to the user name {user}.",
                code=Code.BAD_NAME,
            )
        if not re.fullmatch("([0-9a-f]{64})?", one.sha256):
            raise LadderError("A bot is named by the SHA-256 of its source.", code=Code.BAD_REPLAY)
    if all(one.sha256 for one in replay.players):
        raise LadderError("No person took part in this play.", code=Code.BAD_REPLAY)
    return replay
