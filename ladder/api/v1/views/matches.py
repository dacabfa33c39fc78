from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django_filters import rest_framework as django_filters
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api import filters
from ladder.api.idempotency import idempotent
from ladder.api.v1.shapes import matches as shapes
from ladder.api.views import ApiView, DetailView, ListView, UserRequest, encoded
from ladder.boards import Board
from ladder.models import Entry, Match, Play
from ladder.models.match import MatchQuerySet
from ladder.queries import matches as queries
from ladder.services import bots, challenges


class MatchFilter(django_filters.FilterSet):
    game = filters.Game()
    seats = filters.Seats()
    kind = filters.one_of(Match.SHOWN_KINDS)
    status = filters.one_of(Match.Status.values, method="of_status")
    trial = filters.Id(field_name="trial")
    tournament = filters.Id(method="of_tournament")
    bot = filters.Id(method="of_bot")
    other = filters.Id(method="of_bot", label="Another bot at the same table.")

    def of_status(self, found: MatchQuerySet, name: str, value: str) -> MatchQuerySet:
        return found.in_status(value)

    def of_tournament(self, found: QuerySet[Match], name: str, value: int) -> QuerySet[Match]:
        return queries.of_tournament(found, value)

    def of_bot(self, found: QuerySet[Match], name: str, value: int) -> QuerySet[Match]:
        return queries.with_bot(found, value)


class Matches(ListView):
    serializer_class = shapes.Match
    filter_backends = [filters.Backend]
    filterset_class = MatchFilter
    orderings = ("-id", "id")
    read_rows = staticmethod(queries.listed)

    @extend_schema(operation_id="matches_list")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """Matches, newest first."""
        rows = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        return encoded(request, self.get_paginated_response(rows).data)

    def get_queryset(self) -> QuerySet[Match]:
        return queries.visible(self.request.user)


class MatchDetail(DetailView):
    serializer_class = shapes.Receipt
    lookup_url_kwarg = "match"

    @extend_schema(operation_id="matches_show")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """A match's receipt: who, why, when, how it went, and its plays."""
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Match]:
        return queries.receipt(self.request.user)


class Logs(ApiView):
    @extend_schema(operation_id="matches_logs", responses=shapes.Log(many=True))
    def get(self, request: Request, match: int) -> Response:
        """What one's own bots printed, with the evidence of their faults."""
        own = queries.own_entries(request.user, match)
        if not own:
            raise Http404
        plays = queries.plays_of(own[0].match)
        return Response([_log(entry, plays) for entry in own])


class Challenges(ApiView):
    names_bots = True

    @extend_schema(
        operation_id="challenges_create",
        request=shapes.NewChallenge,
        responses={201: shapes.Match},
    )
    @idempotent
    def post(self, request: UserRequest) -> Response:
        """Play an unrated match of one's own bot against chosen ones."""
        asked = shapes.NewChallenge(data=request.data)
        asked.is_valid(raise_exception=True)
        data = asked.validated_data
        own = bots.own(by=request.user, pk=data["bot"])
        match = challenges.challenge(
            by=request.user,
            board=Board(data["game"], data["seats"]),
            own=own,
            others=bots.named(data["opponents"]),
            seed=data["seed"],
        )
        made = queries.with_entries(request.user).get(pk=match.pk)
        location = {"Location": reverse("api-match-detail", args=[match.pk])}
        return Response(shapes.Match(made).data, status=201, headers=location)


def _log(entry: Entry, plays: list[Play]) -> dict[str, Any]:
    return {
        "slot": entry.slot,
        "bot": entry.bot_id,
        "version": entry.version.number,
        "log": entry.log,
        "faults": [
            {
                "play": play.index,
                "seat": fault["seat"],
                "kind": fault["kind"],
                "sentence": fault["sentence"],
                "detail": fault.get("detail", ""),
            }
            for play in plays
            for fault in play.faults
            if play.seating[fault["seat"]] == entry.slot
        ],
    }
