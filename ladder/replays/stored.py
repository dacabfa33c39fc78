"""The bytes of stored replays, alone and packed together."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Iterator, Sequence
from typing import Protocol

import structlog
from django.core.files.storage import default_storage

from ladder.contract.matches import StoredPlay
from ladder.errors import Code, LadderError

log = structlog.get_logger(__name__)

LINE_END = gzip.compress(b"}\n", mtime=0)
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


def zipped(plays: Sequence[StoredPlay]) -> bytes:
    """All replays of a match."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for play in plays:
            # A fixed date: the same match gives the same bytes every time.
            name = f"play-{play.index + 1}.json.gz"
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), load(play))
    return buffer.getvalue()


def lines(plays: Iterator[StoredPlay]) -> Iterator[bytes]:
    """One gzip file with a line of JSON for each replay that is still stored."""
    # Gzip files one after the other are one: what is stored is sent as it is.
    yield gzip.compress(b"", mtime=0)  # or a download of nothing were no gzip file
    for play in plays:
        try:
            replay = load(play)
        except (LadderError, ReplayMissing):
            continue
        head = f'{{"match":{play.match},"play":{play.index},"replay":'
        yield gzip.compress(head.encode(), mtime=0) + replay + LINE_END
