"""What a bot reads, as types: `View` is what `decide(view)` gets."""

from typing import Literal, TypedDict

from engine.shapes import SeatView


class Player(TypedDict):
    hp: int
    """hit points left"""
    cash: int
    """money to spend"""
    leftover: list[str]
    """Leftover dice"""
    fresh: list[str]
    """Fresh dice"""
    pouch: str
    """the colours in the pouch"""
    trash: str
    """the colours in the Trash"""
    out: int
    """the turn they were eliminated in, or 0"""


class Turn(TypedDict):
    """A turn begins."""

    event: Literal["turn"]
    seat: int
    round: int


class Discard(TypedDict):
    """A Leftover die goes."""

    event: Literal["discard"]
    seat: int
    die: str


class Refill(TypedDict):
    """The Trash is tipped into the pouch."""

    event: Literal["refill"]
    seat: int


class Roll(TypedDict):
    """The Table dice after a roll, or the one die that was drawn or rolled again."""

    event: Literal["roll"]
    seat: int
    table: list[str]


class Pick(TypedDict):
    """What was taken and what it adds up to."""

    event: Literal["pick"]
    seat: int
    action: str
    value: int


class Spend(TypedDict):
    """What money was spent on."""

    event: Literal["spend"]
    seat: int
    action: str


class Serve(TypedDict):
    """The bowl is served, and does this damage to the others."""

    event: Literal["serve"]
    seat: int
    damage: int


class Hit(TypedDict):
    """Used is the ramen that soaked up the damage; then hit points lost and left."""

    event: Literal["hit"]
    seat: int
    used: list[str]
    lost: int
    hp: int


class Out(TypedDict):
    """A player is eliminated."""

    event: Literal["out"]
    seat: int


class Over(TypedDict):
    """The play is over; hit points are by seat."""

    event: Literal["over"]
    hp: list[int]


Event = Turn | Discard | Refill | Roll | Pick | Spend | Serve | Hit | Out | Over


class View(SeatView):
    points: list[int]
    """HP by seat"""
    round: int
    """the round, counted from 1"""
    turn: int
    """the turn, counted from 1"""
    first: int
    """the seat that started"""
    players: list[Player]
    """everyone's own things, by seat"""
    discards: int
    """Leftover dice still to be discarded"""
    table: list[str]
    """Table dice of the player whose turn it is"""
    pepper: list[str]
    """Pepper dice of the player whose turn it is"""
    money: list[str]
    """Money dice of the player whose turn it is"""
    multis: int
    """multis used this turn; they return to the Marketplace at its end"""
    damage: int
    """what the peppers add up to so far"""
    market: str
    """colours in the Marketplace"""
    jokers: int
    """jokers in the Marketplace"""
    kitchen: str
    """colours in the Kitchen"""
    removed: str
    """colours that left the game"""
    legal: list[str]
    """every action you may answer with"""
    events: list[Event]
    """what the table saw since your last decision"""
