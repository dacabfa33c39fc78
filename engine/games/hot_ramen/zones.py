"""Everything that lies on the table, and how dice get from one place to another.

Nothing is hidden but luck to come: contents of all pouches are public, and a die is chosen from
a pouch when it is drawn, so no secret order exists anywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any, Self

from engine.chance import Chance, RandomChance
from engine.game import Seat, State
from engine.games.hot_ramen.dice import COLOURS, JOKER, KITCHEN, ROLLED, START, colours, table_text

MARKET_SIZE = 5
LEFTOVER, CHOOSE, NEXT, OVER = range(4)  # the phases
KINDS = ("leftover", "pick", "next", "")  # how a decision is named in each
POUCH_STREAMS = tuple(f"pouch/seat{seat}" for seat in range(6))
DICE_STREAMS = tuple(f"dice/seat{seat}" for seat in range(6))


def starting_hp(seats: int) -> int:
    """HP that everyone begins with and nobody heals above."""
    return 20 if seats == 2 else 30


class Zones(State):
    """The dice of a play. `table` to `discards` belong to the seat whose turn it is."""

    __slots__ = (
        "_legal",
        "cash",
        "discards",
        "first",
        "fresh",
        "hp",
        "jokers",
        "kitchen",
        "leftover",
        "market",
        "money",
        "multis",
        "out",
        "pepper",
        "phase",
        "pouch",
        "removed",
        "round",
        "table",
        "trash",
        "turn",
    )

    hp: list[int]
    cash: list[int]
    pouch: list[list[int]]  # colours, ascending
    trash: list[list[int]]  # colours, in any order
    leftover: list[list[int]]
    fresh: list[list[int]]
    out: list[int]  # the turn a seat was eliminated in, 0 while it lives
    kitchen: list[int]  # colours, ascending
    market: list[int]  # colours, ascending, without jokers
    jokers: int  # in the Marketplace
    removed: list[int]  # colours that left the game
    table: list[int]
    pepper: list[int]
    money: list[int]
    multis: int  # Multi dice used this turn; they are all jokers
    discards: int  # Leftover dice still to be discarded
    phase: int
    round: int
    turn: int
    first: Seat
    _legal: tuple[int, ...]  # of the present decision, once asked for

    def lay_out(self, seats: int, chance: Chance, options: Mapping[str, Any]) -> None:
        """Set the table: full pouches, a shuffled Kitchen and the first Marketplace."""
        self.seats, self.chance, self.options, self.events = seats, chance, options, None
        self.to_act = None
        self.hp = [starting_hp(seats)] * seats
        self.cash = [0] * seats
        self.pouch = [colours(START) for _ in range(seats)]
        self.trash = [[] for _ in range(seats)]
        self.leftover = [[] for _ in range(seats)]
        self.fresh = [[] for _ in range(seats)]
        self.out = [0] * seats
        self.kitchen = sorted(colours(KITCHEN) * seats)
        self.market, self.jokers, self.removed = [], seats, []
        self.table, self.pepper, self.money = [], [], []
        self.multis = self.discards = self.phase = self.first = self.round = self.turn = 0
        self._legal = ()
        self._refill_market()

    def copy(self) -> Self:
        twin = type(self)()
        twin.seats, twin.chance, twin.options = self.seats, self.chance.fork(), self.options
        twin.events, twin.to_act = None, self.to_act
        twin.hp, twin.cash, twin.out = self.hp[:], self.cash[:], self.out[:]
        twin.pouch = [dice[:] for dice in self.pouch]
        twin.trash = [dice[:] for dice in self.trash]
        twin.leftover = [dice[:] for dice in self.leftover]
        twin.fresh = [dice[:] for dice in self.fresh]
        twin.kitchen, twin.market, twin.jokers = self.kitchen[:], self.market[:], self.jokers
        twin.removed = self.removed[:]
        twin.table, twin.pepper, twin.money = self.table[:], self.pepper[:], self.money[:]
        twin.multis, twin.discards = self.multis, self.discards
        twin.phase, twin.round, twin.turn = self.phase, self.round, self.turn
        twin.first, twin._legal = self.first, self._legal
        return twin

    def hidden_twin(self, seat: Seat, rng: Random) -> Self:
        """The same table with other luck to come: there is no other secret."""
        twin = self.copy()
        twin.chance = RandomChance(rng)
        return twin

    def _draw(self, seat: Seat, count: int) -> None:
        """Random dice of the pouch onto the Table, unrolled; fewer when there are no more."""
        pouch, table = self.pouch[seat], self.table
        roll, stream = self.chance.roll, POUCH_STREAMS[seat]
        for _ in range(count):
            if not pouch:
                if not self.trash[seat]:
                    return
                pouch = self.pouch[seat] = sorted(self.trash[seat])
                self.trash[seat] = []
                self._tell("refill", seat=seat)
            table.append(pouch.pop(roll(stream, len(pouch))[0]))

    def _roll_one(self, seat: Seat, die: int) -> None:
        [roll] = self.chance.roll(DICE_STREAMS[seat], 6)
        rolled = ROLLED[die & 7][roll]
        self.table.append(rolled)
        self.table.sort()
        if self.events is not None:
            self._tell("roll", seat=seat, table=[table_text(rolled)])

    def _refill_market(self) -> None:
        while len(self.market) < MARKET_SIZE and self.kitchen:
            [index] = self.chance.roll("kitchen", len(self.kitchen))
            self.market.append(self.kitchen.pop(index))
        self.market.sort()

    def _recycle(self) -> None:
        old, self.market = self.market, []
        self._refill_market()
        self.kitchen += old
        self.kitchen.sort()
        self._refill_market()

    def _to_trash(self, seat: Seat, die: int) -> None:
        if die & 7 == JOKER:
            self.jokers += 1
        else:
            self.trash[seat].append(die & 7)

    def _tell(self, event: str, **facts: Any) -> None:
        if self.events is not None:
            self.events.append({"event": event, **facts})

    def audit(self) -> None:
        seats, seat = self.seats, self.to_act
        dice = Counter(self.kitchen + self.market + self.removed)
        dice[JOKER] += self.jokers + self.multis
        for zone in (*self.leftover, *self.fresh, self.table, self.pepper, self.money):
            assert zone == sorted(zone), f"{zone} is not in order"
            dice.update(die & 7 for die in zone)
        for pouch in (*self.pouch, *self.trash):
            dice.update(pouch)
        for colour, letter in enumerate(COLOURS):
            expected = seats * ((START + KITCHEN).count(letter) if colour != JOKER else 1)
            assert dice[colour] == expected, f"{dice[colour]} {letter} dice, not {expected}"

        assert all(0 <= hp <= starting_hp(seats) for hp in self.hp), f"HP are {self.hp}"
        assert all((hp == 0) == (out > 0) for hp, out in zip(self.hp, self.out, strict=True))
        assert len(self.market) == min(MARKET_SIZE, len(self.market) + len(self.kitchen))
        assert JOKER not in self.market + self.removed
        assert all(JOKER not in trash for trash in self.trash)
        assert all(pouch == sorted(pouch) for pouch in self.pouch)
        for other, cash in enumerate(self.cash):
            waiting = self.round == 1 and other != seat  # may still hold its starting credit
            assert other == seat or cash == 0 or waiting, f"seat {other} keeps {cash} $"
        if seat is None:
            assert not self.table + self.pepper + self.money and not self.multis
        else:
            assert not self.out[seat], "an eliminated seat is to act"
