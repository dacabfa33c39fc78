"""Test cases: positions in which a bot decided badly, with the better action."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.chance import own_luck
from engine.errors import BadReplay, EngineError
from engine.game import Seat
from engine.games import get
from engine.match import Fault, OpenPlay, Player
from engine.replay import Replay, canonical, read

FORMAT = "ladle-cases/1"
MOST = 1000
MAX_BYTES = 64 * 2**20


class Outcome(StrEnum):
    """What a bot did in a case."""

    BETTER = "better"  # the action that the analysis advises
    SAME = "same mistake"
    OTHER = "another action"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Case:
    """A position, what was played there, and what is better."""

    name: str
    position: Replay
    seat: Seat
    better: str
    played: str
    regret: float  # points of expected share
    error: float
    sentence: str

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "position": self.position.to_json(),
            "seat": self.seat,
            "better": self.better,
            "played": self.played,
            "regret": self.regret,
            "error": self.error,
            "sentence": self.sentence,
        }


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a case."""

    case: Case
    outcome: Outcome
    action: str  # as it was answered
    problem: str = ""


def written(game: str, cases: Iterable[Case]) -> bytes:
    """The file of some cases."""
    return canonical({"format": FORMAT, "game": game, "cases": [case.to_json() for case in cases]})


def cases_in(data: bytes) -> list[Case]:
    """The cases in a file's bytes; BadReplay says what is wrong with it."""
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        raise BadReplay("this is not JSON") from None
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise BadReplay(f"this is not a file of test cases: its format is not '{FORMAT}'")
    rows = told.get("cases")
    if not isinstance(rows, list) or len(rows) > MOST:
        raise BadReplay(f"a file has a list of up to {MOST} cases")
    return [_case(row) for row in rows]


def _case(row: Any) -> Case:
    try:
        position = read(canonical(row["position"]))
        return Case(
            name=str(row["name"]),
            position=position,
            seat=int(row["seat"]),
            better=str(row["better"]),
            played=str(row["played"]),
            regret=float(row["regret"]),
            error=float(row["error"]),
            sentence=str(row["sentence"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BadReplay(f"a case is not complete: {error}") from None


def attempt(case: Case, player: Player) -> Tried:
    """Let a bot decide in a position. It is started again, as for a play resumed there."""
    position = case.position
    if position.seed is None:
        raise BadReplay(f"{case.name} has no seed, so it cannot be asked about")
    table = OpenPlay.open(get(position.game), position.seats, seed=position.seed, position=position)
    asked = next(table.steps(), None)
    if asked is None or asked.seat != case.seat:
        raise BadReplay(f"in {case.name} seat {case.seat + 1} has nothing to decide")
    player.start(
        game=table.game,
        seat=case.seat,
        seats=position.seats,
        options=table.state.options,
        luck=own_luck(position.seed, 0, case.seat),
    )
    answer = player.decide(asked)
    if isinstance(answer, Fault):
        return Tried(case, Outcome.FAULT, "", answer.sentence)
    state = table.state
    try:
        twin = state.copy()
        action = twin.parse(answer.action)
        twin.apply(action)
        text = state.notation(action)
    except EngineError as error:
        return Tried(case, Outcome.FAULT, answer.action[:200], str(error))
    outcome = Outcome.OTHER
    if text == case.better:
        outcome = Outcome.BETTER
    elif text == case.played:
        outcome = Outcome.SAME
    return Tried(case, outcome, text)
