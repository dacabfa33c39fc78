"""What the best of a board do in a kind of position."""

from __future__ import annotations

from typing import Annotated

from ladder.contract import Value, about


class ExploredAnswer(Value, frozen=True, kw_only=True):
    answer: str
    times: int
    share: Annotated[float, about("Of all answers in this kind of position.")]
    bots: Annotated[int, about("That gave it.")]
    result: Annotated[float, about("Mean share of opponents beaten in plays with this answer.")]
    is_played: Annotated[bool, about("Whether it is the answer given in this play.")]


class Explored(Value, frozen=True, kw_only=True):
    """A kind of position, and what the top ten of the board answered in it."""

    game: str
    seats: int
    kind: str
    bots: Annotated[int, about("Of the top ten that have been counted here.")]
    plays: Annotated[int, about("That have been counted, of all of them.")]
    answers: list[ExploredAnswer]
