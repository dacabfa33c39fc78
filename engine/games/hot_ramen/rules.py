"""The rules: turns, what each action does, and the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.chance import Chance
from engine.errors import IllegalAction
from engine.game import Action, Result, Seat, View
from engine.games.hot_ramen import actions as do
from engine.games.hot_ramen import telling
from engine.games.hot_ramen.choices import COST, JOKER_COST, legal_actions, picks
from engine.games.hot_ramen.dice import (
    COUNT,
    DOUBLE,
    FACES,
    FIRST_ROLL,
    JOKER,
    MONEY,
    ROLLED,
    SYMBOL,
    TRIPLE,
    WILD,
    stamped_text,
    table_text,
)
from engine.games.hot_ramen.view import observe
from engine.games.hot_ramen.zones import CHOOSE, DICE_STREAMS, KINDS, LEFTOVER, NEXT, OVER, Zones

HAND = 5
MAX_CREDIT = 6
LAST_ROUND = 100
FIRST_STREAMS = tuple(f"first/seat{seat}" for seat in range(6))


def smallest_enough(dice: list[int], damage: int) -> int:
    """Index, in ascending dice, of the smallest that soaks up the damage, else of the largest.

    Among dice of equal value it is the earliest colour.
    """
    for index, die in enumerate(dice):
        if die >> 3 >= damage:
            return index
    largest = dice[-1] >> 3
    return next(index for index, die in enumerate(dice) if die >> 3 == largest)


class HotRamenState(Zones):
    """One play under way."""

    __slots__ = ()

    @classmethod
    def begin(cls, seats: int, chance: Chance, options: Mapping[str, Any]) -> HotRamenState:
        """A fresh play, up to its first decision."""
        self = cls()
        self.lay_out(seats, chance, options)
        self.first = self._roll_for_first()
        if seats > 2:
            for place in range(seats):
                self.cash[(self.first + place) % seats] = min(MAX_CREDIT, 2 * place)
        self.round = 1
        self._begin_turn(self.first)
        self._settle()
        return self

    def _roll_for_first(self) -> Seat:
        tied = list(range(self.seats))
        while len(tied) > 1:
            peppers = {}
            for seat in tied:
                rolls = self.chance.roll(FIRST_STREAMS[seat], 6, len(FIRST_ROLL))
                faces = [FACES[die][roll] for die, roll in zip(FIRST_ROLL, rolls, strict=True)]
                peppers[seat] = sum(int(face[1]) for face in faces if face[0] == "P")
            most = max(peppers.values())
            tied = [seat for seat in tied if peppers[seat] == most]
        return tied[0]

    @property
    def kind(self) -> str:
        return KINDS[self.phase]

    def legal(self) -> tuple[int, ...]:
        if not self._legal:
            self._legal = legal_actions(self)
        return self._legal

    def apply(self, action: Action) -> None:
        legal = self._legal or self.legal()
        if type(action) is not int or action not in legal:
            raise IllegalAction(self._refusal(action))
        self._legal = ()
        seat = self.to_act
        assert seat is not None
        verb = action & ~0xFFF
        if verb <= do.PICK_WILD:
            self.pick(seat, action)
        elif verb == do.ROLL:
            self._roll(seat)
        elif verb == do.STOP:
            self._serve(seat)
        elif verb == do.DISCARD:
            self._discard(seat, action & 0xFFF)
        else:
            self._spend(seat, verb, action & 0xFFF)
        self._settle()

    def _refusal(self, action: Action) -> str:
        try:
            shown = do.notation(action) if type(action) is int and action >= 0 else repr(action)
        except IndexError:
            shown = repr(action)
        if self.to_act is None:
            return f"'{shown}' comes after the play is over"
        return f"'{shown}' is not one of {len(self.legal())} legal actions"

    def _begin_turn(self, seat: Seat) -> None:
        self.turn += 1
        self.to_act = seat
        self.table, self.pepper, self.money = [], [], []
        self.multis = 0
        self.phase = NEXT
        leftover = self.leftover[seat]
        if self.fresh[seat]:
            leftover += self.fresh[seat]
            leftover.sort()
            self.fresh[seat] = []
        if self.events is not None:
            self._tell("turn", seat=seat, round=self.round)
        if leftover:
            self.discards = min(len(leftover), 1 if self.seats == 2 else 2)
            self.phase = LEFTOVER
        else:
            self._cook(seat)

    def _discard(self, seat: Seat, die: int) -> None:
        self.leftover[seat].remove(die)
        self._to_trash(seat, die)
        if self.events is not None:
            self._tell("discard", seat=seat, die=stamped_text(die))
        self.discards -= 1
        if not self.discards:
            self._cook(seat)

    def _cook(self, seat: Seat) -> None:
        # In a duel the starting player's first hand is one die short.
        short = self.seats == 2 and self.turn == 1
        self._draw(seat, HAND - 1 if short else HAND)
        if self.table:
            self.table.sort()
            self._roll(seat)
        else:
            self.phase = NEXT

    def _roll(self, seat: Seat) -> None:
        table = self.table
        rolls = self.chance.roll(DICE_STREAMS[seat], 6, len(table))
        table[:] = [ROLLED[die & 7][roll] for die, roll in zip(table, rolls, strict=True)]
        table.sort()
        self.phase = CHOOSE
        if self.events is not None:
            self._tell("roll", seat=seat, table=[table_text(die) for die in table])

    def pick(self, seat: Seat, action: int) -> None:
        """Keep dice of the table; nothing is rolled."""
        symbol = action >> 9 & 3
        natural = symbol if action < do.PICK_WILD else -1
        wilds, doubles, triples = action >> 6 & 7, action >> 3 & 7, action & 7
        multiplier = 2 * doubles + 3 * triples or 1
        multis = doubles + triples
        zone = (self.pepper, self.fresh[seat], self.money)[symbol]
        taken: list[int] = []
        rest = []
        for die in self.table:
            face = die >> 3
            if SYMBOL[face] == natural:
                taken.append(COUNT[face] * multiplier << 3 | die & 7)
            elif face == WILD and wilds:
                wilds -= 1
                taken.append(multiplier << 3 | JOKER)
            elif face == DOUBLE and doubles:
                doubles -= 1
            elif face == TRIPLE and triples:
                triples -= 1
            else:
                rest.append(die & 7)
        zone += taken
        zone.sort()
        self.multis += multis
        rest.sort()
        self.table = rest
        value = sum([die >> 3 for die in taken])
        if symbol == MONEY:
            self.cash[seat] += value
        if self.events is not None:
            self._tell("pick", seat=seat, action=do.notation(action), value=value)
        self.phase = NEXT

    def _spend(self, seat: Seat, verb: int, payload: int) -> None:
        self.cash[seat] -= JOKER_COST if verb == do.BUY_JOKER else COST
        if self.events is not None:
            self._tell("spend", seat=seat, action=do.notation(verb | payload))
        if verb == do.BUY:
            self.market.remove(payload)
            self.trash[seat].append(payload)
            self._refill_market()
        elif verb == do.TRASH:
            self._trash(seat, payload >> 9, payload & 0x1FF)
        elif verb == do.DRAW:
            self._draw(seat, 1)
            if self.phase == CHOOSE:
                self._roll_one(seat, self.table.pop())
            else:
                self.table.sort()
        elif verb == do.REROLL:
            self.table.remove(payload)
            self._roll_one(seat, payload)
        elif verb == do.HEAL:
            self.hp[seat] += 1
        elif verb == do.RECYCLE:
            self._recycle()
        else:
            self.jokers -= 1
            self.pouch[seat].append(JOKER)  # the last colour, so the pouch stays ascending

    def _trash(self, seat: Seat, zone: int, die: int) -> None:
        own = (self.leftover[seat], self.fresh[seat], self.pepper, self.money, self.table)
        zones = (*own, self.trash[seat])
        zones[zone].remove(die)
        if zones[zone] is self.money:
            # What has been spent already cannot be cancelled.
            self.cash[seat] = max(0, self.cash[seat] - (die >> 3))
        if self.options["trash_action"] == "remove" and die & 7 != JOKER:
            self.removed.append(die & 7)
        else:
            self._to_trash(seat, die)

    def _settle(self) -> None:
        """Serve for every seat that has nothing left to pick, roll or pay for."""
        while (seat := self.to_act) is not None and self.phase != LEFTOVER:
            if self.cash[seat] >= COST:
                return
            if self.phase == CHOOSE:
                self._legal = picks(self, seat)  # without money that is all one may do
                if self._legal:
                    return
            elif self.table:
                return
            self._serve(seat)

    def _serve(self, seat: Seat) -> None:
        damage = sum([die >> 3 for die in self.pepper])
        if self.events is not None:
            self._tell("serve", seat=seat, damage=damage)
        if damage:
            for other in range(self.seats):
                if other != seat and not self.out[other]:
                    self._hit(other, damage)
        used = [die & 7 for zone in (self.pepper, self.table, self.money) for die in zone]
        self.trash[seat] += [colour for colour in used if colour != JOKER]
        self.jokers += used.count(JOKER) + self.multis
        self.cash[seat] = 0
        self._end_turn(seat)

    def _hit(self, seat: Seat, damage: int) -> None:
        used = []
        for zone in (self.leftover[seat], self.fresh[seat]):
            while zone and damage > 0:
                die = zone.pop(smallest_enough(zone, damage))
                damage -= die >> 3
                used.append(die)
                self._to_trash(seat, die)
        lost = min(self.hp[seat], damage) if damage > 0 else 0
        self.hp[seat] -= lost
        if self.events is not None:
            soaked = [stamped_text(die) for die in used]
            self._tell("hit", seat=seat, used=soaked, lost=lost, hp=self.hp[seat])
        if not self.hp[seat]:
            self._eliminate(seat)

    def _eliminate(self, seat: Seat) -> None:
        self.out[seat] = self.turn
        for zone in (self.pouch, self.trash, self.leftover, self.fresh):
            for die in zone[seat]:
                if die & 7 == JOKER:
                    self.jokers += 1
                else:
                    self.removed.append(die & 7)
            zone[seat] = []
        self.cash[seat] = 0  # a starting credit never used
        self._tell("out", seat=seat)

    def _end_turn(self, seat: Seat) -> None:
        following = (seat + 1) % self.seats
        wrapped = following == self.first
        while self.out[following]:
            following = (following + 1) % self.seats
            wrapped = wrapped or following == self.first
        if following == seat or (wrapped and self.round == LAST_ROUND):
            self.phase = OVER
            self.to_act = None
            self.table, self.pepper, self.money = [], [], []
            self.multis = 0
            self._tell("over", hp=self.hp[:])
        else:
            self.round += wrapped
            self._begin_turn(following)

    def notation(self, action: Action) -> str:
        return do.notation(action)

    def phrase(self, action: Action) -> str:
        return telling.move(self.notation(action))

    def parse(self, text: str) -> Action:
        return do.parse(text)

    def observe(self, seat: Seat | None) -> View:
        return observe(self, seat)

    def result(self) -> Result | None:
        """Survivors by HP, then the eliminated, latest first; equals share a place."""
        if self.to_act is not None:
            return None
        last = self.turn + 1  # later than every elimination
        standing = [(out or last, hp) for out, hp in zip(self.out, self.hp, strict=True)]
        places = tuple(1 + sum(other > own for other in standing) for own in standing)
        survivors = self.out.count(0)
        reason = "last one at the counter" if survivors == 1 else f"{LAST_ROUND} rounds are over"
        return Result(places, tuple(self.hp), reason)
