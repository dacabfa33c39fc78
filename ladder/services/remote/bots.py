"""What owners do with their remote bots."""

from __future__ import annotations

import hashlib

from django.db import transaction
from django.utils import timezone

from ladder.contract.remote import LANGUAGE, Tempo
from ladder.errors import Code, LadderError
from ladder.models import Bot, Presence, RemoteBot, User, Version
from ladder.services import bots

MOST_DESCRIPTION = 200


def create(
    *,
    owner: User,
    game: str,
    name: str,
    seat_counts: list[int] | None = None,
    description: str = "",
    tempo: str = Tempo.NORMAL,
    takes_challenges: bool = True,
    plays_rated: bool = True,
) -> tuple[RemoteBot, str]:
    """A bot without a program, and its token, which is never shown again."""
    checked = {"description": _description(description), "tempo": _tempo(tempo)}
    with transaction.atomic():
        bot = bots.create_bot(owner=owner, game=game, name=name, seat_counts=seat_counts)
        Bot.objects.filter(pk=bot.pk).update(is_public=True)
        bot.is_public = True
        version = Version.objects.create(
            bot=bot,
            number=1,
            language=LANGUAGE,
            size=0,
            sha256=hashlib.sha256(f"remote bot {bot.pk}".encode()).hexdigest(),
            status=Version.Status.ACCEPTED,
            checked_at=timezone.now(),
            activate_when_accepted=False,
        )
        remote = RemoteBot(
            bot=bot,
            version=version,
            takes_challenges=takes_challenges,
            plays_rated=plays_rated,
            **checked,
        )
        secret = remote.issue_token()
        remote.token_made_at = timezone.now()
        remote.save(force_insert=True)
    return remote, secret


def own(*, by: User, pk: int) -> RemoteBot:
    """A remote bot to write to."""
    bot = bots.own(by=by, pk=pk)
    remote = RemoteBot.objects.select_related("bot", "version").filter(pk=bot.pk).first()
    if remote is None:
        raise LadderError(f"{bot.name} is not a remote bot: it has a program.", code=Code.BAD_ENTRY)
    return remote


def change(
    *,
    remote: RemoteBot,
    description: str | None = None,
    tempo: str | None = None,
    takes_challenges: bool | None = None,
    plays_rated: bool | None = None,
) -> None:
    if description is not None:
        remote.description = _description(description)
    if tempo is not None:
        remote.tempo = _tempo(tempo)
    if takes_challenges is not None:
        remote.takes_challenges = takes_challenges
    if plays_rated is not None:
        remote.plays_rated = plays_rated
    remote.save(update_fields=["description", "tempo", "takes_challenges", "plays_rated"])


def renew_token(*, remote: RemoteBot) -> str:
    """A new token; the one before stops working at once, and its stream is closed."""
    secret = remote.issue_token()
    remote.token_made_at = timezone.now()
    _save_token(remote)
    return secret


def revoke_token(*, remote: RemoteBot) -> None:
    remote.prefix, remote.digest, remote.token_made_at = "", None, None
    _save_token(remote)


def _save_token(remote: RemoteBot) -> None:
    with transaction.atomic():
        remote.save(update_fields=["prefix", "digest", "token_made_at"])
        # The process that holds a stream with the old token closes it.
        Presence.objects.filter(pk=remote.pk).update(gone_at=timezone.now())


def _description(text: str) -> str:
    text = " ".join(text.split())
    if len(text) > MOST_DESCRIPTION or "\x00" in text:
        raise LadderError(
            f"The description has {len(text)} characters; at most {MOST_DESCRIPTION} are allowed.",
            code=Code.BAD_DESCRIPTION,
        )
    return text


def _tempo(text: str) -> str:
    if text not in set(Tempo):
        raise LadderError(
            f"Unknown tempo {text[:20]!r}. Allowed: {', '.join(Tempo)}.", code=Code.BAD_OPTIONS
        )
    return text
