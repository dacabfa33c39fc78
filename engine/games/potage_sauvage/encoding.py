"""Views and actions as numbers, for learning."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.encoding import Bag, Each, Fields, Number, One, Part, from_own_seat
from engine.game import View
from engine.games.potage_sauvage.cards import RECIPES, SUITS, TEXT

CARDS = Bag(tuple(TEXT.values()), most=2)
BY_SEAT = ("recipes", "unused", "hand_sizes", "piles", "voids", "points")


@cache
def layout(seats: int) -> Part:
    """How the features of a table with this number of seats are laid out."""
    return Fields(
        {
            "kind": One(["recipe", "card", ""]),
            "deal": Number(6),
            "dealer": One(range(seats)),
            "leader": One(range(seats)),
            "hand": CARDS,
            "pot": CARDS,
            "total": Number(30),
            "demand": One([None, *SUITS]),
            "aside_size": Number(52),
            "recipes": Each(One([None, "?", *RECIPES]), seats),
            "unused": Each(Bag(RECIPES), seats),
            "hand_sizes": Each(Number(26), seats),
            "piles": Each(CARDS, seats),
            "voids": Each(Bag(SUITS), seats),
            "points": Each(Number(300, -300), seats),
        }
    )


def features(view: View) -> dict[str, Any]:
    """What is laid out; seats are counted from the reader's, cards without their order."""
    order = from_own_seat(view)
    found = {name: [view[name][seat] for seat in order] for name in BY_SEAT}
    found["unused"] = [list(letters) for letters in found["unused"]]
    found["voids"] = [list(letters) for letters in found["voids"]]
    found["piles"] = [CARDS.sorted(pile) for pile in found["piles"]]
    return found | {
        "kind": view["kind"],
        "deal": view["deal"],
        "dealer": order.index(view["dealer"]),
        "leader": order.index(view["leader"]),
        "hand": CARDS.sorted(view["hand"]),
        "pot": CARDS.sorted(view["pot"]),
        "total": view["total"],
        "demand": view["demand"],
        "aside_size": view["aside_size"],
    }


@cache
def actions() -> tuple[str, ...]:
    """Every action there is, as texts: recipes, then cards."""
    return (*RECIPES, *TEXT.values())
