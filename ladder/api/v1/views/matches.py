from __future__ import annotations

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import Http404
from django_filters import rest_framework as django_filters
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api import filters
from ladder.api.idempotency import idempotent
from ladder.api.permissions import manages
from ladder.api.v1.shapes import matches as shapes
from ladder.api.v1.views.bots import own_bot
from ladder.api.views import ApiView, DetailView, ListView
from ladder.boards import Board
from ladder.errors import LadderError
from ladder.models import Bot, Entry, Match, Play
from ladder.models.match import MatchQuerySet
from ladder.services import matches, tournaments

KINDS = [kind for kind in Match.Kind.values if kind != Match.Kind.CHECK]
ENTRIES = Entry.objects.select_related("bot", "version").defer("log").order_by("slot")


class MatchFilter(django_filters.FilterSet):
    game = filters.Game()
    seats = filters.Seats()
    kind = filters.one_of(KINDS)
    status = filters.one_of(Match.Status.values, method="of_status")
    trial = filters.Id(field_name="trial")
    tournament = filters.Id(field_name="pairing__tournament")
    bot = filters.Id(method="of_bot")
    other = filters.Id(method="of_bot", label="Another bot at the same table.")

    def of_status(self, found: MatchQuerySet, name: str, value: str) -> MatchQuerySet:
        return found.in_status(value)

    def of_bot(self, found: QuerySet[Match], name: str, value: int) -> QuerySet[Match]:
        # Not a join: a bot may sit at a table twice, in a trial of its versions.
        return found.filter(pk__in=Entry.objects.filter(bot=value).values("match"))


def visible(request: Request) -> QuerySet[Match]:
    return tournaments.visible_matches(request.user)


class Matches(ListView):
    serializer_class = shapes.Match
    filter_backends = [filters.Backend]
    filterset_class = MatchFilter
    orderings = ("-id", "id")

    @extend_schema(operation_id="matches_list")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Matches, newest first."""
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Match]:
        return visible(self.request).prefetch_related(Prefetch("entries", ENTRIES))


class MatchDetail(DetailView):
    serializer_class = shapes.Receipt
    lookup_url_kwarg = "match"

    @extend_schema(operation_id="matches_show")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """A match's receipt: who, why, when, how it went, and its plays."""
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Match]:
        found = visible(self.request).select_related("tick", "pairing", "created_by")
        return found.prefetch_related(Prefetch("entries", ENTRIES), "plays")


class Logs(ApiView):
    @extend_schema(operation_id="matches_logs", responses=shapes.Log(many=True))
    def get(self, request: Request, match: int) -> Response:
        """What one's own bots printed, with the evidence of their faults."""
        seated = Entry.objects.filter(match=match).select_related("bot", "version")
        own = [entry for entry in seated.order_by("slot") if manages(request.user, entry.bot)]
        if not own:
            raise Http404
        plays = list(Play.objects.filter(match=match).order_by("index"))
        return Response([_log(entry, plays) for entry in own])


class Challenges(ApiView):
    names_bots = True

    @extend_schema(
        operation_id="challenges_create",
        request=shapes.NewChallenge,
        responses={201: shapes.Match},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Play an unrated match of one's own bot against chosen ones."""
        asked = shapes.NewChallenge(data=request.data)
        asked.is_valid(raise_exception=True)
        data = asked.validated_data
        own = own_bot(request, data["bot"])
        match = matches.challenge(
            by=request.user,
            board=Board(data["game"], data["seats"]),
            own=own,
            others=_bots(data["opponents"]),
            seed=data["seed"],
        )
        made = Match.objects.prefetch_related(Prefetch("entries", ENTRIES)).get(pk=match.pk)
        location = {"Location": f"/api/v1/matches/{match.pk}/"}
        return Response(shapes.Match(made).data, status=201, headers=location)


def _bots(ids: list[int]) -> list[Bot]:
    found = Bot.objects.select_related("owner", "active_version").in_bulk(ids)
    missing = [pk for pk in ids if pk not in found]
    if missing:
        raise LadderError(f"There is no bot {missing[0]}.", code="unknown_bot", status=404)
    return [found[pk] for pk in ids]


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
