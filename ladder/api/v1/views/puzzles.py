"""Puzzles: listed, shown and answered."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api.idempotency import idempotent
from ladder.api.pagination import cursor_of, page_size_of
from ladder.api.parameters import filter_of
from ladder.api.shape import shape
from ladder.api.v1.shapes import puzzles as shapes
from ladder.api.views import ApiView, PagesView, UserRequest, addressed, encoded, made
from ladder.contract.study import puzzles as contract
from ladder.queries.analyses import puzzles as queries
from ladder.services.analyses import puzzles as service


class Puzzles(PagesView):
    filter_by = contract.PuzzleFilter

    @extend_schema(
        operation_id="puzzles_list", responses=shape(contract.Puzzle, "a puzzle")(many=True)
    )
    def get(self, request: Request) -> HttpResponse:
        """Puzzles, newest first."""
        asked, at = filter_of(request, self.filter_by), cursor_of(request, queries.ORDER)
        page = queries.page(asked, at, page_size_of(request))
        return self.answer(page.of(lambda puzzle: addressed(puzzle, "puzzle")))


class PuzzleDetail(ApiView):
    @extend_schema(
        operation_id="puzzles_show", responses=shape(contract.PuzzleDetail, "a puzzle to answer")
    )
    def get(self, request: Request, puzzle: int) -> HttpResponse:
        """One puzzle: the table as its seat sees it, and the actions to choose from."""
        found = queries.detail(puzzle)
        if found is None:
            raise Http404
        return encoded(request, addressed(found, "puzzle"))


class Answer(ApiView):
    @extend_schema(
        operation_id="puzzles_answer",
        request=shapes.PuzzleAnswer,
        responses=shape(contract.PuzzleVerdict, "what an answer was worth"),
    )
    @idempotent
    def post(self, request: UserRequest, puzzle: int) -> Response:
        """Answer a puzzle. Your first answer counts and moves your rating and the puzzle's."""
        asked = shapes.PuzzleAnswer(data=request.data)
        asked.is_valid(raise_exception=True)
        action = asked.validated_data["action"]
        return made(service.answer(user=request.user, puzzle=puzzle, action=action))
