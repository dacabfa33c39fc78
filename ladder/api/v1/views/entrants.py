"""Who takes part in a tournament."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api.idempotency import idempotent
from ladder.api.shape import shape
from ladder.api.v1.shapes import tournaments as shapes
from ladder.api.v1.views.tournaments import checked
from ladder.api.views import ApiView, UserRequest, encoded, made
from ladder.contract.tournaments import Entrant
from ladder.queries import tournaments as queries
from ladder.services import bots, tournaments

ENTRANT = shape(Entrant, "an entrant")


class _Act(ApiView):
    """An act on one entrant."""

    def act(
        self,
        request: UserRequest,
        tournament: int,
        verb: Callable[..., Any],
        bot: int,
        *,
        status: int = 200,
        **more: Any,
    ) -> Response:
        found = tournaments.visible(request.user, tournament)
        (row,) = bots.named([bot])
        verb(tournament=found, bot=row, by=request.user, **more)
        return made(queries.entrant(tournament, bot), status=status)


class Entrants(_Act):
    @extend_schema(operation_id="entrants_list", responses=ENTRANT(many=True))
    def get(self, request: Request, tournament: int) -> HttpResponse:
        """All entrants, including withdrawn ones; by seed once the tournament has started."""
        if queries.find(request.user, tournament) is None:
            raise Http404
        return encoded(request, queries.public_entrants(tournament))

    @extend_schema(operation_id="entrants_enrol", request=shapes.WhichBot, responses={201: ENTRANT})
    @idempotent
    def post(self, request: UserRequest, tournament: int) -> Response:
        """Enrol one of your bots."""
        bot = checked(shapes.WhichBot, request)["bot"]
        return self.act(request, tournament, tournaments.enrol, bot, status=201)


class Invitations(_Act):
    @extend_schema(
        operation_id="entrants_invite", request=shapes.WhichBot, responses={201: ENTRANT}
    )
    @idempotent
    def post(self, request: UserRequest, tournament: int) -> Response:
        """Invite a bot; its owner accepts by enrolling it."""
        bot = checked(shapes.WhichBot, request)["bot"]
        return self.act(request, tournament, tournaments.invite, bot, status=201)


class Withdraw(_Act):
    @extend_schema(operation_id="entrants_withdraw", request=None, responses=ENTRANT)
    @idempotent
    def post(self, request: UserRequest, tournament: int, bot: int) -> Response:
        """Withdraw one of your bots."""
        return self.act(request, tournament, tournaments.withdraw, bot)


class CheckIn(_Act):
    @extend_schema(operation_id="entrants_check_in", request=None, responses=ENTRANT)
    @idempotent
    def post(self, request: UserRequest, tournament: int, bot: int) -> Response:
        """Check in one of your bots."""
        return self.act(request, tournament, tournaments.check_in, bot)


class Disqualify(_Act):
    @extend_schema(operation_id="entrants_disqualify", request=None, responses=ENTRANT)
    @idempotent
    def post(self, request: UserRequest, tournament: int, bot: int) -> Response:
        """Disqualify a bot (organiser only)."""
        return self.act(request, tournament, tournaments.disqualify, bot)


class Seed(_Act):
    @extend_schema(operation_id="entrants_seed", request=shapes.WhichSeed, responses=ENTRANT)
    @idempotent
    def post(self, request: UserRequest, tournament: int, bot: int) -> Response:
        """Set an entrant's seed; the two entrants swap if it was taken."""
        seed = checked(shapes.WhichSeed, request)["seed"]
        return self.act(request, tournament, tournaments.set_seed, bot, seed=seed)


class Replace(_Act):
    @extend_schema(operation_id="entrants_replace", request=shapes.WhichBot, responses=ENTRANT)
    @idempotent
    def post(self, request: UserRequest, tournament: int, bot: int) -> Response:
        """Replace an entrant with another bot before the start."""
        found = tournaments.visible(request.user, tournament)
        old, new = bots.named([bot, checked(shapes.WhichBot, request)["bot"]])
        tournaments.replace(tournament=found, old=old, new=new, by=request.user)
        return made(queries.entrant(tournament, new.pk))
