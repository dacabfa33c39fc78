"""How faults change the outcome of a play; the loop and the referee must agree on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from engine.game import Result, Seat, State


class FaultKind(StrEnum):
    """What a bot can do wrong."""

    CRASH = "crash"
    TIMEOUT = "timeout"
    ILLEGAL = "illegal"
    PROTOCOL = "protocol"
    MEMORY = "memory"
    OUTPUT = "output"
    FORBIDDEN = "forbidden"


FAULTS = tuple(FaultKind)


def undecided(sides: Sequence[int], faulty: Mapping[Seat, Any]) -> int:
    """How many sides are without a fault; with a single side at the table, it counts for two."""
    sound = set(sides) - {sides[seat] for seat in faulty}
    return len(sound) * 2 if len(set(sides)) == 1 else len(sound)


def final_result(sides: Sequence[int], state: State, faulty: Mapping[Seat, Any]) -> Result:
    """The result with failed sides placed last, level with each other."""
    own = state.result()
    if not faulty:
        assert own is not None, "a play without faults runs to its end"
        return own
    out = {sides[seat] for seat in faulty}
    if own is None:
        points = tuple(0 for _ in sides)
        standing = {side: 1 for side in sides}
        reason = "a fault left one side" if len(set(sides)) > 1 else "a fault ended the play"
    else:
        points = own.points
        standing = {side: own.places[seat] for seat, side in enumerate(sides)}
        reason = f"{own.reason}, after a fault"
    places = []
    for side in sides:
        better = [seat for seat, other in enumerate(sides) if other not in out]
        if side not in out:
            better = [seat for seat in better if standing[sides[seat]] < standing[side]]
        places.append(1 + len(better))
    return Result(tuple(places), points, reason)
