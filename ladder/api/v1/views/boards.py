from __future__ import annotations

from typing import Any

import msgspec
from django.db.models import Count, Max, Q
from django.http import Http404, HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from engine.errors import BadSetup
from ladder.api.pagination import PAGE_SIZE, page_size_of
from ladder.api.v1 import ladders
from ladder.api.v1.ladders import Place
from ladder.api.v1.shapes import boards as shapes
from ladder.api.views import ApiView, ListView, conditional
from ladder.boards import BOARDS, Board
from ladder.models import Rating, Tick

FLAG = {"type": "boolean", "default": False}
NAME_PART: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": 60}
TICK = {"type": "integer", "minimum": 1, "maximum": 2**31 - 1}


class Boards(ApiView):
    @extend_schema(operation_id="boards_list", responses=shapes.Board(many=True))
    def get(self, request: Request) -> Response:
        """All boards."""
        return Response(_told(BOARDS))


class BoardDetail(ApiView):
    @extend_schema(operation_id="boards_show", responses=shapes.Board)
    def get(self, request: Request, game: str, seats: int) -> Response:
        """One board."""
        return Response(_told([board_or_404(game, seats)])[0])


class Ladder(ApiView):
    @extend_schema(
        operation_id="boards_ladder",
        responses=shapes.Ladder,
        parameters=[
            OpenApiParameter("tick", TICK, description="As it stood after this tick."),
            OpenApiParameter("provisional", FLAG, description="The bots not ranked yet."),
            OpenApiParameter("search", NAME_PART, description="Part of a bot's or author's name."),
            OpenApiParameter("cursor", str, description="From `next` or `previous`."),
            OpenApiParameter("page_size", PAGE_SIZE),
        ],
    )
    def get(self, request: Request, game: str, seats: int) -> HttpResponse:
        """A ladder, now or as of a tick."""
        board = board_or_404(game, seats)
        query = request.query_params
        place = Place.parse(query["cursor"]) if "cursor" in query else None
        size, provisional = page_size_of(request), _flag(query, "provisional")
        newest = ladders.last_tick(board)
        tick = _tick(query, newest)
        search = _name_part(query)
        if tick == newest:
            page = ladders.page(board, place, size, provisional, search)
        else:
            page = ladders.past_page(board, tick, place, size, provisional, search)
        for name in ("next", "previous"):
            page[name] = page[name] and _link(request, page[name])
        body = {"game": board.game, "seats": board.seats, "tick": tick, **page}
        # Rendered here: this is the busiest list, and DRF's encoder would cost as much again.
        response = HttpResponse(msgspec.json.encode(body), content_type="application/json")
        return conditional(request, response)


class Ticks(ListView):
    serializer_class = shapes.Tick
    filter_backends = ()

    @extend_schema(operation_id="boards_ticks")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The rated batches of a board, newest first."""
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> Any:
        board = board_or_404(self.kwargs["game"], self.kwargs["seats"])
        return Tick.objects.on(board)


def board_or_404(game: str, seats: int) -> Board:
    try:
        return Board.parse(game, seats)
    except BadSetup:
        raise Http404 from None


def _told(boards: list[Board]) -> list[dict[str, Any]]:
    is_provisional = Q(is_provisional=True)
    found = Rating.objects.listed().order_by().values_list("game", "seats")
    counts = {
        (game, seats): (ranked, provisional)
        for game, seats, ranked, provisional in found.annotate(
            ranked=Count("pk", filter=~is_provisional),
            provisional=Count("pk", filter=is_provisional),
        )
    }
    rated = Tick.objects.exclude(applied_at=None).order_by().values_list("game", "seats")
    ticks = {(game, seats): last for game, seats, last in rated.annotate(last=Max("number"))}
    return [_board(board, counts, ticks) for board in boards]


def _board(board: Board, counts: Any, ticks: Any) -> dict[str, Any]:
    ranked, provisional = counts.get((board.game, board.seats), (0, 0))
    return {
        "game": board.game,
        "seats": board.seats,
        "title": board.title,
        "sides": board.sides,
        "is_solo": board.is_solo,
        "is_team": board.is_team,
        "ranked": ranked,
        "provisional": provisional,
        "tick": ticks.get((board.game, board.seats), 0),
    }


def _tick(query: Any, newest: int) -> int:
    text = query.get("tick")
    if text is None:
        return newest
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and 0 < int(text) < 2**31):
        raise ValidationError({"tick": ["A tick is a number from 1."]})
    if int(text) > newest:
        raise Http404
    return int(text)


def _name_part(query: Any) -> str:
    text = query.get("search")
    if text is None:
        return ""
    if not 0 < len(text) <= NAME_PART["maxLength"] or "\0" in text:
        raise ValidationError({"search": ["It has 1 to 60 characters."]})
    return text


def _flag(query: Any, name: str) -> bool:
    word = query.get(name, "false")
    if word not in ("true", "false"):
        raise ValidationError({name: ["It is true or false."]})
    return word == "true"


def _link(request: Request, cursor: str) -> str:
    query = request.query_params.copy()
    query["cursor"] = cursor
    return request.build_absolute_uri(f"?{query.urlencode()}")
