"""Puzzles: positions of real plays with one clearly best action."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any

from ladder.contract import Filter, GameSlug, Value, about


class Puzzle(Value, frozen=True, kw_only=True):
    id: int
    game: GameSlug
    seats: int
    seat: Annotated[int, about("Whose decision it is, from 0.")]
    kind: str
    options: Annotated[int, about("Actions to choose from.")]
    rating: Annotated[float, about("By the answers of people; higher is harder.")]
    answers: Annotated[int, about("First answers of signed-in users.")]
    solved: int
    day: Annotated[date | None, about("On which it was the puzzle of the day.")]
    created_at: datetime
    page: str = ""


class PuzzleFilter(Filter, frozen=True, kw_only=True):
    game: GameSlug | None = None


class Choice(Value, frozen=True, kw_only=True):
    action: str
    words: str


class PuzzleDetail(Puzzle, frozen=True, kw_only=True):
    """A puzzle to answer."""

    view: Annotated[dict[str, Any], about("The table as the seat sees it.")]
    text: Annotated[str, about("The same in words.")]
    choices: list[Choice]


class PuzzleContent(Value, frozen=True, kw_only=True):
    """What is stored of a puzzle."""

    opening: dict[str, Any]
    grades: list[
        tuple[str, str, float, float]
    ]  # action, words, what it costs and its error; best first
    reason: str
    view: dict[str, Any]
    text: str


class PuzzleVerdict(Value, frozen=True, kw_only=True):
    """What an answer was worth."""

    is_right: bool
    is_counted: Annotated[bool, about("Only the first answer of a signed-in user counts.")]
    action: str
    best: str
    best_words: str
    lost: Annotated[float, about("Points of expected share that the answer costs.")]
    sentence: str
    rating: Annotated[float | None, about("Yours after this answer; null unless it counted.")]
    change: Annotated[float | None, about("Of your rating.")]
    puzzle_rating: float
    match: Annotated[int | None, about("The match it comes from, if it is stored.")] = None
    play: int | None = None
    step: int | None = None


class Solver(Value, frozen=True, kw_only=True):
    """How well a user solves puzzles."""

    rating: float
    low: Annotated[float, about("Of the 95% interval.")]
    high: float
    answered: int
    solved: int


class ShownPuzzle(Puzzle, frozen=True, kw_only=True):
    """A puzzle with what its page needs."""

    opening: dict[str, Any]  # the table, as the play page's scripts show it
    answer: str | None  # that this reader gave before
