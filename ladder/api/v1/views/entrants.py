"""Who takes part in a tournament."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api.idempotency import idempotent
from ladder.api.v1.shapes import tournaments as shapes
from ladder.api.v1.views.tournaments import checked, tournament_or_404
from ladder.api.views import ApiView, UserRequest
from ladder.models import Enrolment
from ladder.queries import tournaments as queries
from ladder.services import bots, tournaments


class Entrants(ApiView):
    @extend_schema(operation_id="entrants_list", responses=shapes.Entrant(many=True))
    def get(self, request: Request, tournament: int) -> Response:
        """All entrants, also those who left; by seed once it has started."""
        found = tournament_or_404(request, tournament)
        return Response(shapes.Entrant(queries.entrants(found), many=True).data)

    @extend_schema(
        operation_id="entrants_enrol", request=shapes.WhichBot, responses={201: shapes.Entrant}
    )
    @idempotent
    def post(self, request: UserRequest, tournament: int) -> Response:
        """Enrol a bot of one's own."""
        found = tournament_or_404(request, tournament)
        bot = _bot(checked(shapes.WhichBot, request)["bot"])
        made = tournaments.enrol(tournament=found, bot=bot, by=request.user)
        return Response(_body(made), status=201)


class Invitations(ApiView):
    @extend_schema(
        operation_id="entrants_invite", request=shapes.WhichBot, responses={201: shapes.Entrant}
    )
    @idempotent
    def post(self, request: UserRequest, tournament: int) -> Response:
        """Offer a bot a place; its owner takes it by enrolling."""
        found = tournament_or_404(request, tournament)
        bot = _bot(checked(shapes.WhichBot, request)["bot"])
        made = tournaments.invite(tournament=found, bot=bot, by=request.user)
        return Response(_body(made), status=201)


class _Act(ApiView):
    """An act on one entrant."""

    def act(self, request: UserRequest, tournament: int, verb: Any, **more: Any) -> Response:
        found = tournament_or_404(request, tournament)
        return Response(_body(verb(tournament=found, by=request.user, **more)))


class Withdraw(_Act):
    @extend_schema(operation_id="entrants_withdraw", request=None, responses=shapes.Entrant)
    @idempotent
    def post(self, request: UserRequest, tournament: int, bot: int) -> Response:
        """Take a bot of one's own out."""
        return self.act(request, tournament, tournaments.withdraw, bot=_bot(bot))


class CheckIn(_Act):
    @extend_schema(operation_id="entrants_check_in", request=None, responses=shapes.Entrant)
    @idempotent
    def post(self, request: UserRequest, tournament: int, bot: int) -> Response:
        """Check in one of your bots."""
        return self.act(request, tournament, tournaments.check_in, bot=_bot(bot))


class Disqualify(_Act):
    @extend_schema(operation_id="entrants_disqualify", request=None, responses=shapes.Entrant)
    @idempotent
    def post(self, request: UserRequest, tournament: int, bot: int) -> Response:
        """Take a bot out for good, as the organiser decides."""
        return self.act(request, tournament, tournaments.disqualify, bot=_bot(bot))


class Seed(_Act):
    @extend_schema(operation_id="entrants_seed", request=shapes.WhichSeed, responses=shapes.Entrant)
    @idempotent
    def post(self, request: UserRequest, tournament: int, bot: int) -> Response:
        """Give an entrant a seed by hand; whoever had it takes the other's."""
        seed = checked(shapes.WhichSeed, request)["seed"]
        return self.act(request, tournament, tournaments.set_seed, bot=_bot(bot), seed=seed)


class Replace(_Act):
    @extend_schema(
        operation_id="entrants_replace", request=shapes.WhichBot, responses=shapes.Entrant
    )
    @idempotent
    def post(self, request: UserRequest, tournament: int, bot: int) -> Response:
        """Give an entrant's place to another bot before the start."""
        new = _bot(checked(shapes.WhichBot, request)["bot"])
        return self.act(request, tournament, tournaments.replace, old=_bot(bot), new=new)


def _bot(pk: int) -> Any:
    return bots.named([pk])[0]


def _body(enrolment: Enrolment) -> dict[str, Any]:
    return shapes.Entrant(queries.entrant(enrolment.pk)).data
