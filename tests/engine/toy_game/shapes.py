"""What a bot reads, as types."""

from typing import Literal, TypedDict

from engine.shapes import SeatView


class Took(TypedDict):
    """Dumplings were taken."""

    event: Literal["took"]
    seat: int
    count: int


Event = Took


class View(SeatView):
    points: list[int]
    """by seat: 1 for the winner"""
    plate: int
    """dumplings left on the plate"""
    legal: list[str]
    """what may be answered"""
    events: list[Took]
    """what happened since your last decision"""
