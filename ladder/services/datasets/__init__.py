"""Datasets of what was played: made of a day or a month, and sealed once nothing can be added."""

from __future__ import annotations

import hashlib
import os
import socket
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import msgspec
import structlog
from django.conf import settings
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from ladder.boards import Board
from ladder.contract.datasets import FORMAT, MANIFEST, DatasetFile, Manifest
from ladder.errors import Code, LadderError
from ladder.models import Dataset, Lock, Progress
from ladder.operation import releases
from ladder.queries import datasets as queries
from ladder.queries.values import midnight
from ladder.services.datasets import cards
from ladder.services.datasets.drafts import DayDraft, Draft, MonthDraft

log = structlog.get_logger(__name__)

LEASE = timedelta(minutes=2)
Beat = Callable[[], None]


def seal_due() -> list[Dataset]:
    """Make and seal the datasets of every day and month that is over."""
    made: list[Dataset] = []
    with _Alone() as beat:
        while (day := queries.due_day()) is not None:
            following = day + timedelta(days=1)
            made += _make_day(day, beat, is_sealed=True)
            if following.day == 1:
                made += _make_month(day, beat)
            # Last: a process that dies before makes the same files again.
            Progress.objects.update_or_create(
                name=queries.SEALED_UP_TO,
                defaults={"finished_at": midnight(following), "match": 0},
            )
    return made


def make_day(day: date) -> list[Dataset]:
    """Make the datasets of one day again; sealed if that day is over."""
    with _Alone() as beat:
        return _make_day(day, beat, is_sealed=queries.is_over(day))


def make_month(day: date) -> list[Dataset]:
    """The same of the month of a day, which must be over."""
    if not queries.is_over(_last_of_month(day)):
        raise LadderError(f"{day:%Y-%m} is not over yet: wait until then.", code=Code.TOO_SOON)
    with _Alone() as beat:
        return _make_month(day, beat)


def _last_of_month(day: date) -> date:
    return (day.replace(day=1) + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def _make_day(day: date, beat: Beat, *, is_sealed: bool) -> list[Dataset]:
    return _make(DayDraft, f"{day}", day, day, beat, is_sealed=is_sealed)


def _make_month(day: date, beat: Beat) -> list[Dataset]:
    first, last = day.replace(day=1), _last_of_month(day)
    return _make(MonthDraft, f"{day:%Y-%m}", first, last, beat, is_sealed=True)


def _make(
    kind: type[Draft], period: str, first: date, last: date, beat: Beat, *, is_sealed: bool
) -> list[Dataset]:
    """One pass over the matches of all boards: each has files of its own from its first match."""
    start, end = midnight(first), midnight(last + timedelta(days=1))
    drafts: dict[Board, Draft] = {}
    with tempfile.TemporaryDirectory(prefix="ladle-dataset-", dir=_scratch()) as folder:
        for batch in queries.played(start, end):
            for match in batch:
                board = Board(match.receipt.game, match.receipt.seats)
                if board not in drafts:
                    drafts[board] = kind(Path(folder), board, period)
                drafts[board].add(match)
                beat()
        return [_store(drafts[board], beat, is_sealed=is_sealed) for board in sorted(drafts)]


def _scratch() -> Path:
    settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
    return Path(settings.VAR_DIR)


def _store(draft: Draft, beat: Beat, *, is_sealed: bool) -> Dataset:
    """Store the files, then the row that names them, then drop what it named before."""
    where = f"datasets/{draft.board.game}-{draft.board.seats}/{draft.period}"
    stored: list[dict[str, Any]] = []
    for path, rows in draft.close():
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            file.seek(0)
            stored.append(_saved(where, path.name, sha256, path.stat().st_size, File(file)))
            stored[-1]["rows"] = rows
        path.unlink()
        beat()
    facts: dict[str, Any] = {
        "is_sealed": is_sealed,
        "engine": releases.stamp(),
        "rules_versions": sorted(draft.rules_versions),
        "matches": draft.matches,
        "plays": draft.plays,
        "decisions": draft.decisions,
        "replays": draft.replays,
        "missing_replays": draft.plays - draft.replays,
    }
    manifest = Manifest(
        format=FORMAT,
        site=settings.SITE_URL,
        game=draft.board.game,
        seats=draft.board.seats,
        period=draft.period,
        files=msgspec.convert(stored, list[DatasetFile]),
        **facts,
    )
    texts = {cards.CARD: cards.card(manifest), cards.CROISSANT: cards.croissant(manifest)}
    stored += [_saved_text(where, name, text.encode()) for name, text in texts.items()]
    manifest = msgspec.structs.replace(manifest, files=msgspec.convert(stored, list[DatasetFile]))
    body = msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"
    stored.append(_saved_text(where, MANIFEST, body))
    named: dict[str, Any] = {
        "game": draft.board.game,
        "seats": draft.board.seats,
        "period": draft.period,
    }
    before = Dataset.objects.filter(**named).values_list("files", flat=True).first() or []
    row, _ = Dataset.objects.update_or_create(**named, defaults=facts | {"files": stored})
    left = {file["stored"] for file in before} - {file["stored"] for file in stored}
    default_storage.delete_all(sorted(left))  # type: ignore[attr-defined]  # both of ours have it
    log.info("dataset made", dataset=str(row), sealed=is_sealed, plays=draft.plays)
    return row


def _saved_text(where: str, name: str, content: bytes) -> dict[str, Any]:
    sha256 = hashlib.sha256(content).hexdigest()
    return _saved(where, name, sha256, len(content), ContentFile(content)) | {"rows": None}


def _saved(where: str, name: str, sha256: str, size: int, file: Any) -> dict[str, Any]:
    # By its content: what a row names is never changed under a reader.
    stored = default_storage.save(f"{where}/{sha256[:16]}-{name}", file)
    return {"name": name, "stored": stored, "size": size, "sha256": sha256}


class _Alone:
    """Holds the lock: two processes would do the same work twice."""

    def __init__(self) -> None:
        self._holder = f"{socket.gethostname()}-{os.getpid()}"
        self._taken = time.monotonic()

    def __enter__(self) -> Beat:
        self._take()
        return self._beat

    def __exit__(self, *error: object) -> None:
        Lock.objects.give_back("datasets", self._holder)

    def _beat(self) -> None:
        if time.monotonic() - self._taken > LEASE.total_seconds() / 6:
            self._take()

    def _take(self) -> None:
        if not Lock.objects.take("datasets", self._holder, LEASE):
            raise LadderError(
                "Another process is making datasets: wait until it is done.", code=Code.IN_PROGRESS
            )
        self._taken = time.monotonic()
