"""Remote bots: making one, its token, and where its seat is."""

from __future__ import annotations

from urllib.parse import urlencode, urlsplit

import msgspec
from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api.idempotency import idempotent
from ladder.api.v1.shapes import remote as shapes
from ladder.api.v1.views.bots import bot_or_404
from ladder.api.views import ApiView, UserRequest, encoded, made
from ladder.contract import remote as contract
from ladder.errors import Code, LadderError
from ladder.queries import remote as queries
from ladder.services.remote import bots
from ladder.web.http.streaming import stream_address

ELSEWHERE = OpenApiResponse(description="Seats are at another address of this site.")


class RemoteBots(ApiView):
    @extend_schema(
        operation_id="remote_create",
        request=shapes.NewRemote,
        responses={201: shapes.IssuedRemote},
    )
    @idempotent
    def post(self, request: UserRequest) -> Response:
        """Create a remote bot. Its token is shown in this answer only."""
        asked = shapes.NewRemote(data=request.data)
        asked.is_valid(raise_exception=True)
        remote, secret = bots.create(owner=request.user, **asked.validated_data)
        return _issued(remote.pk, secret, 201)


class RemoteDetail(ApiView):
    @extend_schema(operation_id="remote_show", responses=shapes.Remote)
    def get(self, request: Request, bot: int) -> HttpResponse:
        """A remote bot's description, and whether it is online."""
        bot_or_404(request, bot)
        return encoded(request, _found(bot))

    @extend_schema(
        operation_id="remote_change", request=shapes.RemoteChange, responses=shapes.Remote
    )
    def patch(self, request: UserRequest, bot: int) -> Response:
        """Change a remote bot's description, tempo, or whether it takes challenges."""
        found = bots.own(by=request.user, pk=bot)
        asked = shapes.RemoteChange(data=request.data)
        asked.is_valid(raise_exception=True)
        bots.change(remote=found, **asked.validated_data)
        return made(_found(bot))


class RemoteToken(ApiView):
    @extend_schema(
        operation_id="remote_token_create", request=None, responses={201: shapes.IssuedRemote}
    )
    @idempotent
    def post(self, request: UserRequest, bot: int) -> Response:
        """Make a new token for a remote bot; the old one stops working at once."""
        found = bots.own(by=request.user, pk=bot)
        return _issued(bot, bots.renew_token(remote=found), 201)

    @extend_schema(
        operation_id="remote_token_revoke",
        request=None,
        responses={204: OpenApiResponse(description="It no longer works.")},
    )
    def delete(self, request: UserRequest, bot: int) -> Response:
        """Revoke a remote bot's token."""
        bots.revoke_token(remote=bots.own(by=request.user, pk=bot))
        return Response(status=204)


class Seat(ApiView):
    authentication_classes = ()  # the bot's own token is read where the seat is
    permission_classes = ()
    more_problems = (404,)  # no stream runs
    own_parameters = ("wait", "known", "format", "draining")

    @extend_schema(
        operation_id="seat_stream",
        auth=[],
        parameters=[
            OpenApiParameter("wait", int, description="Long polling: answer within N seconds."),
            OpenApiParameter("known", str, description="Decisions known already, by commas."),
            OpenApiParameter("format", str, enum=["ndjson", "sse"]),
            OpenApiParameter("draining", int, enum=[0, 1], description="1: no new plays."),
        ],
        responses={307: ELSEWHERE},
    )
    def get(self, request: Request) -> HttpResponse:
        """A remote bot's decisions as lines of JSON, or server-sent events; see docs/remote.md."""
        return _elsewhere(request)

    @extend_schema(
        operation_id="seat_drain", auth=[], request=shapes.Draining, responses={307: ELSEWHERE}
    )
    def post(self, request: Request) -> HttpResponse:
        """Stop taking new plays; the answer lists the plays still to finish."""
        return _elsewhere(request)


class Answer(ApiView):
    authentication_classes = ()
    permission_classes = ()
    more_problems = (404,)  # no stream runs

    @extend_schema(
        operation_id="seat_answer",
        auth=[],
        request=shapes.DecisionAnswer,
        responses={307: ELSEWHERE},
    )
    def post(self, request: Request, decision: str) -> HttpResponse:
        """Answer a decision. Repeating the same answer is fine; a different one gets 409."""
        return _elsewhere(request, f" Decision {decision} cannot be answered here.")


def _elsewhere(request: Request, more: str = "") -> HttpResponse:
    address = urlsplit(stream_address(request))
    if not address.netloc:
        # Behind a proxy this is the seats' own address: if we are asked, no stream runs.
        problem = f"No stream for remote bots runs on this site.{more}"
        raise LadderError(problem, code=Code.NOT_FOUND)
    query = urlencode(list(request.query_params.lists()), doseq=True)
    where = f"{address.scheme}://{address.netloc}{request.path}"
    return HttpResponse(status=307, headers={"Location": f"{where}?{query}" if query else where})


def _found(bot: int) -> contract.Remote:
    remote = queries.find(bot)
    if remote is None:
        raise Http404
    return remote


def _issued(bot: int, secret: str, status: int) -> Response:
    issued = contract.IssuedRemote(**msgspec.structs.asdict(_found(bot)), secret=secret)
    headers = {"Location": reverse("api-bot-detail", args=[bot]), "Cache-Control": "no-store"}
    return Response(msgspec.to_builtins(issued), status=status, headers=headers)
