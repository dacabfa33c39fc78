"""What a bot reads, as types: `View` is what `decide(view)` gets."""

from typing import Literal, TypedDict

from engine.shapes import SeatView


class Served(TypedDict):
    side: int
    """the side it counts for"""
    bowl: str
    """which bowl it was"""
    cards: list[str]
    """what was in it"""


class Play(TypedDict):
    """Cards were put into bowls, as in `nori3>A`."""

    event: Literal["play"]
    seat: int
    places: list[str]


class Serve(TypedDict):
    """A bowl was completed by that seat and counts for that side."""

    event: Literal["serve"]
    seat: int
    bowl: str
    side: int
    cards: list[str]
    points: int


class Take(TypedDict):
    """A card was taken from the fridge."""

    event: Literal["take"]
    seat: int
    card: str


class Refill(TypedDict):
    """A card of the deck is new in the fridge."""

    event: Literal["refill"]
    card: str


class Draw(TypedDict):
    """A card of the deck went to that hand, unseen."""

    event: Literal["draw"]
    seat: int


class Over(TypedDict):
    """The play is over; points are by side."""

    event: Literal["over"]
    points: list[int]


Event = Play | Serve | Take | Refill | Draw | Over


class View(SeatView):
    points: list[int]
    """points so far, by seat"""
    sides: list[int]
    """the side of each seat, `[0, 1, 0, 1]` with four"""
    owners: dict[str, int | None]
    """the side each bowl serves, or null: the side that completes it"""
    bowls: dict[str, list[str]]
    """the cards in each open bowl: `{"A": ["nori3"], "B": [], "C": ["negi0"]}`"""
    fridge: list[str]
    """the open cards, in their places"""
    deck: int
    """how many cards are left in the deck"""
    hands: list[list[str]]
    """the hand of each seat: yours in full, of the others what you know, and `"?"` for the rest"""
    known: list[list[str]]
    """per seat, the cards in hand that everybody saw it take from the fridge"""
    served: list[Served]
    """every served bowl in order"""
    legal: list[str]
    """every action you may answer with"""
    events: list[Event]
    """what the table saw since your last decision"""
