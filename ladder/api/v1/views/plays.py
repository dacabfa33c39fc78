"""Plays, their replays, and the referee."""

from __future__ import annotations

import gzip
from typing import Any

import msgspec
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from engine.replay import from_json, read
from ladder.api.idempotency import idempotent
from ladder.api.parsers import GzipFile, StrictJSON
from ladder.api.shape import shape
from ladder.api.throttling import Throttle, VerifyThrottle
from ladder.api.v1.shapes import matches as shapes
from ladder.api.views import ApiView, encoded, made
from ladder.contract import example
from ladder.contract import matches as contract
from ladder.queries import matches
from ladder.replays.referee import referee, verdict
from ladder.web.http.conditional import download, unchanging
from ladder.web.http.downloads import (
    match_zip,
    play_file,
    play_or_404,
    position_file,
    replay_or_404,
)

STEP = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
STEP_TEXT = "How many entries of the replay's log to keep; the luck that follows them is kept too."
FORMATS = {"json": "application/json", "gzip": "application/gzip"}


PLAY = shape(contract.Play, "a play")
VERDICT = shape(contract.Verdict, "a verdict")


class Plays(ApiView):
    @extend_schema(operation_id="plays_list", responses=PLAY(many=True))
    def get(self, request: Request, match: int) -> HttpResponse:
        """The plays of a match, in order, on one page."""
        if not matches.is_visible(request.user, match):
            raise Http404
        plays = matches.plays_of(match)
        return encoded(request, [located(match, play.public) for play in plays])


class Replays(ApiView):
    @extend_schema(
        operation_id="matches_replays",
        responses={(200, "application/zip"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, match: int) -> HttpResponse:
        """All replays of a match in one ZIP file, once a play has finished."""
        return match_zip(request, match)


class PlayDetail(ApiView):
    @extend_schema(operation_id="plays_show", responses=PLAY)
    def get(self, request: Request, match: int, index: int) -> HttpResponse:
        """One play."""
        return encoded(request, located(match, play_or_404(request, match, index).public))


class ReplayFile(ApiView):
    own_parameters = ("format",)

    @extend_schema(
        operation_id="plays_replay",
        parameters=[
            OpenApiParameter(
                "format",
                {"type": "string", "enum": list(FORMATS)},
                description="Instead of an `Accept` header.",
            )
        ],
        responses={
            (200, "application/json"): OpenApiResponse(
                shapes.REPLAY_SCHEMA, examples=[OpenApiExample("replay", shapes.REPLAY)]
            ),
            (200, "application/gzip"): OpenApiTypes.BINARY,
        },
    )
    def get(self, request: Request, match: int, index: int) -> Any:
        """The replay, as JSON or gzipped. It never changes: its ETag is its digest."""
        form = _wanted_form(request)
        play = play_or_404(request, match, index)
        if form == "gzip":
            answer = play_file(request, play)
        else:
            name = f"ladle-match-{match}-play-{index}.json"
            answer = unchanging(
                request,
                play.is_of_tournament,
                play.digest,
                lambda: download(gzip.decompress(replay_or_404(play)), FORMATS[form], name),
            )
        patch_vary_headers(answer, ["Accept"])
        return answer


class Position(ApiView):
    more_problems = (409,)
    own_parameters = ("step",)

    @extend_schema(
        operation_id="plays_position",
        parameters=[OpenApiParameter("step", STEP, required=True, description=STEP_TEXT)],
        responses={(200, "application/gzip"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, match: int, index: int) -> HttpResponse:
        """The play up to a step, as a gzipped replay for `ladle play --from`."""
        text = request.query_params.get("step", "")
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise ValidationError({"step": ["The step must be a whole number."]})
        return position_file(request, play_or_404(request, match, index), int(text))


class PlayVerdict(ApiView):
    throttle_classes = [Throttle, VerifyThrottle]

    @extend_schema(operation_id="plays_verify", responses=VERDICT)
    def get(self, request: Request, match: int, index: int) -> HttpResponse:
        """Verify a stored play from its replay alone."""
        return encoded(request, verdict(play_or_404(request, match, index)))


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
        responses=VERDICT,
        examples=[
            OpenApiExample(
                "a replay", shapes.REPLAY, request_only=True, media_type="application/json"
            ),
            OpenApiExample("a verdict", example(contract.Verdict), response_only=True),
        ],
    )
    @idempotent(writes=False)
    def post(self, request: Request) -> Response:
        """Verify a replay. An invalid replay is a normal answer, not an error."""
        data = request.data
        if isinstance(data, bytes):
            return made(referee(lambda: read(data)))
        if not isinstance(data, dict):
            raise ValidationError("A replay must be a JSON object.")
        return made(referee(lambda: from_json(data)))


def _wanted_form(request: Request) -> str:
    form = request.query_params.get("format")
    if form is None:
        accept = request.headers.get("Accept", "")
        return "gzip" if "gzip" in accept and "json" not in accept else "json"
    if form not in FORMATS:
        raise ValidationError({"format": [f"Allowed: {', '.join(FORMATS)}."]})
    return form


def located(match: int, play: contract.Play) -> contract.Play:
    """A play with the address of its replay."""
    address = reverse("api-replay-file", args=[match, play.index])
    return msgspec.structs.replace(play, replay=address)
