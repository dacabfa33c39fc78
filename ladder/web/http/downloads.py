"""Files to take away: replays, positions in them, whole matches in one zip, and datasets."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence

from django.conf import settings
from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpRequest, HttpResponse

from ladder.contract.matches import ReplayFilter, StoredPlay
from ladder.errors import Code, LadderError
from ladder.queries import datasets, matches
from ladder.replays.referee import position
from ladder.replays.stored import Recorded, ReplayMissing, lines, load, zipped
from ladder.web.http.conditional import conditional, download, unchanging

JSON_LINES = "application/gzip"
MOST_MATCHES = 5000  # of one download
AT_ONCE = 50  # matches whose rows are read together
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

    def send() -> HttpResponse:
        try:
            return download(zipped(plays), "application/zip", f"ladle-match-{match}.zip")
        except ReplayMissing:
            raise Http404 from None

    digests = "-".join(play.digest[:16] for play in plays)
    return unchanging(request, plays[0].is_of_tournament, digests, send)


def position_file(request: HttpRequest, play: StoredPlay, step: int) -> HttpResponse:
    """The play up to a step, as a file that `ladle play --from` goes on with."""
    found = position(replay_or_404(play), step)
    step = len(found.log)
    return unchanging(
        request,
        play.is_of_tournament,
        f"{play.digest}-{step}",
        lambda: download(found.to_gzip(), "application/gzip", position_name(play, str(step))),
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
    for part in lines(_plays(ids)):
        file.write(part)
    file.seek(0)
    name = "ladle-replays.jsonl.gz"
    return FileResponse(file, as_attachment=True, filename=name, content_type=JSON_LINES)


def _plays(ids: Sequence[int]) -> Iterator[StoredPlay]:
    for begin in range(0, len(ids), AT_ONCE):
        yield from matches.stored_plays(ids[begin : begin + AT_ONCE])


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
