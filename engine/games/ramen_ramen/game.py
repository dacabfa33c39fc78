"""Ramen! Ramen! by Brendan Hansen, as a game of this engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from engine.chance import Chance, RandomChance
from engine.game import Game, Option, View
from engine.games.ramen_ramen import scoring, telling
from engine.games.ramen_ramen import view as views
from engine.games.ramen_ramen.cards import (
    BOWLS,
    CARD_BY_NAME,
    CARDS,
    VALUE,
    types_of,
)
from engine.games.ramen_ramen.rules import KINDS, RamenState
from engine.games.ramen_ramen.seating import SIDES


class RamenRamen(Game):
    """Fill three bowls, two cards a turn; many kinds of ingredients make a bowl worth most."""

    slug = "ramen_ramen"
    title = "Ramen! Ramen!"
    tagline = "Two cards into two bowls: serve the most varied soup before it overflows."
    seats = range(1, 5)
    rules_version = 1
    options = {
        "empty_deck": Option(
            "skip",
            ("skip", "second_fridge_card"),
            "Once the deck is empty, draw nothing, or take a second card from the fridge instead.",
        )
    }

    def new(self, seats: int, chance: Chance, options: Mapping[str, Any]) -> RamenState:
        return RamenState(seats, chance, options)

    def deal_from(self, view: View, rng: Random) -> RamenState:
        return _built(view, rng).hidden_twin(view["seat"], rng)

    def sides(self, seats: int) -> tuple[int, ...]:
        return SIDES[seats]

    def rating_note(self, points: int, seats: int) -> str:
        return scoring.stars(points) if seats == 1 else ""

    def text(self, view: View, names: Sequence[str]) -> str:
        return views.text(view, names)

    def story(self, events: Sequence[dict[str, Any]], names: Sequence[str], made: str) -> list[str]:
        return telling.story(events, names, made)


def _built(view: View, rng: Random) -> RamenState:
    """A state that looks like the view, its hidden cards still in order."""
    state = RamenState.__new__(RamenState)
    state.chance = RandomChance(rng)  # no luck is left to draw: it is all in the deck
    state.events = None
    state.options = view["options"]
    state.seats = view["seats"]
    state.to_act = view["to_act"]
    state.phase = KINDS.index(view["kind"])
    state.bowls = [_cards(view["bowls"][name]) for name in BOWLS]
    state.sums = [sum(VALUE[card] for card in bowl) for bowl in state.bowls]
    state.masks = [types_of(bowl) for bowl in state.bowls]
    state.fridge = _cards(view["fridge"])
    state.served = [
        (packet["side"], BOWLS.index(packet["bowl"]), tuple(_cards(packet["cards"])))
        for packet in view["served"]
    ]
    state.points = [view["points"][SIDES[state.seats].index(s)] for s in sorted({*view["sides"]})]
    state.shown = 0
    for names in view["known"]:
        for card in _cards(names):
            state.shown |= 1 << card
    hands = [[name for name in hand if name != views.HIDDEN] for hand in view["hands"]]
    state.hands = [_cards(hand) for hand in hands]
    seen = {*state.fridge}.union(*state.bowls, *state.hands, *(p[2] for p in state.served))
    unseen = [card for card in range(CARDS) if card not in seen]
    for hand, shown in zip(state.hands, view["hands"], strict=True):
        while len(hand) < len(shown):
            hand.append(unseen.pop())
        hand.sort()
    state.deck = unseen[: view["deck"]]
    state.aside = unseen[view["deck"] :]
    return state


def _cards(names: Iterable[str]) -> list[int]:
    return [CARD_BY_NAME[name] for name in names]
