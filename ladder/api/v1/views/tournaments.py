from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from ladder.api.idempotency import idempotent
from ladder.api.pagination import cursor_of, page_size_of
from ladder.api.parameters import filter_of
from ladder.api.shape import shape
from ladder.api.v1.shapes import tournaments as shapes
from ladder.api.v1.views.boards import board_or_404
from ladder.api.views import (
    ApiView,
    PagesView,
    UserRequest,
    addressed,
    encoded,
    made,
    tagged,
)
from ladder.boards import Board
from ladder.contract import tournaments as contract
from ladder.queries import tournaments as queries
from ladder.services import tournaments
from ladder.services.tournaments.planning import free_options

TOURNAMENT = shape(contract.Tournament, "a tournament")
DETAIL = shape(contract.TournamentDetail, "in full")


class Tournaments(PagesView):
    filter_by = contract.TournamentFilter

    @extend_schema(operation_id="tournaments_list", responses=TOURNAMENT(many=True))
    def get(self, request: Request) -> HttpResponse:
        """Tournaments you can see, newest first."""
        asked, at = filter_of(request, self.filter_by), cursor_of(request, queries.NEWEST)
        page = queries.page(asked, request.user, at, page_size_of(request))
        return self.answer(page.of(lambda one: addressed(one, "tournament")))

    @extend_schema(
        operation_id="tournaments_create",
        request=shapes.NewTournament,
        responses={201: DETAIL},
    )
    @idempotent
    def post(self, request: UserRequest) -> Response:
        """Create a tournament and open it for enrolment; once started it runs automatically."""
        wanted = checked(shapes.NewTournament, request)
        board = Board(wanted.pop("game"), wanted.pop("seats"))
        pk = tournaments.create(by=request.user, board=board, **wanted).pk
        return made(_detail(request, pk), reverse("api-tournament-detail", args=[pk]), 201)


class TournamentPreview(ApiView):
    permission_classes = [AllowAny]
    is_open = True

    @extend_schema(
        operation_id="tournaments_preview",
        request=shapes.Setup,
        responses=shape(contract.Preview, "a preview"),
    )
    @idempotent(writes=False)
    def post(self, request: UserRequest) -> Response:
        """Preview a tournament's rounds, matches and duration. Nothing is created."""
        wanted = checked(shapes.Setup, request)
        board = Board(wanted.pop("game"), wanted.pop("seats"))
        plan = tournaments.propose(by=request.user, board=board, **wanted)
        return made(
            contract.Preview(
                game=board.game,
                seats=board.seats,
                format=wanted["format"],
                entrants=plan.entrants,
                rounds=plan.preview.rounds,
                matches=plan.preview.matches,
                sets=plan.sets,
                plays=plan.plays,
                duration_s=round(plan.duration.total_seconds(), 1),
                is_measured=plan.is_measured,
                note=plan.preview.note,
            )
        )


class TournamentDetail(ApiView):
    @extend_schema(operation_id="tournaments_show", responses=DETAIL)
    def get(self, request: Request, tournament: int) -> HttpResponse:
        """A tournament and its entrants."""
        return encoded(request, _detail(request, tournament))

    @extend_schema(
        operation_id="tournaments_change",
        request=shapes.TournamentEdit,
        responses=DETAIL,
    )
    def patch(self, request: UserRequest, tournament: int) -> Response:
        """Change a tournament before it starts."""
        found = tournaments.visible(request.user, tournament)
        wanted = checked(shapes.TournamentEdit, request)
        tournaments.edit(tournament=found, by=request.user, **wanted)
        return made(_detail(request, tournament))


class Record(ApiView):
    @extend_schema(
        operation_id="tournaments_record",
        responses=OpenApiResponse(
            shapes.RECORD_SCHEMA, examples=[OpenApiExample("a record", shapes.RECORD)]
        ),
    )
    def get(self, request: Request, tournament: int) -> Response:
        """The full record of a tournament, for `ladle verify --tournament`."""
        return Response(tournaments.as_record(tournaments.visible(request.user, tournament)))


class TournamentResults(ApiView):
    @extend_schema(
        operation_id="tournaments_results",
        responses={
            (200, "text/csv"): OpenApiResponse(
                OpenApiTypes.STR, examples=[OpenApiExample("standings", shapes.RESULTS)]
            )
        },
    )
    def get(self, request: Request, tournament: int) -> HttpResponse:
        """The standings as CSV; the record has them as JSON."""
        table = tournaments.as_csv(tournaments.visible(request.user, tournament))
        response = HttpResponse(table, content_type="text/csv; charset=utf-8")
        return tagged(request, response)


class Formats(ApiView):
    @extend_schema(
        operation_id="boards_formats", responses=shape(contract.Format, "a format")(many=True)
    )
    def get(self, request: Request, game: str, seats: int) -> HttpResponse:
        """The tournament formats that a board can have, with their options."""
        board = board_or_404(game, seats)
        fitting = [
            contract.Format(
                name=one.name,
                title=one.title,
                fewest_entrants=one.fewest_entrants,
                options=[
                    contract.FormatOption(
                        name=option.name,
                        description=option.text,
                        default=option.default,
                        lowest=option.lowest,
                        highest=option.highest,
                    )
                    for option in free_options(one, board)
                ],
            )
            for one in tournaments.formats_for(board)
        ]
        return encoded(request, fitting)


class _Switch(ApiView):
    """An organiser's act on the whole tournament."""

    def act(self, request: UserRequest, pk: int, verb: Any, **more: Any) -> Response:
        verb(tournament=tournaments.visible(request.user, pk), by=request.user, **more)
        return made(_detail(request, pk))


class Start(_Switch):
    @extend_schema(operation_id="tournaments_start", request=None, responses=DETAIL)
    @idempotent
    def post(self, request: UserRequest, tournament: int) -> Response:
        """Start a tournament: fix the versions and seeds, and draw the first tables."""
        return self.act(request, tournament, tournaments.start)


class Pause(_Switch):
    @extend_schema(operation_id="tournaments_pause", request=shapes.Why, responses=DETAIL)
    @idempotent
    def post(self, request: UserRequest, tournament: int) -> Response:
        """Pause a tournament; queued matches are still played."""
        why = checked(shapes.Why, request)["why"]
        return self.act(request, tournament, tournaments.pause, why=why)


class Resume(_Switch):
    @extend_schema(operation_id="tournaments_resume", request=None, responses=DETAIL)
    @idempotent
    def post(self, request: UserRequest, tournament: int) -> Response:
        """Resume a paused tournament."""
        return self.act(request, tournament, tournaments.resume)


class Cancel(_Switch):
    @extend_schema(operation_id="tournaments_cancel", request=shapes.Why, responses=DETAIL)
    @idempotent
    def post(self, request: UserRequest, tournament: int) -> Response:
        """Cancel a tournament; finished matches stay on record."""
        why = checked(shapes.Why, request)["why"]
        return self.act(request, tournament, tournaments.cancel, why=why)


def checked(kind: type[Serializer[Any]], request: Request) -> dict[str, Any]:
    asked = kind(data=request.data)
    asked.is_valid(raise_exception=True)
    values: dict[str, Any] = asked.validated_data
    return values


def _detail(request: Request, pk: int) -> contract.TournamentDetail:
    found = queries.detail(request.user, pk)
    if found is None:
        raise Http404
    return addressed(found, "tournament")
