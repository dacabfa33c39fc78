"""Views and actions as numbers, for learning."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Any

from engine.encoding import Bag, Each, Fields, Number, One, Part, from_own_seat
from engine.game import View
from engine.games.ramen_ramen.cards import BOWLS, CARD_NAMES

CARDS = Bag(CARD_NAMES)
HIDDEN = "?"


@cache
def layout(seats: int) -> Part:
    """How the features of a table with this number of seats are laid out."""
    return Fields(
        {
            "kind": One(["play", "take", "take2", ""]),
            "hand": CARDS,
            "known": Each(CARDS, seats - 1),
            "hidden": Each(Number(8), seats - 1),
            "bowls": Each(CARDS, len(BOWLS)),
            "owners": Each(One(["own", "other", None]), len(BOWLS)),
            "fridge": CARDS,
            "served": CARDS,
            "deck": Number(56),
            "points": Each(Number(200), seats),
        }
    )


def features(view: View) -> dict[str, Any]:
    """What is laid out: others' hands as far as known, all served cards together."""
    order = from_own_seat(view)
    own, *others = (view["hands"][seat] for seat in order)
    side = view["sides"][view["seat"]]
    return {
        "kind": view["kind"],
        "hand": CARDS.sorted(own),
        "known": [CARDS.sorted([c for c in hand if c != HIDDEN]) for hand in others],
        "hidden": [hand.count(HIDDEN) for hand in others],
        "bowls": [CARDS.sorted(view["bowls"][bowl]) for bowl in BOWLS],
        "owners": [
            None if owner is None else "own" if owner == side else "other"
            for owner in view["owners"].values()
        ],
        "fridge": CARDS.sorted(view["fridge"]),
        "served": CARDS.sorted([card for packet in view["served"] for card in packet["cards"]]),
        "deck": view["deck"],
        "points": [view["points"][seat] for seat in order],
    }


@cache
def actions() -> tuple[str, ...]:
    """Every action there is, as texts: takes, single places, and pairs of places."""
    singles = [f"{card}>{bowl}" for card in CARD_NAMES for bowl in BOWLS]
    pairs = [
        f"{first}>{BOWLS[left]} {second}>{BOWLS[right]}"
        for left, right in ((0, 1), (0, 2), (1, 2))
        for first, second in permutations(CARD_NAMES, 2)
    ]
    return (*CARD_NAMES, *singles, *pairs)
