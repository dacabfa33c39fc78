from __future__ import annotations

from typing import TypeVar

import msgspec
from django.http import FileResponse, Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api.idempotency import idempotent
from ladder.api.pagination import cursor_of, order_of, page_size_of
from ladder.api.parameters import FilterParameters, filter_of, kinds
from ladder.api.shape import shape
from ladder.api.throttling import BulkThrottle, Throttle
from ladder.api.v1.shapes import matches as shapes
from ladder.api.v1.views.plays import located
from ladder.api.views import ApiView, PagesView, UserRequest, addressed, encoded, made
from ladder.boards import Board
from ladder.contract import matches as contract
from ladder.errors import Code, LadderError
from ladder.queries import matches as queries
from ladder.services import bots, challenges
from ladder.web.http.downloads import JSON_LINES, replay_lines

MATCH = shape(contract.Match, "a match")


F = TypeVar("F", bound=contract.TableFilter)


def _asked(request: Request, filter_by: type[F]) -> F:
    asked = filter_of(request, filter_by)
    if asked.version is not None and asked.bot is None:
        raise LadderError(
            "A version is a number within one bot: name `bot` as well.",
            code=Code.VERSION_NEEDS_BOT,
        )
    return asked


class Matches(PagesView):
    filter_by = contract.MatchFilter
    orderings = ("-id", "id")

    @extend_schema(operation_id="matches_list", responses=MATCH(many=True))
    def get(self, request: Request) -> HttpResponse:
        """Matches, newest first."""
        order = order_of(request, self.orderings)
        asked, at = _asked(request, self.filter_by), cursor_of(request, order)
        page = queries.page(asked, request.user, order, at, page_size_of(request))
        return self.answer(page.of(lambda match: addressed(match, "match")))


class Replays(ApiView):
    """Bulk download. It has no pages, so what is asked for is bounded."""

    filter_by = contract.ReplayFilter
    filter_backends = (FilterParameters,)
    throttle_classes = [Throttle, BulkThrottle]

    def parameters(self) -> set[str]:
        return set(kinds(self.filter_by))

    @extend_schema(
        operation_id="replays_download",
        filters=True,
        responses={(200, JSON_LINES): OpenApiTypes.BINARY},
    )
    def get(self, request: Request) -> FileResponse:
        """Replays of finished matches in one gzipped file, a line of JSON for each play.

        A line has `match`, `play` (its index) and `replay`. At most 5,000 matches; replays that
        the site no longer keeps are left out.
        """
        return replay_lines(request, _asked(request, self.filter_by))


class MatchDetail(ApiView):
    @extend_schema(operation_id="matches_show", responses=shape(contract.Receipt, "a receipt"))
    def get(self, request: Request, match: int) -> HttpResponse:
        """A match's receipt: who, why, when, how it went, and its plays."""
        found = queries.receipt(request.user, match)
        if found is None:
            raise Http404
        plays = [located(match, play) for play in found.plays]
        return encoded(request, msgspec.structs.replace(addressed(found, "match"), plays=plays))


class Logs(ApiView):
    @extend_schema(operation_id="matches_logs", responses=shape(contract.Log, "a log")(many=True))
    def get(self, request: Request, match: int) -> HttpResponse:
        """What your bots printed, with the evidence of their faults."""
        own = queries.logs(request.user, match)
        if not own:
            raise Http404
        return encoded(request, own)


class Challenges(ApiView):
    names_bots = True

    @extend_schema(
        operation_id="challenges_create", request=shapes.NewChallenge, responses={201: MATCH}
    )
    @idempotent
    def post(self, request: UserRequest) -> Response:
        """Play an unrated match of your bot against bots you choose."""
        asked = shapes.NewChallenge(data=request.data)
        asked.is_valid(raise_exception=True)
        data = asked.validated_data
        match = challenges.challenge(
            by=request.user,
            board=Board(data["game"], data["seats"]),
            own=bots.own(by=request.user, pk=data["bot"]),
            others=bots.named(data["opponents"]),
            seed=data["seed"],
        )
        (queued,) = queries.rows([match.pk])
        address = reverse("api-match-detail", args=[match.pk])
        return made(addressed(queued, "match"), address, 201)
