"""Safranito as the engine knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Self

from engine.chance import Chance
from engine.game import Game, Option, Seat, State, View
from engine.games.safranito import dealing, telling, view, words
from engine.games.safranito.actions import DISHES
from engine.games.safranito.board import SPICES
from engine.games.safranito.rules import Rules
from engine.games.safranito.table import ALL_TOKENS, BIT, CARDS_PER_SPICE, SPICE


class SafranitoState(Rules):
    """One play of Safranito."""

    __slots__ = ()

    def observe(self, seat: Seat | None) -> View:
        return view.observe(self, seat, self.game.slug)

    def hidden_twin(self, seat: Seat, rng: Random) -> Self:
        twin = self.copy()
        dealing.deal_anew(twin, seat, rng)
        return twin

    def audit(self) -> None:
        for spice in range(len(SPICES)):
            piles = [card & SPICE for card in self.draw] + self.discard + self.looked
            held = self.display[spice] + sum(hand[spice] for hand in self.hands)
            assert piles.count(spice) + held == CARDS_PER_SPICE, f"cards of {SPICES[spice]}"
        dishes = self.dish_pile + self.face_up
        for own in self.reserved + self.cooked:
            dishes = dishes + own
        assert sorted(dishes) == list(range(len(DISHES))), "each dish is in one place"
        for seat in range(self.seats):
            places = [self.holding[seat], self.out[seat]]
            places += [
                BIT[value]
                for value, owner in zip(self.values, self.owners, strict=True)
                if owner == seat
            ]
            assert sum(places) == ALL_TOKENS, f"six tokens of seat {seat}"
            assert not self.back[seat] & ~self.holding[seat], "what came back is in hand"
            assert self.money[seat] >= 0, f"money of seat {seat}"
            for spice in range(len(SPICES)):
                assert 0 <= self.known[seat][spice] <= self.hands[seat][spice], "known cards"
        for x, y in zip(self.xs, self.ys, strict=True):
            assert 20 <= x <= 380 and 20 <= y <= 380, "tokens lie on the board"
        if self.kind == "cook":
            assert not self.xs, "all tokens are back before the cooking"


class SameEdges(SafranitoState):
    """A play by the rules of version 1."""

    __slots__ = ()
    edges_change = False


class Safranito(Game):
    """Flick tokens at spice bowls, trade, and cook three dishes first."""

    slug = "safranito"
    title = "Safranito"
    tagline = "Flick tokens at nine spice bowls, corner the market, cook three dishes."
    seats = range(2, 5)
    rules_version = 2
    state: type[SafranitoState] = SafranitoState
    private_kinds = frozenset({"sell", "cook"})
    points_name = "dishes"
    options = {
        "skill": Option(1, (0, 0.5, 1, 2), "how large the error of a throw is; 0 is none"),
        "p_flip": Option(0, (0, 0.25, 0.5, 1), "how often a thrown token lands face up"),
        "decline": Option(
            "all", ("all", "highest"), "the tokens taken back by one who does not buy"
        ),
        "ties": Option(
            "chef_first", ("chef_first", "chef_last"), "where the chef stands in ties of tokens"
        ),
    }

    def new(self, seats: int, chance: Chance, options: Mapping[str, Any]) -> State:
        table = self.state.blank(seats, chance, options)
        table.deal()
        table.begin_round()
        return table

    def deal_from(self, view: View, rng: Random) -> State:
        return dealing.determinize(self.state, view, rng)

    def text(self, view: View, names: Sequence[str]) -> str:
        return words.text(view, names)

    def story(self, events: Sequence[dict[str, Any]], names: Sequence[str], made: str) -> list[str]:
        return telling.story(events, names, made)


class SafranitoOne(Safranito):
    """Rules version 1: everyone keeps one edge for the whole play."""

    rules_version = 1
    state = SameEdges


Safranito.earlier = {1: SafranitoOne()}
