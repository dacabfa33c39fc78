"""Saving a bot that is being written to an account, and sharing a copy of it by a link."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Any

from django.db import transaction

from engine.games import GAMES
from ladder.contract.bots import TAB_LANGUAGES
from ladder.errors import Code, LadderError
from ladder.models import Draft, SharedDraft, User
from ladder.queries import limits
from ladder.services import quotas

MOST_FILES = 20
LARGEST = 512 * 1024  # bytes of all files of a draft
LONGEST_NAME = 100
SLOT = re.compile(rf"({'|'.join(TAB_LANGUAGES)})(-(version|shared)-[\w-]{{1,40}})?")
NAME = re.compile(r"(?:[A-Za-z0-9_][\w-]*/){0,7}[A-Za-z0-9_][\w-]*(?:\.[\w-]+)+", re.ASCII)


def save(*, user: User, game: str, slot: str, files: Any, revision: int | None) -> Draft:
    """Save a draft over the revision that its author has seen; None saves over any."""
    match = SLOT.fullmatch(slot)
    if game not in GAMES or match is None:
        raise LadderError(f"Unknown draft “{slot[:60]}”.", code=Code.NOT_FOUND)
    sound = _sound(files, match[1])
    with transaction.atomic():
        quotas.hold(user.pk)
        draft = Draft.objects.filter(owner=user, game=game, slot=slot).first()
        if draft is None:
            quotas.check(user.pk, limits.drafts(user.pk))
            return Draft.objects.create(owner=user, game=game, slot=slot, files=sound)
        if draft.files == sound:
            return draft
        if revision is not None and revision != draft.revision:
            raise LadderError(
                "This draft was changed in another tab or on another device.", code=Code.CHANGED
            )
        draft.files, draft.revision = sound, draft.revision + 1
        draft.save()
        return draft


def remove(*, user: User, pk: int) -> None:
    """Delete one of the user's drafts; nothing happens if there is none such."""
    Draft.objects.filter(owner=user, pk=pk).delete()


def share(*, user: User, game: str, language: str, files: Any) -> SharedDraft:
    """Keep a copy that anyone with its link can read. The same copy again has the same link."""
    if game not in GAMES or language not in TAB_LANGUAGES:
        raise LadderError("Unknown game or language.", code=Code.UNKNOWN_GAME)
    sound = _sound(files, language)
    with transaction.atomic():
        quotas.hold(user.pk)
        for known in SharedDraft.objects.filter(owner=user, game=game, language=language):
            if known.files == sound:
                return known
        quotas.check(user.pk, limits.shared_drafts(user.pk))
        return SharedDraft.objects.create(
            token=secrets.token_urlsafe(16),
            owner=user,
            game=game,
            language=language,
            files=sound,
        )


def unshare(*, user: User, token: str) -> bool:
    """End one of the user's links; False when there is none such."""
    deleted, _ = SharedDraft.objects.filter(owner=user, token=token).delete()
    return bool(deleted)


def _sound(files: Any, language: str) -> dict[str, str]:
    """The files, if they can be those of a bot in this language; the one that is run first."""
    main = f"bot.{language}"
    if not isinstance(files, Mapping) or not isinstance(files.get(main), str):
        raise LadderError(f"A draft must have a file {main}.", code=Code.BAD_FILE)
    if len(files) > MOST_FILES:
        raise LadderError(
            f"A draft has at most {MOST_FILES} files, and this one has {len(files)}.",
            code=Code.TOO_LARGE,
        )
    for name, text in files.items():
        if len(name) > LONGEST_NAME or not NAME.fullmatch(name):
            raise LadderError(f"“{name[:60]}” is not a valid file name.", code=Code.BAD_NAME)
        if not isinstance(text, str) or not _is_text(text):
            raise LadderError(f"{name} is not a text file.", code=Code.BAD_FILE)
    size = sum(len(text.encode()) for text in files.values())
    if size > LARGEST:
        raise LadderError(
            f"The draft has {size:,} bytes; the most is {LARGEST:,}.", code=Code.TOO_LARGE
        )
    others = {name: files[name] for name in sorted(files) if name != main}
    return {main: files[main]} | others


def _is_text(text: str) -> bool:
    """Whether a file and every database can hold it: no NUL, no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text
