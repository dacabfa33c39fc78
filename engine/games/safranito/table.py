"""What lies on the table, and the small moves of cards and tokens that all phases share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from engine.chance import Chance
from engine.game import Seat, State
from engine.games.safranito import board
from engine.games.safranito.actions import DISHES
from engine.games.safranito.board import SPICES, VALUES

CARDS_PER_SPICE = 6
MONEY = 200
ALL_TOKENS = 63  # a set of tokens is a mask: bit 0 is the 10, bit 5 the 60
BIT = {value: 1 << at for at, value in enumerate(VALUES)}
IN_MASK = tuple(
    tuple(value for value in VALUES if mask & BIT[value]) for mask in range(ALL_TOKENS + 1)
)
SPICE = 15  # the bits of a card in the draw pile that are its spice
KNOWN_BY = 16  # times a mask of seats: who has seen the card go under the pile


class TableState(State):
    """The parts of one play. Discs are rows of six parallel lists, in the order of throwing."""

    __slots__ = (
        "back",  # by seat: mask of tokens in hand that everyone saw come back this round
        "bowl",  # the spice being traded
        "chef",
        "cooked",  # by seat: dishes
        "discard",
        "dish_pile",  # last is top
        "display",  # by spice: cards on sale
        "draw",  # last is top; spice + KNOWN_BY * seats that know it
        "edges",  # the edge of each seat in this round, such as "SN"
        "face_up",
        "hands",  # by seat, by spice
        "holding",  # by seat: mask of tokens in hand
        "known",  # by seat, by spice: the part of the hand that everyone knows
        "looked",  # spices drawn by action 2, in drawn order
        "money",
        "out",  # by seat: mask of tokens out of play this round
        "owners",  # discs
        "price",
        "regions",  # discs
        "reserved",  # by seat: secret dishes
        "rest",  # where all discs lay after the throw just made, or None
        "round",
        "served",  # whether the cook has used a face-up dish in this phase
        "shown",  # discs: whether the value is face up
        "sold",  # mask of the seats that sold at this bowl
        "space",  # -1 in phase 1, 0..3 in phase 2, 4 afterwards
        "stage",
        "turn",  # throws made, or place in order of the seller or cook
        "values",  # discs
        "xs",  # discs
        "ys",  # discs
    )

    back: list[int]
    bowl: int
    chef: int
    cooked: list[list[int]]
    discard: list[int]
    dish_pile: list[int]
    display: list[int]
    draw: list[int]
    edges: str
    face_up: list[int]
    hands: list[list[int]]
    holding: list[int]
    known: list[list[int]]
    looked: list[int]
    money: list[int]
    out: list[int]
    owners: list[int]
    price: int
    regions: list[int]
    reserved: list[list[int]]
    rest: tuple[list[float], list[float]] | None
    round: int
    served: bool
    shown: list[bool]
    sold: int
    space: int
    stage: int
    turn: int
    values: list[int]
    xs: list[float]
    ys: list[float]

    @classmethod
    def blank(cls, seats: int, chance: Chance, options: Mapping[str, Any]) -> Self:
        """A table with nothing dealt: each seat has its money and its six tokens."""
        table = cls.__new__(cls)
        table.seats, table.chance, table.options, table.events = seats, chance, options, None
        table.to_act, table.stage, table.round, table.chef = 0, 0, 1, 0
        table.turn, table.space, table.bowl, table.price, table.sold = 0, -1, 0, 0, 0
        table.served, table.rest, table.looked = False, None, []
        table.money = [MONEY] * seats
        table.hands = [[0] * 9 for _ in range(seats)]
        table.known = [[0] * 9 for _ in range(seats)]
        table.reserved = [[] for _ in range(seats)]
        table.cooked = [[] for _ in range(seats)]
        table.draw, table.discard, table.display = [], [], [0] * 9
        table.dish_pile, table.face_up = [], []
        table.holding, table.out, table.back = [ALL_TOKENS] * seats, [0] * seats, [0] * seats
        table.xs, table.ys, table.owners, table.values = [], [], [], []
        table.shown, table.regions, table.edges = [], [], board.edges(seats, 0)
        return table

    def copy(self) -> Self:
        twin = self.__class__.__new__(self.__class__)
        twin.seats, twin.options, twin.events = self.seats, self.options, None
        twin.chance = self.chance.fork()
        twin.to_act, twin.stage, twin.round, twin.chef = (
            self.to_act, self.stage, self.round, self.chef,
        )  # fmt: skip
        twin.turn, twin.space, twin.bowl = self.turn, self.space, self.bowl
        twin.price, twin.sold, twin.served = self.price, self.sold, self.served
        twin.rest, twin.looked = self.rest, self.looked.copy()
        twin.money = self.money.copy()
        twin.hands = [hand.copy() for hand in self.hands]
        twin.known = [hand.copy() for hand in self.known]
        twin.reserved = [dishes.copy() for dishes in self.reserved]
        twin.cooked = [dishes.copy() for dishes in self.cooked]
        twin.draw, twin.discard = self.draw.copy(), self.discard.copy()
        twin.display, twin.dish_pile = self.display.copy(), self.dish_pile.copy()
        twin.face_up, twin.holding = self.face_up.copy(), self.holding.copy()
        twin.out, twin.back = self.out.copy(), self.back.copy()
        # Lists of discs are replaced when discs move or leave, never changed in place.
        twin.xs, twin.ys, twin.owners, twin.values = self.xs, self.ys, self.owners, self.values
        twin.shown, twin.regions, twin.edges = self.shown, self.regions, self.edges
        return twin

    def deal(self) -> None:
        """Shuffle the dishes and the spices and draw who is the first chef."""
        self.dish_pile = self.chance.shuffle("dishes", len(DISHES))
        deck = self.chance.shuffle("spices", len(SPICES) * CARDS_PER_SPICE)
        self.draw = [card // CARDS_PER_SPICE for card in deck]
        self.chef = self.chance.roll("chef", self.seats)[0]

    def tell(self, event: str, **facts: Any) -> None:
        """Say what everyone at the table sees; callers check that someone listens."""
        assert self.events is not None
        self.events.append({"event": event, **facts})

    def draw_cards(self, count: int) -> list[int]:
        """Spices from the draw pile, refilled from the discard; fewer when both are empty."""
        drawn: list[int] = []
        for _ in range(count):
            if not self.draw:
                if not self.discard:
                    break
                order = self.chance.shuffle("spices", len(self.discard))
                self.draw = [self.discard[at] for at in order]
                self.discard = []
                if self.events is not None:
                    self.tell("refill", cards=len(order))
            drawn.append(self.draw.pop() & SPICE)
        return drawn

    def spend(self, seat: Seat, spice: int, count: int) -> None:
        """Cards from a hand to the discard; those that everyone knows of go first."""
        self.hands[seat][spice] -= count
        known = self.known[seat]
        known[spice] = max(0, known[spice] - count)
        self.discard += [spice] * count

    def discs_in(self, region: int) -> list[int]:
        """The indexes of the discs in a region."""
        return [disc for disc, at in enumerate(self.regions) if at == region]

    def reveal(self, discs: Iterable[int]) -> None:
        """Turn discs face up."""
        self.shown = self.shown.copy()
        for disc in discs:
            self.shown[disc] = True

    def take_back(self, discs: list[int]) -> None:
        """Discs, in rising order, return to the hands of their owners."""
        for disc in discs:
            owner, bit = self.owners[disc], BIT[self.values[disc]]
            self.holding[owner] |= bit
            if self.shown[disc]:
                self.back[owner] |= bit
        self.lift(discs)

    def lift(self, discs: list[int]) -> None:
        """Clear the board of these discs, in rising order."""
        if not discs:
            return
        if len(discs) == len(self.xs):
            self.xs, self.ys, self.owners, self.values = [], [], [], []
            self.shown, self.regions = [], []
            return
        self.xs, self.ys, self.owners = self.xs.copy(), self.ys.copy(), self.owners.copy()
        self.values, self.shown = self.values.copy(), self.shown.copy()
        self.regions = self.regions.copy()
        for disc in reversed(discs):
            del self.xs[disc], self.ys[disc], self.owners[disc]
            del self.values[disc], self.shown[disc], self.regions[disc]
