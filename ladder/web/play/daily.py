"""The daily deals: today's, the table of each, and the one try that counts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from engine.game import house_name
from engine.games import GAMES
from ladder.contract.people import DailyDeal, DailyDealDetail
from ladder.errors import LadderError
from ladder.queries import daily as queries
from ladder.services import daily as service
from ladder.web.game.views import game_or_404
from ladder.web.http.limits import limited
from ladder.web.http.statuses import status_of

TICKET = "X-Daily-Ticket"


@require_safe
def deals(request: HttpRequest) -> HttpResponse:
    """Today's deal of every game, with your tries and your streak."""
    today = {deal.game: deal for deal in queries.of_today()}
    tries, streak = {}, 0
    if request.user.is_authenticated:
        tries = queries.own(request.user.pk, [deal.id for deal in today.values()])
        streak = queries.streak(request.user.pk)
    shown = [
        (game, deal, deal and tries.get(deal.id), deal and queries.count(deal.id))
        for game in GAMES.values()
        for deal in [today.get(game.slug)]
    ]
    context = {"shown": shown, "streak": streak, "day": queries.today()}
    return render(request, "ladder/daily/deals.html", context)


@require_safe
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """Today's deal of a game, with its table."""
    game_or_404(slug)
    deal = queries.of_game(slug)
    if deal is None:
        context = {"game": GAMES[slug], "day": queries.today()}
        return render(request, "ladder/daily/none.html", context)
    return _table(request, deal.id)


@require_safe
def deal(request: HttpRequest, pk: int) -> HttpResponse:
    """The table of a deal, of today or of an earlier day."""
    return _table(request, pk)


def _table(request: HttpRequest, pk: int) -> HttpResponse:
    found = queries.detail(pk)
    if found is None:
        raise Http404
    user = request.user.pk if request.user.is_authenticated else None
    context = {
        "deal": found,
        "game": GAMES[found.game],
        "rival": house_name(found.rival),
        "rows": _rows(found),
        "own": user and queries.own(user, [pk]).get(pk),
        "streak": user and queries.streak(user),
        "is_today": found.day == queries.today(),
    }
    return render(request, "ladder/daily/deal.html", context)


def _rows(deal: DailyDealDetail) -> list[dict[str, Any]]:
    """People with their ranks and house bots without, in one order."""
    people = [
        {"name": one.user, "rank": rank, "place": one.place, "points": one.points, "lead": one.lead}
        for rank, one in enumerate(deal.results, 1)
    ]
    for before, row in pairwise(people):
        if (before["place"], before["lead"]) == (row["place"], row["lead"]):
            row["rank"] = before["rank"]
    house = [
        {"name": house_name(one.bot), "is_house": True}
        | {"place": one.place, "points": one.points, "lead": one.lead}
        for one in deal.house
    ]
    return sorted([*people, *house], key=lambda row: (row["place"], -row["lead"]))


@require_POST
@limited("daily")
def start(request: HttpRequest, pk: int) -> HttpResponse:
    """Begin the counted try of a user; guests' browsers count for themselves."""
    if not request.user.is_authenticated:
        return JsonResponse({"problem": "Sign in to enter the table."}, status=401)
    ticket = request.headers.get(TICKET, "")[:32]
    try:
        begun = service.start(user=request.user, deal=pk, ticket=ticket)
    except LadderError as error:
        return JsonResponse({"problem": str(error)}, status=status_of(error))
    return JsonResponse(msgspec.to_builtins(begun))


@require_POST
@limited("daily")
def finish(request: HttpRequest, pk: int) -> HttpResponse:
    """Check the replay in the request's body, and enter a counted try in the table."""
    user = request.user if request.user.is_authenticated else None
    ticket = request.headers.get(TICKET, "")[:32]
    try:
        verdict = service.finish(user=user, deal=pk, ticket=ticket, data=request.body)
    except LadderError as error:
        return JsonResponse({"problem": str(error)}, status=status_of(error))
    answer = msgspec.to_builtins(verdict)
    answer["house"] = [one | {"bot": house_name(one["bot"])} for one in answer["house"]]
    return JsonResponse(answer)


def play_setup(request: HttpRequest, slug: str) -> dict[str, Any] | None:
    """What the play page needs for `?daily`; None for any other play."""
    if "daily" not in request.GET:
        return None
    found = queries.of_game(slug)
    return None if found is None else setup_of(request, found)


def setup_of(request: HttpRequest, deal: DailyDeal) -> dict[str, Any]:
    return {
        "deal": deal.id,
        "day": deal.day.isoformat(),
        "seats": deal.seats,
        "seed": deal.seed,
        "rival": {"bot": deal.rival, "name": house_name(deal.rival)},
        "page": request.build_absolute_uri(reverse("daily-deal", args=[deal.id])),
        "start": reverse("daily-start", args=[deal.id]),
        "finish": reverse("daily-finish", args=[deal.id]),
        "token": get_token(request),
        "is_signed_in": request.user.is_authenticated,
        "title": GAMES[deal.game].title,
    }
