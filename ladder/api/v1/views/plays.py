"""Plays, their replays, and the referee."""

from __future__ import annotations

import gzip
import re
from typing import Any

from django.core.cache import cache
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response, patch_vary_headers
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from engine.errors import BadReplay, EngineError
from engine.games import GAMES, get
from engine.replay import ChangedReplay, Replay, from_json, read, verify
from ladder.api.idempotency import idempotent
from ladder.api.parsers import GzipFile, StrictJSON
from ladder.api.problems import problem
from ladder.api.throttling import Throttle, VerifyThrottle
from ladder.api.v1.shapes import matches as shapes
from ladder.api.v1.views.matches import visible
from ladder.api.views import ApiView
from ladder.models import Play
from ladder.web.http.caching import kept_for_good
from ladder.web.http.downloads import match_zip, position_file, replay_file

VERIFIED_SECONDS = 3600
STEP = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
STEP_TEXT = "How many entries of the replay's log to keep; the luck that follows them is kept too."
FORMATS = {"json": "application/json", "gzip": "application/gzip"}


class Plays(ApiView):
    @extend_schema(operation_id="plays_list", responses=shapes.Play(many=True))
    def get(self, request: Request, match: int) -> Response:
        """The plays of a match, in order; a match has few of them."""
        found = get_object_or_404(visible(request), pk=match)
        return Response(shapes.Play(found.plays.order_by("index"), many=True).data)


class Replays(ApiView):
    @extend_schema(
        operation_id="matches_replays",
        responses={(200, "application/zip"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, match: int) -> HttpResponse:
        """All replays of a match in one zip; none while nothing of it is played."""
        return match_zip(request, get_object_or_404(visible(request), pk=match))


class PlayDetail(ApiView):
    @extend_schema(operation_id="plays_show", responses=shapes.Play)
    def get(self, request: Request, match: int, index: int) -> Response:
        """One play."""
        return Response(shapes.Play(play_or_404(request, match, index)).data)


class ReplayFile(ApiView):
    more_problems = (416,)

    @extend_schema(
        operation_id="plays_replay",
        parameters=[
            OpenApiParameter(
                "format",
                {"type": "string", "enum": list(FORMATS)},
                description="Instead of an `Accept` header.",
            ),
            OpenApiParameter(
                "Range",
                str,
                OpenApiParameter.HEADER,
                description="One range of bytes of the gzipped file.",
            ),
        ],
        responses={
            (200, "application/json"): OpenApiResponse(
                shapes.REPLAY_SCHEMA, examples=[OpenApiExample("replay", shapes.REPLAY)]
            ),
            (200, "application/gzip"): OpenApiTypes.BINARY,
            (206, "application/gzip"): OpenApiTypes.BINARY,
        },
    )
    def get(self, request: Request, match: int, index: int) -> Any:
        """The replay, as JSON or gzipped. It never changes: its ETag is its digest."""
        form = _wanted_form(request)
        play = play_or_404(request, match, index)
        tag = f'"{play.digest}"' if form == "json" else f'"{play.digest}.gz"'
        answer = get_conditional_response(request, etag=tag)
        if answer is None:
            content = _content(play, form)
            # A part of a JSON text is no JSON, so only the gzipped file is given in parts.
            if form == "gzip":
                answer = _part(request, content, FORMATS[form], tag)
            else:
                answer = HttpResponse(content, content_type=FORMATS[form])
        if answer.status_code in (200, 206):
            ending = "json.gz" if form == "gzip" else "json"
            name = f"ladle-match-{match}-play-{index}.{ending}"
            answer["Content-Disposition"] = f'attachment; filename="{name}"'
        if answer.status_code != 416:
            answer["ETag"] = tag
            answer["Cache-Control"] = kept_for_good(play.match)
        answer["Accept-Ranges"] = "bytes" if form == "gzip" else "none"
        patch_vary_headers(answer, ["Accept"])
        return answer


class Position(ApiView):
    more_problems = (409,)

    @extend_schema(
        operation_id="plays_position",
        parameters=[OpenApiParameter("step", STEP, required=True, description=STEP_TEXT)],
        responses={(200, "application/gzip"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, match: int, index: int) -> HttpResponse:
        """The play up to a step, as a gzipped replay that `ladle play --from` goes on with."""
        text = request.query_params.get("step", "")
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise ValidationError({"step": ["A step is a whole number."]})
        return position_file(request, play_or_404(request, match, index), int(text))


class PlayVerdict(ApiView):
    throttle_classes = [Throttle, VerifyThrottle]

    @extend_schema(operation_id="plays_verify", responses=shapes.Verdict)
    def get(self, request: Request, match: int, index: int) -> Response:
        """Referee a stored play again, from its replay alone."""
        play = play_or_404(request, match, index)
        rules = GAMES[play.match.game]
        key = f"verdict:{play.pk}:{play.digest}:{rules.rules_version}"
        found = cache.get(key)
        if found is None:
            found = _verdict(lambda: read(replay_file(play)), play.digest)
            if found["ok"]:
                cache.set(key, found, VERIFIED_SECONDS)
        return Response(found)


class Verify(ApiView):
    permission_classes = [AllowAny]
    throttle_classes = [Throttle, VerifyThrottle]
    parser_classes = [StrictJSON, GzipFile]
    is_open = True

    @extend_schema(
        operation_id="verify",
        request={
            "application/json": shapes.REPLAY_SCHEMA,
            "application/gzip": OpenApiTypes.BINARY,
        },
        responses=shapes.Verdict,
        examples=[
            OpenApiExample(
                "a replay", shapes.REPLAY, request_only=True, media_type="application/json"
            ),
            OpenApiExample("a verdict", shapes.VERDICT, response_only=True),
        ],
    )
    @idempotent(writes=False)
    def post(self, request: Request) -> Response:
        """Referee a replay; one that is false is an answer, not an error."""
        told = request.data
        if isinstance(told, bytes):
            return Response(_verdict(lambda: read(told)))
        if not isinstance(told, dict):
            raise ValidationError("A replay is a JSON object.")
        return Response(_verdict(lambda: from_json(told)))


def play_or_404(request: Request, match: int, index: int) -> Play:
    seen = Play.objects.select_related("match").filter(match__in=visible(request))
    return get_object_or_404(seen, match=match, index=index)


def _wanted_form(request: Request) -> str:
    form = request.query_params.get("format")
    if form is None:
        accept = request.headers.get("Accept", "")
        return "gzip" if "gzip" in accept and "json" not in accept else "json"
    if form not in FORMATS:
        raise ValidationError({"format": [f"It can be {', '.join(FORMATS)}."]})
    return form


def _content(play: Play, form: str) -> bytes:
    data = replay_file(play)
    return gzip.decompress(data) if form == "json" else data


def _part(request: Request, content: bytes, content_type: str, tag: str) -> Any:
    """The whole file, or the one range asked for; several ranges are answered with the whole."""
    asked = re.fullmatch(r"bytes=(\d{0,15})-(\d{0,15})", request.headers.get("Range", ""))
    if asked is None or asked[1] + asked[2] == "" or request.headers.get("If-Range", tag) != tag:
        return HttpResponse(content, content_type=content_type)
    size = len(content)
    if asked[1]:
        first, last = int(asked[1]), min(int(asked[2] or size - 1), size - 1)
    else:
        first, last = max(0, size - int(asked[2])), size - 1
    if first > last:
        headers = {"Content-Range": f"bytes */{size}"}
        return problem(416, "bad_range", f"The file has {size} bytes.", headers=headers)
    response = HttpResponse(content[first : last + 1], status=206, content_type=content_type)
    response["Content-Range"] = f"bytes {first}-{last}/{size}"
    return response


def _verdict(take: Any, expected: str | None = None) -> dict[str, Any]:
    """Read a replay and referee it; whatever is wrong becomes a sentence."""
    changed, replay = "", None
    try:
        try:
            replay = take()
        except ChangedReplay as error:
            # The digest only says that something was changed; the rules can say what.
            changed, replay = str(error), error.replay
        verify(get(replay.game), replay)
        wrong = changed
        if not wrong and expected not in (None, replay.digest()):
            wrong = "the file is not the one that was recorded: its digest differs"
    except (BadReplay, EngineError) as error:
        wrong = str(error)
    return _told(replay, wrong)


def _told(replay: Replay | None, wrong: str) -> dict[str, Any]:
    return {
        "ok": not wrong,
        "problem": wrong or None,
        "game": replay and replay.game,
        "steps": len(replay.log) if replay else None,
        "is_seed_proven": not wrong and replay is not None and replay.seed is not None,
        "digest": replay and replay.digest(),
    }
