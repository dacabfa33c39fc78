"""Puzzles, those who solve them, and the puzzle of the day."""

from __future__ import annotations

import gzip
from typing import Any

import msgspec
from django.utils import timezone

from ladder.contract.study import puzzles as contract
from ladder.contract.study.puzzles import (
    Choice,
    PuzzleContent,
    PuzzleDetail,
    PuzzleFilter,
    ShownPuzzle,
    Solver,
)
from ladder.models import Puzzle, PuzzleAnswer
from ladder.models import Solver as SolverRow
from ladder.queries.keyset import Cursor, Order, Page
from ladder.queries.values import Reading
from ladder.ratings.intervals import Z95

LOOKED_AT = 60  # puzzles among which the next one is chosen
ORDER = Order("", "-id")


def _whole(value: float) -> float:
    return float(round(value))


NAMED: dict[str, Any] = {"rating": (_whole, "rating")}
PUZZLE = Reading(contract.Puzzle, **NAMED)


def page(asked: PuzzleFilter, at: Cursor | None, size: int) -> Page[contract.Puzzle]:
    """Puzzles, newest first."""
    found = Puzzle.objects.all()
    if asked.game is not None:
        found = found.filter(game=asked.game)
    return PUZZLE.page(found, ORDER, at, size)


def newest(game: str, count: int) -> list[contract.Puzzle]:
    return PUZZLE(Puzzle.objects.filter(game=game).order_by("-id")[:count])


def of_the_day() -> contract.Puzzle | None:
    """That of the newest day that has one; None while there is no puzzle."""
    dated = Puzzle.objects.filter(day__lte=timezone.now().date()).order_by("-day")
    return PUZZLE.first(dated) or PUZZLE.first(Puzzle.objects.order_by("-id"))


def content(pk: int) -> PuzzleContent | None:
    """What is stored of a puzzle."""
    data = Puzzle.objects.filter(pk=pk).values_list("content", flat=True).first()
    if data is None:
        return None
    return msgspec.json.decode(gzip.decompress(data), type=PuzzleContent)


def show(pk: int, user: int | None) -> ShownPuzzle | None:
    """A puzzle for its page."""
    puzzle, stored = PUZZLE.first(Puzzle.objects.filter(pk=pk)), content(pk)
    if puzzle is None or stored is None:
        return None
    answer = None
    if user is not None:
        given = PuzzleAnswer.objects.filter(user=user, puzzle=pk)
        answer = given.values_list("action", flat=True).first()
    return ShownPuzzle(**_fields(puzzle), opening=stored.opening, answer=answer)


def detail(pk: int) -> PuzzleDetail | None:
    """A puzzle for programs."""
    puzzle, stored = PUZZLE.first(Puzzle.objects.filter(pk=pk)), content(pk)
    if puzzle is None or stored is None:
        return None
    choices = [Choice(**one) for one in stored.opening["asked"]["choices"]]
    return PuzzleDetail(**_fields(puzzle), view=stored.view, text=stored.text, choices=choices)


def _fields(puzzle: contract.Puzzle) -> dict[str, Any]:
    return {name: getattr(puzzle, name) for name in contract.Puzzle.__struct_fields__}


def solver(user: int) -> Solver | None:
    """How well a user solves; None before the first answer."""
    row = SolverRow.objects.filter(pk=user).values_list("rating", "deviation", "answered", "solved")
    for rating, deviation, answered, solved in row:
        return Solver(
            rating=_whole(rating),
            low=_whole(rating - Z95 * deviation),
            high=_whole(rating + Z95 * deviation),
            answered=answered,
            solved=solved,
        )
    return None


def answered_among(user: int, puzzles: list[int]) -> dict[int, bool]:
    """Which of these puzzles a user has answered, and whether it was right."""
    given = PuzzleAnswer.objects.filter(user=user, puzzle__in=puzzles)
    return dict(given.values_list("puzzle", "is_right"))


def next_after(puzzle: int, game: str, user: int | None) -> int | None:
    """Another one of the game: not answered yet, as hard as the user is strong."""
    found = Puzzle.objects.filter(game=game).order_by("-id")
    rows = [row for row in found.values_list("pk", "rating")[:LOOKED_AT] if row[0] != puzzle]
    strength = None
    if user is not None:
        done = answered_among(user, [pk for pk, _ in rows])
        rows = [row for row in rows if row[0] not in done]
        own = SolverRow.objects.filter(pk=user).values_list("rating", flat=True).first()
        strength = 1500.0 if own is None else own
    if not rows:
        return None
    if strength is None:  # a guest goes through them in their order
        later = [pk for pk, _ in rows if pk < puzzle]
        return later[0] if later else rows[0][0]
    return min(rows, key=lambda row: (abs(row[1] - strength), row[0]))[0]


def text_of(pk: int) -> str:
    """The table of a puzzle in words, as its seat sees it."""
    stored = content(pk)
    return "" if stored is None else stored.text
