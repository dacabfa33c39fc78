"""What a bot reads, as types: `View` is what `decide(view)` gets."""

from typing import Literal, NotRequired, TypedDict

from engine.shapes import SeatView


class Deal(TypedDict):
    """A deal begins."""

    event: Literal["deal"]
    deal: int
    dealer: int


class Choose(TypedDict):
    """A recipe was chosen; which one, only if recipes are open."""

    event: Literal["choose"]
    seat: int
    recipe: NotRequired[str]


class Reveal(TypedDict):
    """All recipes, by seat."""

    event: Literal["reveal"]
    recipes: list[str]


class Play(TypedDict):
    """A card went into the pot, whose total is now this."""

    event: Literal["play"]
    seat: int
    card: str
    total: int


class Take(TypedDict):
    """The pot boiled over, and that seat takes its cards."""

    event: Literal["take"]
    seat: int
    cards: list[str]
    total: int


class Score(TypedDict):
    """A deal was scored; recipes, scores and points are by seat."""

    event: Literal["score"]
    deal: int
    recipes: list[str]
    scores: list[int]
    points: list[int]
    left_in_pot: list[str]


Event = Deal | Choose | Reveal | Play | Take | Score


class View(SeatView):
    points: list[int]
    """points by seat, as of the last deal served"""
    deal: int
    """number of the deal, 1 to 5"""
    dealer: int
    """the dealer's seat"""
    recipes: list[str | None]
    """this deal's recipe by seat: a letter, `"?"` chosen but secret, null not chosen"""
    unused: list[str]
    """by seat, the recipes not used in an earlier deal, such as `"IVW"`"""
    hand: list[str]
    """your cards, sorted"""
    hand_sizes: list[int]
    """cards held, by seat"""
    pot: list[str]
    """cards in the pot, in the order played"""
    leader: int
    """who led to this pot, or is to lead; the cards go clockwise from there"""
    total: int
    """the pot's total"""
    demand: str | None
    """the suit to follow"""
    piles: list[list[str]]
    """cards each seat has taken in this deal"""
    voids: list[str]
    """by seat, suits it has shown it lacks by not following, such as `"VF"`"""
    aside_size: int
    """how many cards are set aside unseen"""
    served: list[list[list[str | int]]]
    """the deals done: for each, `[recipe, score]` by seat"""
    legal: list[str]
    """every action you may answer with"""
    events: list[Event]
    """what the table saw since your last decision"""
