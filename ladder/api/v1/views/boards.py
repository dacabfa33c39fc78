from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from engine.errors import BadSetup
from ladder.api.pagination import PAGE_SIZE, cursor_of, link, page_size_of
from ladder.api.parameters import TEXT, flag_of, text_of
from ladder.api.shape import shape
from ladder.api.views import ApiView, PagesView, encoded
from ladder.boards import BOARDS, Board
from ladder.contract import boards as contract
from ladder.contract import remote
from ladder.contract.authorship import Authorship
from ladder.contract.study import matchups
from ladder.errors import Code, LadderError, Missing
from ladder.queries import ladders
from ladder.queries.analyses import matchups as matchup_queries
from ladder.queries.remote import standings

FLAG = {"type": "boolean", "default": False}
TICK = {"type": "integer", "minimum": 1, "maximum": 2**31 - 1}


BOARD = shape(contract.Board, "a board")


class Boards(ApiView):
    @extend_schema(operation_id="boards_list", responses=BOARD(many=True))
    def get(self, request: Request) -> HttpResponse:
        """All boards."""
        return encoded(request, ladders.sized(BOARDS))


class BoardDetail(ApiView):
    @extend_schema(operation_id="boards_show", responses=BOARD)
    def get(self, request: Request, game: str, seats: int) -> HttpResponse:
        """One board."""
        return encoded(request, ladders.sized([board_or_404(game, seats)])[0])


class Ladder(ApiView):
    own_parameters = ("tick", "provisional", "search", "authorship", "cursor", "page_size")

    @extend_schema(
        operation_id="boards_ladder",
        responses=shape(contract.Ladder, "a ladder"),
        parameters=[
            OpenApiParameter("tick", TICK, description="As it stood after this tick."),
            OpenApiParameter("provisional", FLAG, description="The bots not ranked yet."),
            OpenApiParameter("search", TEXT, description="Part of a bot's or author's name."),
            OpenApiParameter(
                "authorship", str, enum=[*Authorship], description="Who wrote it, as declared."
            ),
            OpenApiParameter("cursor", str, description="From `next` or `previous`."),
            OpenApiParameter("page_size", PAGE_SIZE),
        ],
    )
    def get(self, request: Request, game: str, seats: int) -> HttpResponse:
        """A ladder, now or as of a tick."""
        board = board_or_404(game, seats)
        query = request.query_params
        at = cursor_of(request, ladders.ORDER)
        size, provisional = page_size_of(request), flag_of(request, "provisional")
        newest = ladders.last_tick(board)
        tick = _tick(query, newest)
        page = ladders.page(
            board,
            at,
            size,
            tick=None if tick == newest else tick,
            provisional=provisional,
            search=text_of(request, "search"),
            authorship=_authorship(request),
        )
        ladder = contract.Ladder(
            game=board.game,
            seats=board.seats,
            tick=tick,
            next=link(request, page.next),
            previous=link(request, page.previous),
            results=page.rows,
        )
        return encoded(request, ladder)


def _authorship(request: Request) -> str:
    wanted = text_of(request, "authorship")
    if wanted and wanted not in set(Authorship):
        raise LadderError(
            f"Unknown authorship {wanted[:20]!r}. Allowed: {', '.join(Authorship)}.",
            code=Code.VALIDATION,
        )
    return wanted


class OpenClass(PagesView):
    @extend_schema(
        operation_id="boards_open_class",
        responses=shape(remote.OpenRow, "a bot in the open class")(many=True),
    )
    def get(self, request: Request, game: str, seats: int) -> HttpResponse:
        """A board of the open class, in which remote bots play; best first."""
        board = board_or_404(game, seats)
        at = cursor_of(request, standings.ORDER)
        return self.answer(standings.page(board, at, page_size_of(request)))


class MatchUps(ApiView):
    @extend_schema(
        operation_id="boards_matchups", responses=shape(matchups.MatchUps, "match-ups of a board")
    )
    def get(self, request: Request, game: str, seats: int) -> HttpResponse:
        """Who beats whom among the top 16 of a board, and whose presence changes results."""
        return encoded(request, matchup_queries.of_board(board_or_404(game, seats)))


class Ticks(PagesView):
    @extend_schema(operation_id="boards_ticks", responses=shape(contract.Tick, "a tick")(many=True))
    def get(self, request: Request, game: str, seats: int) -> HttpResponse:
        """The ticks of a board, newest first."""
        board = board_or_404(game, seats)
        at = cursor_of(request, ladders.TICKS)
        return self.answer(ladders.ticks(board, at, page_size_of(request)))


def board_or_404(game: str, seats: int) -> Board:
    try:
        return Board.parse(game, seats)
    except BadSetup:
        raise Http404 from None


def _tick(query: Any, newest: int) -> int:
    text = query.get("tick")
    if text is None:
        return newest
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and 0 < int(text) < 2**31):
        raise ValidationError({"tick": ["The tick must be a number from 1."]})
    if int(text) > newest:
        raise Missing(f"tick {text}")
    return int(text)
