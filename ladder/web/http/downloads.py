"""Replays to take away: one play's file, a position in it, a whole match in one zip."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

import structlog
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag

from engine.errors import BadReplay
from engine.replay import read
from ladder.errors import LadderError
from ladder.models import Match, Play
from ladder.web.http.caching import kept_for_good

log = structlog.get_logger(__name__)


def replay_file(play: Play) -> bytes:
    """The gzipped replay as it was stored."""
    try:
        with play.replay.open("rb") as file:
            data: bytes = file.read()
    except FileNotFoundError:
        log.error("replay file is missing", play=play.pk)
        raise Http404 from None
    return data


def match_zip(request: HttpRequest, match: Match) -> HttpResponse:
    """All replays of a match in one zip; Http404 while it has none."""
    plays = list(match.plays.order_by("index"))
    if not plays:
        raise Http404
    return unchanging(
        request,
        match,
        tag="-".join(play.digest[:16] for play in plays),
        name=f"ladle-match-{match.pk}.zip",
        content_type="application/zip",
        content=lambda: _zipped(plays),
    )


def position_file(request: HttpRequest, play: Play, step: int) -> HttpResponse:
    """The play up to a step, as a file that `ladle play --from` goes on with."""
    try:
        replay = read(replay_file(play))
    except BadReplay as error:
        raise LadderError(f"The replay is damaged: {error}.", code="bad_replay") from None
    if step > len(replay.log):
        raise LadderError(f"The play has {len(replay.log)} steps.", code="no_such_step", status=404)
    while step < len(replay.log) and "chance" in replay.log[step]:
        step += 1  # the luck an action brings belongs to it
    if any("fault" in entry for entry in replay.log[:step]):
        raise LadderError("A bot is at fault here; choose an earlier step.", code="after_fault")
    return unchanging(
        request,
        play.match,
        tag=f"{play.digest}-{step}",
        name=position_name(play, str(step)),
        content_type="application/gzip",
        content=lambda: replay.cut(step).to_gzip(),
    )


def position_name(play: Play, step: str) -> str:
    return f"ladle-match-{play.match_id}-play-{play.index}-step-{step}.json.gz"


def unchanging(
    request: HttpRequest,
    match: Match,
    *,
    tag: str,
    name: str,
    content_type: str,
    content: Callable[[], bytes],
) -> HttpResponse:
    """A match's file that never changes: cached for good, and not sent again to who has it."""
    etag = quote_etag(tag)
    response: Any = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(content(), content_type=content_type)
        response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["ETag"] = etag
    response["Cache-Control"] = kept_for_good(match)
    return response


def _zipped(plays: Sequence[Play]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for play in plays:
            # A fixed date: the same match gives the same bytes every time.
            name = f"play-{play.index}.json.gz"
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), replay_file(play))
    return buffer.getvalue()
