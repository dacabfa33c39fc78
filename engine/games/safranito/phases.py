"""What follows from each decision, phase by phase: throws, action spaces, market, cooking."""

from __future__ import annotations

from typing import ClassVar

from engine.game import Seat
from engine.games.safranito import board, throwing
from engine.games.safranito.actions import DISH_NAMES, DISHES
from engine.games.safranito.board import FIRST_SPACE, NOWHERE, SPACES, SPICES, Throw
from engine.games.safranito.physics import Path
from engine.games.safranito.table import ALL_TOKENS, BIT, KNOWN_BY, TableState

KINDS = ("throw", "action", "keep", "bowl", "sell", "buy", "cook", "")
THROWING, ACTING, KEEPING, CHOOSING, SELLING, BUYING, COOKING, OVER = range(8)
FACE_UP = {2: 2, 3: 2, 4: 3}  # dishes on offer, by seats
NEW_SPICES = {2: 4, 3: 5, 4: 6}
THROWS = {2: 4, 3: 4, 4: 3}
EXTRA_THROW, EXTRA_SPICE, RESERVE, CHEF, NO_SPACE = range(5)
WINNING_DISHES = 3
LAST_ROUND = 40


class Phases(TableState):
    """The course of a round. Each method ends with the next decision due."""

    __slots__ = ()

    # Places at the table are not alike: some spaces are nearer to one edge than to another. So
    # everyone moves on with the mill. Under rules version 1 seat 0 always sat in the south.
    edges_change: ClassVar[bool] = True

    def side(self) -> str:
        """The edge of the seat to act: S, W, N or E."""
        assert self.to_act is not None
        return self.edges[self.to_act]

    def cookable(self, seat: Seat) -> list[int]:
        """The dishes a seat could cook now, in rising order."""
        hand = self.hands[seat]
        found = []
        for dish in self.reserved[seat] if self.served else self.reserved[seat] + self.face_up:
            first, second, third = DISHES[dish]
            if hand[first] and hand[second] and hand[third]:
                found.append(dish)
        found.sort()
        return found

    def leader(self, discs: list[int]) -> tuple[Seat, int]:
        """The seat with the highest sum among some discs, and that sum.

        Ties go by the order of play: the chef first, the others clockwise.
        """
        sums = [0] * self.seats
        for disc in discs:
            sums[self.owners[disc]] += self.values[disc]
        best = max(sums)
        seat = self.chef if self.options["ties"] == "chef_first" else self.chef + 1
        while sums[seat % self.seats] != best:
            seat += 1
        return seat % self.seats, best

    def begin_round(self) -> None:
        """Seat everyone, lay out dishes and spices and ask the chef for the first throw."""
        self.edges = board.edges(self.seats, self.chef if self.edges_change else 0)
        while len(self.face_up) < FACE_UP[self.seats] and self.dish_pile:
            self.face_up.append(self.dish_pile.pop())
        new = self.draw_cards(NEW_SPICES[self.seats])
        for spice in new:
            self.display[spice] += 1
        self.stage, self.turn, self.space, self.to_act = THROWING, 0, -1, self.chef
        if self.events is not None:
            spices = [SPICES[spice] for spice in new]
            self.tell("round", round=self.round, chef=self.chef, spices=spices)

    # Phase 1: throws, and the extra throw of phase 2

    def throw(self, throw: Throw) -> None:
        seat = self.to_act
        assert seat is not None
        luck = self.chance.bells(f"throw/seat{seat}", 2)
        self.holding[seat] &= ~BIT[throw[0]]
        if len(throw) == 1:
            self.out[seat] |= BIT[throw[0]]
            self.rest = (self.xs, self.ys)
            if self.events is not None:
                self.tell("lost", seat=seat, why="no free launch point")
        else:
            self._launch(seat, throw, luck)
        if self.space == EXTRA_THROW:
            self._leave_space()
            return
        self.turn += 1
        if self.turn < THROWS[self.seats] * self.seats:
            self.to_act = (seat + 1) % self.seats
        else:
            self.space = EXTRA_THROW
            self._next_space()

    def _launch(self, seat: Seat, throw: Throw, luck: list[float]) -> None:
        xs, ys = self.xs.copy(), self.ys.copy()
        paths: dict[int, Path] | None = None if self.events is None else {}
        skill = self.options["skill"]
        gone = board.launch(xs, ys, self.side(), throw, luck=luck, skill=skill, paths=paths)
        self.xs, self.ys = xs, ys
        self.owners = [*self.owners, seat]
        self.values = [*self.values, throw[0]]
        self.shown = [*self.shown, self._lands_face_up(seat)]
        before = self.regions
        self.regions = [board.region(x, y) for x, y in zip(xs, ys, strict=True)]
        if paths is not None:
            throwing.tell(self, paths, gone, before)
        if gone:
            for disc in gone:
                self.out[self.owners[disc]] |= BIT[self.values[disc]]
            self.lift(sorted(gone))
        self.rest = (self.xs, self.ys)

    def _lands_face_up(self, seat: Seat) -> bool:
        often = self.options["p_flip"]
        return bool(often) and self.chance.roll(f"flip/seat{seat}", 4)[0] < 4 * often

    # Phase 2: action spaces

    def _next_space(self) -> None:
        while self.space < NO_SPACE:
            discs = self.discs_in(FIRST_SPACE + self.space)
            if discs:
                self.reveal(discs)
                self.to_act, _ = self.leader(discs)
                self.stage = ACTING
                if self.events is not None:
                    tokens = [[self.owners[disc], self.values[disc]] for disc in discs]
                    name = SPACES[self.space]
                    self.tell("space", space=name, tokens=tokens, seat=self.to_act)
                return
            self.space += 1
        self.take_back(self.discs_in(NOWHERE))
        self._next_bowl()

    def _leave_space(self) -> None:
        self.take_back(self.discs_in(FIRST_SPACE + self.space))
        self.space += 1
        self._next_space()

    def act(self, seat: Seat, use: bool) -> None:
        space = self.space
        if self.events is not None:
            self.tell("use" if use else "decline", seat=seat, space=SPACES[space])
        if use:
            if space == EXTRA_THROW:
                self.stage = THROWING
                return
            if space == EXTRA_SPICE:
                discs = self.discs_in(FIRST_SPACE + space)
                best = max(self.values[disc] for disc in discs if self.owners[disc] == seat)
                self.looked = self.draw_cards(best // 10)
                if self.events is not None:
                    self.tell("look", seat=seat, cards=len(self.looked))
                if self.looked:
                    self.stage = KEEPING
                    return
            elif space == RESERVE:
                if self.dish_pile:
                    self.reserved[seat].append(self.dish_pile.pop())
                elif self.events is not None:
                    self.tell("no dishes", seat=seat)
            else:
                self.chef = seat
        self._leave_space()

    def keep(self, seat: Seat, spice: int) -> None:
        self.hands[seat][spice] += 1
        self.looked.remove(spice)
        # Under the pile in drawn order: the first one nearest to the pile.
        self.draw[:0] = [card + (KNOWN_BY << seat) for card in reversed(self.looked)]
        self.looked = []
        self._leave_space()

    # Phase 3: market

    def _next_bowl(self) -> None:
        if self.xs:
            self.stage, self.to_act = CHOOSING, self.chef
        else:
            self.turn, self.served = 0, False
            self._next_cook()

    def open_bowl(self, spice: int) -> None:
        discs = self.discs_in(spice)
        self.reveal(discs)
        self.bowl, self.turn, self.sold, self.price = spice, 0, 0, 0
        for disc in discs:
            self.price += self.values[disc]
        if self.events is not None:
            tokens = [[self.owners[disc], self.values[disc]] for disc in discs]
            self.tell("bowl", spice=SPICES[spice], price=self.price, tokens=tokens)
        self._next_seller()

    def _next_seller(self) -> None:
        while self.turn < self.seats:
            seat = (self.chef + self.turn) % self.seats
            if self.hands[seat][self.bowl]:
                self.stage, self.to_act = SELLING, seat
                return
            self.turn += 1
        if self.sold:
            self.take_back([d for d in self.discs_in(self.bowl) if self.sold >> self.owners[d] & 1])
        self._next_buyer()

    def sell(self, seat: Seat, cards: int) -> None:
        if cards:
            self.spend(seat, self.bowl, cards)
            self.money[seat] += cards * self.price
            self.sold |= 1 << seat
            if self.events is not None:
                earned = cards * self.price
                self.tell("sell", seat=seat, spice=SPICES[self.bowl], cards=cards, earned=earned)
        self.turn += 1
        self._next_seller()

    def _next_buyer(self) -> None:
        while self.display[self.bowl] and (discs := self.discs_in(self.bowl)):
            seat, total = self.leader(discs)
            if self.money[seat] >= total:
                self.stage, self.to_act = BUYING, seat
                return
            if self.events is not None:
                self.tell("too dear", seat=seat, spice=SPICES[self.bowl], sum=total)
            self._give_way(seat, discs)
        self.take_back(self.discs_in(self.bowl))
        self._next_bowl()

    def buy(self, seat: Seat, wants: bool) -> None:
        discs = self.discs_in(self.bowl)
        if wants:
            _, total = self.leader(discs)
            self.money[seat] -= total
            self.display[self.bowl] -= 1
            self.hands[seat][self.bowl] += 1
            self.known[seat][self.bowl] += 1
            if self.events is not None:
                self.tell("buy", seat=seat, spice=SPICES[self.bowl], paid=total)
            self.take_back([self._highest(seat, discs)])
        else:
            if self.events is not None:
                self.tell("no deal", seat=seat, spice=SPICES[self.bowl])
            self._give_way(seat, discs)
        self._next_buyer()

    def _give_way(self, seat: Seat, discs: list[int]) -> None:
        if self.options["decline"] == "all":
            self.take_back([disc for disc in discs if self.owners[disc] == seat])
        else:
            self.take_back([self._highest(seat, discs)])

    def _highest(self, seat: Seat, discs: list[int]) -> int:
        return max((d for d in discs if self.owners[d] == seat), key=self.values.__getitem__)

    # Phase 4: cooking

    def _next_cook(self) -> None:
        while self.turn < self.seats:
            seat = (self.chef + self.turn) % self.seats
            if self.cookable(seat):
                self.stage, self.to_act = COOKING, seat
                return
            self.turn += 1
            self.served = False
        self._end_round()

    def cook(self, seat: Seat, dish: int) -> None:
        if dish < 0:
            self.turn += 1
            self.served = False
            self._next_cook()
            return
        for spice in DISHES[dish]:
            self.spend(seat, spice, 1)
        if dish in self.reserved[seat]:
            self.reserved[seat].remove(dish)
        else:
            self.face_up.remove(dish)
            self.served = True
        self.cooked[seat].append(dish)
        if self.events is not None:
            self.tell("cook", seat=seat, dish=DISH_NAMES[dish])
        if len(self.cooked[seat]) == WINNING_DISHES:
            self.stage, self.to_act = OVER, None
        else:
            self._next_cook()

    def _end_round(self) -> None:
        self.holding = [ALL_TOKENS] * self.seats
        self.out = [0] * self.seats
        self.back = [0] * self.seats
        if self.round == LAST_ROUND:
            self.stage, self.to_act = OVER, None
            return
        self.round += 1
        self.chef = (self.chef + 1) % self.seats
        self.begin_round()
