from __future__ import annotations

from django.db import transaction
from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api.idempotency import idempotent
from ladder.api.pagination import cursor_of, order_of, page_size_of
from ladder.api.parameters import ID, SEATS, filter_of, number_of
from ladder.api.shape import shape
from ladder.api.v1.shapes import bots as shapes
from ladder.api.views import ApiView, PagesView, UserRequest, addressed, encoded, made
from ladder.boards import Board
from ladder.contract import bots as contract
from ladder.contract.study.analyses import BotAnalysis
from ladder.queries import bots as queries
from ladder.queries import histories
from ladder.queries.analyses import reports
from ladder.queries.figures import figures, head_to_head
from ladder.services import bots
from ladder.services.publishing import profiles

BOT = shape(contract.Bot, "a bot")


class Bots(PagesView):
    filter_by = contract.BotFilter
    orderings = ("-id", "id", "name", "-name", "created_at", "-created_at")

    @extend_schema(operation_id="bots_list", responses=BOT(many=True))
    def get(self, request: Request) -> HttpResponse:
        """Bots, newest first."""
        order = order_of(request, self.orderings)
        asked, at = filter_of(request, self.filter_by), cursor_of(request, order)
        page = queries.page(asked, request.user, order, at, page_size_of(request))
        return self.answer(page.of(lambda bot: addressed(bot, "bot")))

    @extend_schema(operation_id="bots_create", request=shapes.NewBot, responses={201: BOT})
    @idempotent
    def post(self, request: UserRequest) -> Response:
        """Make a bot; it plays once a version of it is accepted."""
        asked = shapes.NewBot(data=request.data)
        asked.is_valid(raise_exception=True)
        bot = bots.create_bot(owner=request.user, **asked.validated_data)
        return made(_show(bot.pk), reverse("api-bot-detail", args=[bot.pk]), 201)


class BotDetail(ApiView):
    for_publishing = ("GET",)

    @extend_schema(operation_id="bots_show", responses=BOT)
    def get(self, request: Request, bot: int) -> HttpResponse:
        """One bot."""
        return encoded(request, addressed(bot_or_404(request, bot).public, "bot"))

    @extend_schema(operation_id="bots_change", request=shapes.BotChange, responses=BOT)
    def patch(self, request: UserRequest, bot: int) -> Response:
        """Change a bot's name, page, source visibility or openness to remote bots."""
        found = bots.own(by=request.user, pk=bot)
        asked = shapes.BotChange(data=request.data)
        asked.is_valid(raise_exception=True)
        wanted = asked.validated_data
        with transaction.atomic():
            if "name" in wanted:
                bots.rename(bot=found, name=wanted["name"])
            if "is_source_public" in wanted:
                bots.set_source_public(bot=found, is_public=wanted["is_source_public"])
            if "meets_remote" in wanted:
                bots.set_meets_remote(bot=found, is_willing=wanted["meets_remote"])
            if told := {name: wanted[name] for name in profiles.FIELDS if name in wanted}:
                profiles.describe(bot=found, **told)
        return made(_show(bot))


class Retire(ApiView):
    @extend_schema(operation_id="bots_retire", request=None, responses=BOT)
    @idempotent
    def post(self, request: UserRequest, bot: int) -> Response:
        """Retire a bot; its matches stay on record."""
        bots.retire(bot=bots.own(by=request.user, pk=bot))
        return made(_show(bot))


class BringBack(ApiView):
    @extend_schema(operation_id="bots_bring_back", request=None, responses=BOT)
    @idempotent
    def post(self, request: UserRequest, bot: int) -> Response:
        """Let a retired bot play again."""
        bots.bring_back(bot=bots.own(by=request.user, pk=bot), by=request.user)
        return made(_show(bot))


class Ratings(ApiView):
    @extend_schema(
        operation_id="bots_ratings", responses=shape(contract.Rating, "a rating")(many=True)
    )
    def get(self, request: Request, bot: int) -> HttpResponse:
        """A bot's ratings, by board and version."""
        bot_or_404(request, bot)
        return encoded(request, queries.all_ratings(bot))


class History(PagesView):
    own_parameters = ("seats", "version")

    @extend_schema(
        operation_id="bots_history",
        responses=shape(contract.Change, "a change")(many=True),
        parameters=[SEATS, OpenApiParameter("version", ID)],
    )
    def get(self, request: Request, bot: int) -> HttpResponse:
        """A bot's rating history, newest first."""
        bot_or_404(request, bot)
        page = histories.history(
            bot,
            cursor_of(request, histories.ORDER),
            page_size_of(request),
            seats=number_of(request, "seats", SEATS.type["maximum"]),
            version=number_of(request, "version", ID["maximum"]),
        )
        return self.answer(page)


class HeadToHead(ApiView):
    @extend_schema(operation_id="bots_versus", responses=shape(contract.HeadToHead, "two bots"))
    def get(self, request: Request, bot: int, other: int) -> HttpResponse:
        """A bot's record against another bot of its game."""
        one, two = bot_or_404(request, bot), bot_or_404(request, other)
        if bot == other or one.game != two.game:
            raise Http404
        tallies, _ = head_to_head(one, two)
        both = [addressed(found.public, "bot") for found in (one, two)]
        return encoded(request, contract.HeadToHead(bot=both[0], other=both[1], boards=tallies))


class FiguresOnBoard(ApiView):
    @extend_schema(operation_id="bots_figures", responses=shape(contract.Figures, "figures"))
    def get(self, request: Request, bot: int, seats: int) -> HttpResponse:
        """A bot's results by opponent and seat, faults, and CPU and memory used."""
        found = bot_or_404(request, bot)
        if seats not in found.seat_counts:
            raise Http404
        return encoded(request, figures(bot, Board(found.game, seats)))


class AnalysisOnBoard(ApiView):
    @extend_schema(
        operation_id="bots_analysis", responses=shape(BotAnalysis, "what analyses say of a bot")
    )
    def get(self, request: Request, bot: int, seats: int) -> HttpResponse:
        """A bot's most expensive decisions, regret, luck and skill, from the server's analyses."""
        found = bot_or_404(request, bot)
        if seats not in found.seat_counts:
            raise Http404
        return encoded(request, reports.of_bot(bot, Board(found.game, seats)))


def bot_or_404(request: Request, pk: int) -> contract.ShownBot:
    """A bot that the user can find."""
    found = queries.find(pk, request.user)
    if found is None:
        raise Http404
    return found


def _show(bot: int) -> contract.Bot:
    return addressed(queries.show(bot), "bot")
