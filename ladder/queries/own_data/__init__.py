"""A copy of everything that is a user's, as one ZIP file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

import structlog
from django.core.files.storage import default_storage
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet

from ladder.contract.remote import LANGUAGE as REMOTE_LANGUAGE
from ladder.models import (
    Bot,
    DailyTry,
    Draft,
    Entry,
    Follow,
    KeptPlay,
    Notice,
    PuzzleAnswer,
    RemoteBot,
    SharedDraft,
    SignedIn,
    Token,
    Tournament,
    User,
    Version,
    Webhook,
)

log = structlog.get_logger(__name__)

IN_MEMORY = 4 * 2**20
MOST_MATCHES = 100_000  # the newest


def archive(user: int, readme: str) -> IO[bytes]:
    """The file, at its beginning; `readme` says what is in it."""
    file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the answer closes it
    with ZipFile(file, "w", ZIP_DEFLATED) as zipped:
        zipped.writestr("README.txt", readme)
        for name, content in _tables(user).items():
            zipped.writestr(f"{name}.json", _json(content, indent=1))
        with zipped.open("matches.jsonl", "w") as lines:
            for row in _matches(user):
                lines.write(f"{_json(row)}\n".encode())
        for version in Version.objects.filter(bot__owner=user).exclude(language=REMOTE_LANGUAGE):
            suffix = str(version.source.name).rpartition("/")[2].partition(".")[2]
            path = f"bots/{version.bot_id}/v{version.number}.{suffix}"
            _copy(zipped, path, str(version.source.name))
        for pk, replay in KeptPlay.objects.filter(owner=user).values_list("pk", "replay"):
            _copy(zipped, f"plays/{pk}.json.gz", replay)
    file.seek(0)
    return file


def _tables(user: int) -> dict[str, Any]:
    def of(rows: QuerySet[Any], *fields: str) -> list[dict[str, Any]]:
        return list(rows.values(*fields))

    account = of(User.objects.filter(pk=user), "id", "username", "email", "profile")[0]
    account |= of(User.objects.filter(pk=user), "date_joined", "last_login")[0]
    bots = of(
        Bot.objects.filter(owner=user),
        *("id", "name", "game", "seat_counts", "status", "is_source_public", "description"),
        *("homepage", "licence", "tags", "created_at"),
    )
    versions = of(
        Version.objects.filter(bot__owner=user).order_by("bot", "number"),
        *("bot", "number", "language", "size", "sha256", "status", "report", "note"),
        *("authorship", "created_at"),
    )
    for bot in bots:
        bot["versions"] = [one for one in versions if one["bot"] == bot["id"]]
    shared = of(
        SharedDraft.objects.filter(owner=user), "game", "language", "files", "created_at", "token"
    )
    drafts = of(Draft.objects.filter(owner=user), "game", "slot", "files", "updated_at")
    return {
        "account": account,
        "bots": bots,
        "remote-bots": of(
            RemoteBot.objects.filter(bot__owner=user),
            *("bot", "description", "tempo", "takes_challenges", "plays_rated", "token_made_at"),
        ),
        "tournaments": of(
            Tournament.objects.filter(organiser=user),
            *("id", "name", "description", "game", "seats", "status"),
        ),
        "kept-plays": of(
            KeptPlay.objects.filter(owner=user),
            *("id", "game", "seats", "players", "places", "points", "digest", "created_at"),
        ),
        "drafts": {"drafts": drafts, "shared": shared},
        "daily": of(
            DailyTry.objects.filter(user=user),
            *("deal__game", "day", "started_at", "finished_at", "place", "points", "lead"),
        ),
        "puzzles": of(
            PuzzleAnswer.objects.filter(user=user), "puzzle", "action", "is_right", "created_at"
        ),
        "notices": of(
            Notice.objects.filter(user=user).order_by("-id"),
            *("kind", "text", "page", "count", "at", "read_at"),
        ),
        "follows": of(Follow.objects.filter(user=user), "subject", "target", "created_at"),
        "webhooks": of(Webhook.objects.filter(user=user), "url", "format", "kinds", "created_at"),
        "tokens": of(
            Token.objects.filter(user=user),
            *("name", "scope", "prefix", "created_at", "last_used_at", "expires_at", "revoked_at"),
        ),
        "sessions": of(SignedIn.objects.filter(user=user), "agent", "created_at"),
    }


def _matches(user: int) -> Iterator[dict[str, Any]]:
    """What the user may see of the matches of their bots."""
    owner = User.objects.get(pk=user)
    found = Entry.objects.visible_to(owner).filter(bot__owner=user).order_by("-match_id", "slot")
    rows = found.values(
        *("match", "match__kind", "match__game", "match__seats", "match__status", "bot"),
        *("version__number", "place", "points", "score", "faults", "decisions", "printed"),
    )
    yield from rows[:MOST_MATCHES].iterator(chunk_size=1000)


def _copy(zipped: ZipFile, path: str, stored: str) -> None:
    """A stored file, if it is still there."""
    try:
        with default_storage.open(stored) as file:
            zipped.writestr(path, file.read())
    except FileNotFoundError:
        log.warning("export lacks a file", path=path)


def _json(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=indent)
