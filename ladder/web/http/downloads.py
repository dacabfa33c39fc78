"""Files to take away: replays, positions in them, whole matches in one zip, and datasets."""

from __future__ import annotations

import gzip
import io
import tempfile
import zipfile
from collections.abc import Iterator, Sequence

from django.conf import settings
from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpRequest, HttpResponse

from engine.errors import BadReplay
from engine.replay import read
from ladder.contract.matches import ReplayFilter, StoredPlay
from ladder.errors import Code, LadderError
from ladder.queries import datasets, matches
from ladder.queries.replays import Recorded, ReplayMissing, load
from ladder.web.http.conditional import conditional, download, unchanging

JSON_LINES = "application/gzip"
MOST_MATCHES = 5000  # of one download
AT_ONCE = 50  # matches whose rows are read together
LINE_END = gzip.compress(b"}\n", mtime=0)
BYTES = "application/octet-stream"
FOR_GOOD = "public, max-age=31536000, immutable"


def play_or_404(request: HttpRequest, match: int, index: int) -> StoredPlay:
    """A play that this visitor may see."""
    play = matches.play(request.user, match, index)
    if play is None:
        raise Http404
    return play


def replay_or_404(play: Recorded) -> bytes:
    """The gzipped replay as it was stored."""
    try:
        return load(play)
    except ReplayMissing:
        raise Http404 from None


def play_file(request: HttpRequest, play: StoredPlay) -> HttpResponse:
    name = f"ladle-match-{play.match}-play-{play.index + 1}.json.gz"
    return unchanging(
        request,
        play.is_of_tournament,
        f"{play.digest}.gz",
        lambda: download(replay_or_404(play), "application/gzip", name),
    )


def match_zip(request: HttpRequest, match: int) -> HttpResponse:
    """All replays of a match in one zip; Http404 while it has none, or is not to be seen."""
    plays = matches.plays_of(match) if matches.is_visible(request.user, match) else []
    if not plays:
        raise Http404
    return unchanging(
        request,
        plays[0].is_of_tournament,
        "-".join(play.digest[:16] for play in plays),
        lambda: download(_zipped(plays), "application/zip", f"ladle-match-{match}.zip"),
    )


def position_file(request: HttpRequest, play: StoredPlay, step: int) -> HttpResponse:
    """The play up to a step, as a file that `ladle play --from` goes on with."""
    try:
        replay = read(replay_or_404(play))
    except BadReplay as error:
        raise LadderError(f"The replay is damaged: {error}.", code=Code.BAD_REPLAY) from None
    if step > len(replay.log):
        raise LadderError(f"The play has {len(replay.log)} steps.", code=Code.NO_SUCH_STEP)
    try:
        position = replay.position(step)
    except BadReplay as error:
        raise LadderError(f"{error}.".capitalize(), code=Code.AFTER_FAULT) from None
    step = len(position.log)
    return unchanging(
        request,
        play.is_of_tournament,
        f"{play.digest}-{step}",
        lambda: download(position.to_gzip(), "application/gzip", position_name(play, str(step))),
    )


def position_name(play: StoredPlay, step: str) -> str:
    return f"ladle-match-{play.match}-play-{play.index + 1}-step-{step}.json.gz"


def replay_lines(request: HttpRequest, asked: ReplayFilter) -> FileResponse:
    """Replays of many matches, as one gzipped file."""
    ids = sorted(matches.finished(asked, request.user, MOST_MATCHES + 1))
    if len(ids) > MOST_MATCHES:
        raise LadderError(
            f"The limit for one download is {MOST_MATCHES:,} matches. Narrow it by"
            " day, board, bot, version or tournament.",
            code=Code.TOO_MANY_MATCHES,
        )
    # Written first: the server sends a file by itself, so no reader keeps a thread, however slow.
    file = tempfile.TemporaryFile(dir=settings.VAR_DIR)  # noqa: SIM115  # closed when it is sent
    for part in _lines(ids):
        file.write(part)
    file.seek(0)
    name = "ladle-replays.jsonl.gz"
    return FileResponse(file, as_attachment=True, filename=name, content_type=JSON_LINES)


def _lines(ids: Sequence[int]) -> Iterator[bytes]:
    """Gzip files one after the other are one: what is stored is sent as it is."""
    yield gzip.compress(b"", mtime=0)  # or a download of nothing were no gzip file
    for begin in range(0, len(ids), AT_ONCE):
        for play in matches.stored_plays(ids[begin : begin + AT_ONCE]):
            try:
                replay = load(play)
            except (LadderError, ReplayMissing):
                continue
            head = f'{{"match":{play.match},"play":{play.index},"replay":'
            yield gzip.compress(head.encode(), mtime=0) + replay + LINE_END


def dataset_file(request: HttpRequest, dataset: int, name: str) -> HttpResponse:
    """A file of a dataset, sent piece by piece; what is sealed never changes."""
    found = datasets.file_of(dataset, name)
    if found is None or not default_storage.exists(found.stored):
        raise Http404

    def send() -> HttpResponse:
        file = default_storage.open(found.stored)
        answer = FileResponse(file, as_attachment=True, filename=name, content_type=BYTES)
        answer["Content-Length"] = str(found.size)
        return answer  # type: ignore[return-value]  # the same to whoever sends it on

    answer = conditional(request, found.sha256, send)
    if found.is_sealed and answer.status_code in (200, 304):
        answer["Cache-Control"] = FOR_GOOD
    return answer


def _zipped(plays: Sequence[StoredPlay]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for play in plays:
            # A fixed date: the same match gives the same bytes every time.
            name = f"play-{play.index + 1}.json.gz"
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), replay_or_404(play))
    return buffer.getvalue()
