"""Views and actions as numbers, for learning."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

from engine.encoding import Bag, Each, Fields, Number, One, Part, from_own_seat
from engine.errors import UnreadableAction
from engine.game import View
from engine.games.hot_ramen.actions import VERBS, notation, parse
from engine.games.hot_ramen.dice import COLOURS, FACES

DICE = Bag(COLOURS, most=80)
TABLE = Bag(
    [*COLOURS, *(f"{c}:{face}" for c, faces in FACES.items() for face in sorted(set(faces)))],
    most=30,
)
STAMPED = Fields({"dice": DICE, "worth": Number(255)})  # dice with a value each: their sum


@cache
def layout(seats: int) -> Part:
    """How the features of a table with this number of seats are laid out."""
    player = {"hp": Number(60), "cash": Number(100), "leftover": STAMPED, "fresh": STAMPED}
    player |= {"pouch": DICE, "trash": DICE, "is_out": Number(1)}
    return Fields(
        {
            "kind": One(["leftover", "pick", "next", ""]),
            "round": Number(500),
            "first": One(range(seats)),
            "players": Each(Fields(player), seats),
            "discards": Number(2),
            "table": TABLE,
            "pepper": STAMPED,
            "money": STAMPED,
            "multis": Number(8),
            "damage": Number(255),
            "market": DICE,
            "jokers": Number(8),
            "kitchen": DICE,
            "removed": DICE,
        }
    )


def features(view: View) -> dict[str, Any]:
    """What is laid out; dice with a value are their colours and their sum."""
    order = from_own_seat(view)
    same = ("kind", "round", "discards", "multis", "damage", "jokers")
    return {name: view[name] for name in same} | {
        "first": order.index(view["first"]),
        "players": [_player(view["players"][seat]) for seat in order],
        "table": TABLE.sorted(view["table"]),
        "pepper": _stamped(view["pepper"]),
        "money": _stamped(view["money"]),
        "market": list(view["market"]),
        "kitchen": list(view["kitchen"]),
        "removed": list(view["removed"]),
    }


def _player(player: dict[str, Any]) -> dict[str, Any]:
    return {
        "hp": player["hp"],
        "cash": player["cash"],
        "leftover": _stamped(player["leftover"]),
        "fresh": _stamped(player["fresh"]),
        "pouch": list(player["pouch"]),
        "trash": list(player["trash"]),
        "is_out": int(player["out"] > 0),
    }


def _stamped(dice: list[str]) -> dict[str, Any]:
    parts = [die.split(":") for die in dice]
    return {
        "dice": DICE.sorted([colour for colour, _ in parts]),
        "worth": sum(int(value) for _, value in parts),
    }


@cache
def actions() -> tuple[str, ...]:
    """Every action there is, as texts, in the order legal actions are listed in."""
    found = []
    for action in range(len(VERBS) << 12):
        with suppress(UnreadableAction, IndexError):
            if parse(notation(action)) == action:
                found.append(notation(action))
    return tuple(found)
