"""What a bot reads, as types: `View` is what `decide(view)` gets."""

from typing import Any, Literal, NotRequired, TypedDict

from engine.shapes import SeatView


class Disc(TypedDict):
    seat: int
    """whose it is"""
    x: float
    """mm from the west"""
    y: float
    """mm from the south"""
    at: str
    """a region, or `"nowhere"`"""
    value: int | None
    """null when you may not know"""
    shown: bool
    """whether it lies face up"""


class Own(TypedDict):
    hand: dict[str, int]
    """spice cards by spice"""
    reserved: list[str]
    """dishes that only you can cook"""
    tokens: list[int]
    """values of the discs in your hand"""
    out: list[int]
    """values of your discs out of play"""
    looked: list[str]
    """cards you are looking at"""


class Round(TypedDict):
    """A round begins, and these cards are new on display."""

    event: Literal["round"]
    round: int
    chef: int
    spices: list[str]


class Slide(TypedDict):
    """One per moved disc, the thrown one first. `disc` counts the discs as they lay before the throw, the thrown one last; `was` is the region where it lay, or "hand"; `at` is a region, "nowhere" or "out"; `path` has the corners of its way as [milliseconds, x, y]."""  # noqa: E501 - a cell of a table

    event: Literal["slide"]
    seat: int
    disc: int
    at: str
    was: str
    path: list[list[float]]


class Lost(TypedDict):
    """A disc was given up."""

    event: Literal["lost"]
    seat: int
    why: str


class Space(TypedDict):
    """Who won a space; tokens are [seat, value]."""

    event: Literal["space"]
    space: str
    tokens: list[list[int]]
    seat: int


class Use(TypedDict):
    """The space won is used."""

    event: Literal["use"]
    seat: int
    space: str


class Decline(TypedDict):
    """The space won is not used."""

    event: Literal["decline"]
    seat: int
    space: str


class Look(TypedDict):
    """Somebody looks at this number of cards."""

    event: Literal["look"]
    seat: int
    cards: int


class NoDishes(TypedDict):
    """The pile of dishes is empty: nothing is reserved."""

    event: Literal["no dishes"]
    seat: int


class Bowl(TypedDict):
    """A bowl is opened; tokens are [seat, value]."""

    event: Literal["bowl"]
    spice: str
    price: int
    tokens: list[list[int]]


class Sell(TypedDict):
    """Cards were sold."""

    event: Literal["sell"]
    seat: int
    spice: str
    cards: int
    earned: int


class Buy(TypedDict):
    """A card was bought."""

    event: Literal["buy"]
    seat: int
    spice: str
    paid: int


class NoDeal(TypedDict):
    """Somebody did not buy."""

    event: Literal["no deal"]
    seat: int
    spice: str


class TooDear(TypedDict):
    """Somebody could not pay this sum."""

    event: Literal["too dear"]
    seat: int
    spice: str
    sum: int


class Cook(TypedDict):
    """A dish was cooked."""

    event: Literal["cook"]
    seat: int
    dish: str


class Refill(TypedDict):
    """The discard is shuffled into a new draw pile of this size."""

    event: Literal["refill"]
    cards: int


Event = (
    Round | Slide | Lost | Space | Use | Decline | Look | NoDishes | Bowl | Sell | Buy | NoDeal
    | TooDear | Cook | Refill
)  # fmt: skip


class View(SeatView):
    points: list[int]
    """cooked dishes, by seat"""
    round: int
    """the round, counted from 1"""
    phase: Literal["throws", "spaces", "market", "cooking", "over"]
    """where in the round the table is"""
    chef: int
    """the chef's seat"""
    edges: str
    """each seat's edge in this round: `"NS"` says that seat 0 sits in the north"""
    turn: int
    """counts throws, sellers or cooks"""
    space: str | None
    """the space that was won and is being settled"""
    bowl: str | None
    """the bowl that is open"""
    price: int
    """its price"""
    sold: list[int]
    """seats that sold"""
    served: bool
    """whether the cook used a dish on offer"""
    money: list[int]
    """by seat"""
    display: dict[str, int]
    """spices on sale"""
    discard: dict[str, int]
    """spices discarded"""
    draw: int
    """the size of the draw pile"""
    under: list[list[int | str]]
    """cards you put under the draw pile: [place from the top, spice]"""
    known: list[dict[str, int]]
    """by seat, cards everyone knows in a hand"""
    secret: list[int]
    """by seat, how many more cards there are in it"""
    dishes: list[str]
    """dishes on offer"""
    dish_pile: int
    """the size of the pile of dishes"""
    cooked: list[list[str]]
    """dishes, by seat"""
    reserved: list[int]
    """reserved dishes, by seat"""
    back: list[list[int]]
    """by seat, values seen coming back to hand this round"""
    out: list[int]
    """by seat, discs out of play"""
    discs: list[Disc]
    """on the board"""
    looked: int
    """how many cards someone is looking at"""
    own: Own
    """yours alone"""
    legal: NotRequired[list[str]]
    """every action you may answer with; not for a throw"""
    suggestions: NotRequired[list[str]]
    """for a throw, some actions to choose from"""
    ranges: NotRequired[dict[str, Any]]
    """for a throw, the bounds of one of your own"""
    events: list[Event]
    """what the table saw since your last decision"""
