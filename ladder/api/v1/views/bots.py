from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django_filters import rest_framework as django_filters
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api import filters
from ladder.api.idempotency import idempotent
from ladder.api.pagination import cursor_of, page_size_of
from ladder.api.parameters import ID, SEATS, number_of
from ladder.api.problems import Missing
from ladder.api.shape import shape
from ladder.api.v1.shapes import bots as shapes
from ladder.api.v1.shapes.shares import share_told
from ladder.api.views import ApiView, DetailView, ListView, PagesView, UserRequest
from ladder.boards import Board
from ladder.contract import bots as contract
from ladder.errors import Code, NotAllowed
from ladder.models import Bot
from ladder.queries import bots as queries
from ladder.queries import histories
from ladder.queries.figures import figures, head_to_head
from ladder.services import bots


class BotFilter(django_filters.FilterSet):
    game = filters.Game()
    owner = filters.Text(method="of_owner")
    status = filters.one_of(Bot.Status.values)
    search = filters.Text(field_name="name", lookup_expr="icontains")
    is_house = filters.Flag(method="of_house")
    mine = filters.Flag(method="of_mine")

    def of_owner(self, found: QuerySet[Bot], name: str, value: str) -> QuerySet[Bot]:
        return queries.owned_by(found, value)

    def of_house(self, found: QuerySet[Bot], name: str, value: bool) -> QuerySet[Bot]:
        return queries.of_house(found, value)

    def of_mine(self, found: QuerySet[Bot], name: str, value: bool) -> QuerySet[Bot]:
        pk = self.request.user.pk
        return queries.of_owner(found, pk, value)


class Bots(ListView):
    queryset = queries.bots()
    serializer_class = shapes.Bot
    filter_backends = [filters.Backend]
    filterset_class = BotFilter
    orderings = ("-id", "id", "name", "-name", "created_at", "-created_at")

    def get_queryset(self) -> QuerySet[Bot]:
        return queries.visible(self.request.user)

    @extend_schema(operation_id="bots_list")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Bots, newest first."""
        return super().get(request, *args, **kwargs)

    @extend_schema(operation_id="bots_create", request=shapes.NewBot, responses={201: shapes.Bot})
    @idempotent
    def post(self, request: UserRequest) -> Response:
        """Make a bot; it plays once a version of it is accepted."""
        asked = shapes.NewBot(data=request.data)
        asked.is_valid(raise_exception=True)
        bot = bots.create_bot(owner=request.user, **asked.validated_data)
        location = {"Location": reverse("api-bot-detail", args=[bot.pk])}
        return Response(shapes.Bot(bot).data, status=201, headers=location)


class BotDetail(DetailView):
    queryset = queries.bots()
    serializer_class = shapes.Bot
    lookup_url_kwarg = "bot"

    def get_queryset(self) -> QuerySet[Bot]:
        return queries.visible(self.request.user)

    @extend_schema(operation_id="bots_show")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One bot."""
        return super().get(request, *args, **kwargs)

    @extend_schema(operation_id="bots_change", request=shapes.BotChange, responses=shapes.Bot)
    def patch(self, request: UserRequest, bot: int) -> Response:
        """Rename it, or make its source public or private."""
        found = own_bot(request, bot)
        asked = shapes.BotChange(data=request.data)
        asked.is_valid(raise_exception=True)
        wanted = asked.validated_data
        with transaction.atomic():
            if "name" in wanted:
                bots.rename(bot=found, name=wanted["name"])
            if "is_source_public" in wanted:
                bots.set_source_public(bot=found, is_public=wanted["is_source_public"])
        return Response(shapes.Bot(found).data)


class Retire(ApiView):
    @extend_schema(operation_id="bots_retire", request=None, responses=shapes.Bot)
    @idempotent
    def post(self, request: UserRequest, bot: int) -> Response:
        """Take it off the ladders; its matches stay in the record."""
        found = own_bot(request, bot)
        bots.retire(bot=found)
        return Response(shapes.Bot(found).data)


class BringBack(ApiView):
    @extend_schema(operation_id="bots_bring_back", request=None, responses=shapes.Bot)
    @idempotent
    def post(self, request: UserRequest, bot: int) -> Response:
        """Let a retired bot play again."""
        found = own_bot(request, bot)
        bots.bring_back(bot=found, by=request.user)
        return Response(shapes.Bot(found).data)


class Ratings(ApiView):
    @extend_schema(operation_id="bots_ratings", responses=shapes.Rating(many=True))
    def get(self, request: Request, bot: int) -> Response:
        """Its ratings on every board and by every version that was rated."""
        get_object_or_404(queries.visible(request.user), pk=bot)
        return Response(shapes.Rating(queries.all_ratings(bot), many=True).data)


class History(PagesView):
    own_parameters = ("seats", "version")

    @extend_schema(
        operation_id="bots_history",
        responses=shape(contract.Change, "a change")(many=True),
        parameters=[SEATS, OpenApiParameter("version", ID)],
    )
    def get(self, request: Request, bot: int) -> HttpResponse:
        """How its ratings moved, newest first."""
        if queries.find_visible(bot, request.user) is None:
            raise Http404
        page = histories.history(
            bot,
            cursor_of(request, histories.ORDER),
            page_size_of(request),
            seats=number_of(request, "seats", SEATS.type["maximum"]),
            version=number_of(request, "version", ID["maximum"]),
        )
        return self.answer(page)


class HeadToHead(ApiView):
    @extend_schema(operation_id="bots_versus", responses=shapes.HeadToHead)
    def get(self, request: Request, bot: int, other: int) -> Response:
        """Its record against another bot of its game."""
        one = get_object_or_404(queries.visible(request.user), pk=bot)
        two = get_object_or_404(queries.visible(request.user), pk=other, game=one.game)
        if one.pk == two.pk:
            raise Http404
        tallies, _ = head_to_head(one, two)
        return Response(
            {
                "bot": shapes.Bot(one).data,
                "other": shapes.Bot(two).data,
                "boards": [
                    {
                        "seats": tally.seats,
                        "won": tally.won,
                        "drawn": tally.drawn,
                        "lost": tally.lost,
                        **share_told(tally.share),
                    }
                    for tally in tallies
                ],
            }
        )


class FiguresOnBoard(ApiView):
    @extend_schema(operation_id="bots_figures", responses=shapes.Figures)
    def get(self, request: Request, bot: int, seats: int) -> Response:
        """Results by opponent and by seat, faults, and what it used, over its newest matches."""
        found = get_object_or_404(queries.visible(request.user), pk=bot)
        if seats not in found.seat_counts:
            raise Http404
        data = figures(found, Board(found.game, seats))
        return Response(
            {
                "game": found.game,
                "seats": seats,
                "matches": data.matches,
                "opponents": [
                    {"bot": one.pk, "name": one.name, "sets": one.sets} | share_told(one.share)
                    for one in data.opponents
                ],
                "by_seat": [
                    {"seat": seat, "plays": share.n} | share_told(share)
                    for seat, share in data.seats
                ],
                "faults": [{"kind": kind, "count": count} for kind, count in data.faults],
                "cpu_us": data.cpu_us and round(data.cpu_us, 1),
                "memory_kb": data.memory_kb,
            }
        )


def own_bot(request: Request, pk: int) -> Bot:
    """A bot to write to. Bots are public, so a stranger is told plainly that it is not theirs."""
    bot = queries.find_visible(pk, request.user)
    if bot is None:
        raise Missing(f"bot {pk}")
    if not bot.is_managed_by(request.user):
        raise NotAllowed(f"{bot.name} is {bot.owner.username}'s bot.", code=Code.NOT_YOURS)
    return bot
