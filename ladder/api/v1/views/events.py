from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
)
from rest_framework.request import Request

from ladder import contract
from ladder.api.v1.shapes import events as shapes
from ladder.api.views import ApiView
from ladder.contract.events import Event, Kind
from ladder.errors import Code, LadderError
from ladder.web.http.streaming import stream_address


def _filter(name: str, kind: type | OpenApiTypes, words: str, **more: object) -> OpenApiParameter:
    return OpenApiParameter(name, kind, description=words, **more)  # type: ignore[arg-type]


class Events(ApiView):
    more_problems = (404,)
    own_parameters = ("kind", "bot", "board", "tournament", "after", "format")

    @extend_schema(
        operation_id="events_stream",
        parameters=[
            _filter("kind", str, "Only such events; several by commas.", enum=[*map(str, Kind)]),
            _filter("bot", int, "Only events about this bot."),
            _filter("board", str, "Only events of this board, such as `ramen_ramen/2`."),
            _filter("tournament", int, "Only events of this tournament."),
            _filter("after", str, "The id of the last event seen, as in `Last-Event-ID`."),
            _filter("format", str, "`sse` (the default) or `ndjson`.", enum=["sse", "ndjson"]),
        ],
        responses={
            (200, "text/event-stream"): shapes.Event,
            307: OpenApiResponse(description="The stream is at another address of this site."),
        },
        examples=[
            OpenApiExample(
                "An event",
                contract.example(Event),
                response_only=True,
                media_type="text/event-stream",
                status_codes=["200"],
            )
        ],
    )
    def get(self, request: Request) -> HttpResponse:
        """Public events as they happen: server-sent events, or lines of JSON.

        Answered by a process of its own. After an unknown or very old `Last-Event-ID` it sends
        `reset`: fetch again what you show.
        """
        address = stream_address(request)
        if not address or address.startswith("/"):
            # Behind a proxy this is the stream's own address: if we are asked, it does not run.
            raise LadderError("This site has no event stream.", code=Code.NOT_FOUND)
        query = urlencode(list(request.query_params.lists()), doseq=True)
        return HttpResponse(status=307, headers={"Location": f"{address}?{query}"})
