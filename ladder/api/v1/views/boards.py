from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from engine.errors import BadSetup
from ladder.api.pagination import PAGE_SIZE, cursor_of, link, page_size_of
from ladder.api.problems import Missing
from ladder.api.v1.shapes import boards as shapes
from ladder.api.views import ApiView, ListView, encoded
from ladder.boards import BOARDS, Board
from ladder.models import Rating
from ladder.queries import ladders
from ladder.queries.ladders import LadderRow

FLAG = {"type": "boolean", "default": False}
NAME_PART: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": 60}
TICK = {"type": "integer", "minimum": 1, "maximum": 2**31 - 1}


class Boards(ApiView):
    @extend_schema(operation_id="boards_list", responses=shapes.Board(many=True))
    def get(self, request: Request) -> Response:
        """All boards."""
        return Response(_body(BOARDS))


class BoardDetail(ApiView):
    @extend_schema(operation_id="boards_show", responses=shapes.Board)
    def get(self, request: Request, game: str, seats: int) -> Response:
        """One board."""
        return Response(_body([board_or_404(game, seats)])[0])


class Ladder(ApiView):
    own_parameters = ("tick", "provisional", "search", "cursor", "page_size")

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
        at = cursor_of(request, ladders.ORDER, Rating)
        size, provisional = page_size_of(request), _flag(query, "provisional")
        newest = ladders.last_tick(board)
        tick = _tick(query, newest)
        search = _name_part(query)
        asked: dict[str, Any] = {"provisional": provisional, "search": search}
        if tick == newest:
            page = ladders.page(board, at, size, **asked)
        else:
            page = ladders.past_page(board, tick, at, size, **asked)
        body = {
            "game": board.game,
            "seats": board.seats,
            "tick": tick,
            "next": link(request, page.next),
            "previous": link(request, page.previous),
            "results": [_row(row) for row in page.rows],
        }
        return encoded(request, body)


class Ticks(ListView):
    serializer_class = shapes.Tick
    filter_backends = ()

    @extend_schema(operation_id="boards_ticks")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The ticks of a board, newest first."""
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> Any:
        board = board_or_404(self.kwargs["game"], self.kwargs["seats"])
        return ladders.ticks(board)


def board_or_404(game: str, seats: int) -> Board:
    try:
        return Board.parse(game, seats)
    except BadSetup:
        raise Http404 from None


def _body(boards: list[Board]) -> list[dict[str, Any]]:
    return [
        {
            "game": board.game,
            "seats": board.seats,
            "title": board.title,
            "sides": board.sides,
            "is_solo": board.is_solo,
            "is_team": board.is_team,
            "ranked": size.ranked,
            "provisional": size.provisional,
            "tick": size.tick,
        }
        for board, size in ladders.sizes(boards).items()
    ]


def _row(row: LadderRow) -> dict[str, Any]:
    played = row.last_played_at
    return {
        "rank": row.rank,
        "bot": {
            "id": row.bot_id,
            "name": row.name,
            "owner": row.owner,
            "is_house": row.is_house,
        },
        "version": row.version,
        "elo": row.milli / 1000,
        "low": row.low_milli / 1000,
        "high": row.high_milli / 1000,
        "band": row.band,
        "is_provisional": row.is_provisional,
        "sets": row.sets,
        "plays": row.plays,
        "win_rate": round(row.score_sum / row.sets, 4) if row.sets else None,
        "mean_points": round(row.points_sum / row.plays, 3) if row.plays else None,
        "last_played_at": played and f"{played:%Y-%m-%dT%H:%M:%S.%f}Z",
    }


def _tick(query: Any, newest: int) -> int:
    text = query.get("tick")
    if text is None:
        return newest
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and 0 < int(text) < 2**31):
        raise ValidationError({"tick": ["A tick is a number from 1."]})
    if int(text) > newest:
        raise Missing(f"tick {text}")
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
