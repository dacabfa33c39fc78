"""Views and actions as numbers, for learning.

A throw is one of endlessly many: as an action it is the place of a suggestion in its list, or five
numbers of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from engine.encoding import Bag, Each, Fields, Number, One, Part, Slots, from_own_seat
from engine.game import View
from engine.games.safranito.actions import DISH_NAMES
from engine.games.safranito.board import (
    MAX_REACH,
    MAX_U,
    MICRO,
    REGION_NAMES,
    SPACES,
    SPICES,
    VALUES,
    Throw,
    aim_box,
    is_free,
    start,
)
from engine.games.safranito.phases import KINDS

if TYPE_CHECKING:
    from engine.games.safranito.rules import Rules

SPICE_CARDS = Bag(SPICES, most=6)
DISHES = Bag(DISH_NAMES)
TOKENS = Bag(VALUES)
SUGGESTIONS = 1024
MOST_DISCS = 24
THROW = ("token", "u", "aim x", "aim y", "reach")  # what the numbers of a throw are
TENTHS = 10  # places are given to a tenth of a millimetre


@cache
def layout(seats: int) -> Part:
    """How the features of a table with this number of seats are laid out."""
    disc = {"seat": One(range(seats)), "x": Number(4000), "y": Number(4000)}
    disc |= {"at": One(REGION_NAMES), "value": One([None, *VALUES]), "shown": Number(1)}
    player = {"edge": One("NESW"), "money": Number(2000), "known": SPICE_CARDS}
    player |= {"secret": Number(54), "cooked": DISHES, "reserved": Number(18), "back": TOKENS}
    player |= {"out": Number(6), "has_sold": Number(1)}
    return Fields(
        {
            "kind": One(KINDS),
            "phase": One(["throws", "spaces", "market", "cooking", "over"]),
            "round": Number(200),
            "chef": One(range(seats)),
            "turn": Number(40),
            "space": One([None, *SPACES]),
            "bowl": One([None, *SPICES]),
            "price": Number(1000),
            "served": Number(1),
            "display": SPICE_CARDS,
            "discard": SPICE_CARDS,
            "draw": Number(54),
            "dishes": DISHES,
            "dish_pile": Number(18),
            "players": Each(Fields(player), seats),
            "discs": Slots(Fields(disc), MOST_DISCS),
            "hand": SPICE_CARDS,
            "own_reserved": DISHES,
            "tokens": TOKENS,
            "looked": SPICE_CARDS,
        }
    )


def features(view: View) -> dict[str, Any]:
    """What is laid out; seats are counted from the reader's."""
    order = from_own_seat(view)
    own = view["own"]
    same = ("kind", "phase", "round", "turn", "space", "bowl", "price", "draw", "dish_pile")
    return {name: view[name] for name in same} | {
        "chef": order.index(view["chef"]),
        "served": int(view["served"]),
        "display": _cards(view["display"]),
        "discard": _cards(view["discard"]),
        "dishes": DISHES.sorted(view["dishes"]),
        "players": [_player(view, seat) for seat in order],
        "discs": [_disc(disc, order) for disc in view["discs"]],
        "hand": _cards(own["hand"]),
        "own_reserved": DISHES.sorted(own["reserved"]),
        "tokens": own["tokens"],
        "looked": SPICE_CARDS.sorted(own["looked"]),
    }


def _player(view: View, seat: int) -> dict[str, Any]:
    return {
        "edge": view["edges"][seat],
        "money": view["money"][seat],
        "known": _cards(view["known"][seat]),
        "secret": view["secret"][seat],
        "cooked": DISHES.sorted(view["cooked"][seat]),
        "reserved": view["reserved"][seat],
        "back": view["back"][seat],
        "out": view["out"][seat],
        "has_sold": int(seat in view["sold"]),
    }


def _disc(disc: dict[str, Any], order: list[int]) -> dict[str, Any]:
    return {
        "seat": order.index(disc["seat"]),
        "x": round(disc["x"] * TENTHS),
        "y": round(disc["y"] * TENTHS),
        "at": disc["at"],
        "value": disc["value"],
        "shown": int(disc["shown"]),
    }


def _cards(counts: dict[str, int]) -> list[str]:
    return [spice for spice in SPICES for _ in range(counts.get(spice, 0))]


@cache
def actions() -> tuple[str, ...]:
    """Every action there is but throws, as texts; then the places of suggested throws."""
    return (
        *("use", "decline", "buy", "no", "pass"),
        *(f"{verb} {spice}" for verb in ("keep", "bowl") for spice in SPICES),
        *(f"sell {cards}" for cards in range(7)),
        *(f"cook {dish}" for dish in DISH_NAMES),
        *(f"suggestion {place}" for place in range(SUGGESTIONS)),
    )


def throw(state: Rules, numbers: Sequence[float]) -> Throw:
    """The throw that five numbers from 0 to 1 stand for: THROW says which.

    Each is a share of its range, the token's of those in hand. Where a disc lies on the launch
    point, the nearest free one is taken, so that every five numbers are a legal throw.
    """
    token, along, *aim, reach = (min(1.0, max(0.0, float(number))) for number in numbers)
    tokens, side = state.tokens(), state.side()
    u = round((2 * along - 1) * MAX_U)
    if not is_free(side, u, state.xs, state.ys):
        nearest = sorted(range(-MAX_U, MAX_U + 1), key=lambda other: abs(other - u))
        u = next(other for other in nearest if is_free(side, other, state.xs, state.ys))
    low_x, high_x, low_y, high_y = aim_box(side)
    x = round((low_x + aim[0] * (high_x - low_x)) * MICRO)
    y = round((low_y + aim[1] * (high_y - low_y)) * MICRO)
    if (x, y) == tuple(MICRO * at for at in start(side, u)):  # it must be somewhere else
        x += 1 if x < high_x * MICRO else -1
    return (
        tokens[min(int(token * len(tokens)), len(tokens) - 1)],
        u,
        x,
        y,
        round((1 + reach * (MAX_REACH - 1)) * MICRO),
    )
