from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django_filters import rest_framework as django_filters
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from ladder.api import filters
from ladder.api.idempotency import idempotent
from ladder.api.v1.shapes import tournaments as shapes
from ladder.api.v1.views.boards import board_or_404
from ladder.api.views import ApiView, ListView, UserRequest, tagged
from ladder.boards import Board
from ladder.models import Tournament
from ladder.queries import tournaments as queries
from ladder.services import tournaments
from ladder.services.tournaments.planning import free_options
from ladder.tournaments import FORMATS


class TournamentFilter(django_filters.FilterSet):
    game = filters.Game()
    seats = filters.Seats()
    status = filters.one_of(Tournament.Status.values)
    format = filters.one_of(list(FORMATS))
    organiser = filters.Text(method="of_organiser")
    search = filters.Text(field_name="name", lookup_expr="icontains")
    bot = filters.Id(method="of_bot")

    def of_organiser(
        self, found: QuerySet[Tournament], name: str, value: str
    ) -> QuerySet[Tournament]:
        return queries.organised_by(found, value)

    def of_bot(self, found: QuerySet[Tournament], name: str, value: int) -> QuerySet[Tournament]:
        return queries.with_bot(found, value)


class Tournaments(ListView):
    serializer_class = shapes.Tournament
    filter_backends = [filters.Backend]
    filterset_class = TournamentFilter

    @extend_schema(operation_id="tournaments_list")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Tournaments one may see, newest first."""
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Tournament]:
        return queries.visible(self.request.user)

    @extend_schema(
        operation_id="tournaments_create",
        request=shapes.NewTournament,
        responses={201: shapes.TournamentDetail},
    )
    @idempotent
    def post(self, request: UserRequest) -> Response:
        """Make a tournament and open it for enrolment; it runs itself once it starts."""
        wanted = checked(shapes.NewTournament, request)
        board = Board(wanted.pop("game"), wanted.pop("seats"))
        made = tournaments.create(by=request.user, board=board, **wanted)
        location = {"Location": reverse("api-tournament-detail", args=[made.pk])}
        return Response(_body(made.pk), status=201, headers=location)


class Preview(ApiView):
    permission_classes = [AllowAny]
    is_open = True

    @extend_schema(
        operation_id="tournaments_preview", request=shapes.Setup, responses=shapes.Preview
    )
    @idempotent(writes=False)
    def post(self, request: UserRequest) -> Response:
        """What a tournament would be: rounds, matches, about how long. Nothing is made."""
        wanted = checked(shapes.Setup, request)
        board = Board(wanted.pop("game"), wanted.pop("seats"))
        plan = tournaments.propose(by=request.user, board=board, **wanted)
        data = {
            "game": board.game,
            "seats": board.seats,
            "format": wanted["format"],
            "entrants": plan.entrants,
            "rounds": plan.preview.rounds,
            "matches": plan.preview.matches,
            "sets": plan.sets,
            "plays": plan.plays,
            "duration_s": round(plan.duration.total_seconds(), 1),
            "is_measured": plan.is_measured,
            "note": plan.preview.note,
        }
        return Response(data)


class TournamentDetail(ApiView):
    @extend_schema(operation_id="tournaments_show", responses=shapes.TournamentDetail)
    def get(self, request: Request, tournament: int) -> Response:
        """A tournament and its entrants."""
        return Response(_body(tournament_or_404(request, tournament).pk))

    @extend_schema(
        operation_id="tournaments_change",
        request=shapes.TournamentEdit,
        responses=shapes.TournamentDetail,
    )
    def patch(self, request: UserRequest, tournament: int) -> Response:
        """Change it before it starts."""
        found = tournament_or_404(request, tournament)
        wanted = checked(shapes.TournamentEdit, request)
        tournaments.edit(tournament=found, by=request.user, **wanted)
        return Response(_body(found.pk))


class Record(ApiView):
    @extend_schema(
        operation_id="tournaments_record",
        responses=OpenApiResponse(
            shapes.RECORD_SCHEMA, examples=[OpenApiExample("a record", shapes.RECORD)]
        ),
    )
    def get(self, request: Request, tournament: int) -> Response:
        """Everything to check it by: `ladle verify --tournament` reads this."""
        return Response(tournaments.as_record(tournament_or_404(request, tournament)))


class Results(ApiView):
    @extend_schema(
        operation_id="tournaments_results",
        responses={
            (200, "text/csv"): OpenApiResponse(
                OpenApiTypes.STR, examples=[OpenApiExample("standings", shapes.RESULTS)]
            )
        },
    )
    def get(self, request: Request, tournament: int) -> HttpResponse:
        """The standings as a table for spreadsheets; as JSON they are in the record."""
        table = tournaments.as_csv(tournament_or_404(request, tournament))
        response = HttpResponse(table, content_type="text/csv; charset=utf-8")
        return tagged(request, response)


class Formats(ApiView):
    @extend_schema(operation_id="boards_formats", responses=shapes.Format(many=True))
    def get(self, request: Request, game: str, seats: int) -> Response:
        """The tournament formats that a board can have, with their options."""
        board = board_or_404(game, seats)
        return Response(
            [
                {
                    "name": one.name,
                    "title": one.title,
                    "fewest_entrants": one.fewest_entrants,
                    "options": [
                        {
                            "name": option.name,
                            "description": option.text,
                            "default": option.default,
                            "lowest": option.lowest,
                            "highest": option.highest,
                        }
                        for option in free_options(one, board)
                    ],
                }
                for one in tournaments.formats_for(board)
            ]
        )


class _Switch(ApiView):
    """An organiser's act on the whole tournament."""

    def act(self, request: UserRequest, pk: int, verb: Any, **more: Any) -> Response:
        found = tournament_or_404(request, pk)
        verb(tournament=found, by=request.user, **more)
        return Response(_body(pk))


class Start(_Switch):
    @extend_schema(
        operation_id="tournaments_start", request=None, responses=shapes.TournamentDetail
    )
    @idempotent
    def post(self, request: UserRequest, tournament: int) -> Response:
        """Freeze the versions, give the seeds and draw the first tables."""
        return self.act(request, tournament, tournaments.start)


class Pause(_Switch):
    @extend_schema(
        operation_id="tournaments_pause", request=shapes.Why, responses=shapes.TournamentDetail
    )
    @idempotent
    def post(self, request: UserRequest, tournament: int) -> Response:
        """Begin nothing new; what is queued is still played."""
        why = checked(shapes.Why, request)["why"]
        return self.act(request, tournament, tournaments.pause, why=why)


class Resume(_Switch):
    @extend_schema(
        operation_id="tournaments_resume", request=None, responses=shapes.TournamentDetail
    )
    @idempotent
    def post(self, request: UserRequest, tournament: int) -> Response:
        """Go on."""
        return self.act(request, tournament, tournaments.resume)


class Cancel(_Switch):
    @extend_schema(
        operation_id="tournaments_cancel", request=shapes.Why, responses=shapes.TournamentDetail
    )
    @idempotent
    def post(self, request: UserRequest, tournament: int) -> Response:
        """Call it off; what was played stays on record."""
        why = checked(shapes.Why, request)["why"]
        return self.act(request, tournament, tournaments.cancel, why=why)


def tournament_or_404(request: Request, pk: int) -> Tournament:
    """One that the asker may see; a private one does not exist for strangers."""
    return get_object_or_404(queries.visible(request.user), pk=pk)


def checked(shape: type[Serializer], request: Request) -> dict[str, Any]:
    asked = shape(data=request.data)
    asked.is_valid(raise_exception=True)
    return asked.validated_data


def _body(pk: int) -> dict[str, Any]:
    return shapes.TournamentDetail(queries.detail(pk)).data
