"""A view in plain words and lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import View
from engine.games.safranito.board import REGION_NAMES

EDGES = {"S": "south", "W": "west", "N": "north", "E": "east"}
ASKED = {
    "throw": "throws",
    "action": "may use",
    "keep": "keeps one card",
    "bowl": "chooses a bowl",
    "sell": "may sell",
    "buy": "may buy",
    "cook": "may cook",
}


def text(view: View, names: Sequence[str]) -> str:
    """The whole table, a few lines."""
    lines = [_heading(view, names), _dishes(view), _spices(view)]
    lines += [_seat(view, names, seat) for seat in range(view["seats"])]
    lines += _board(view, names)
    own = view["own"]
    looked = own["looked"] if view["seat"] is not None else _looked(own)
    if looked:
        lines.append(f"Looked at: {', '.join(looked)}")
    return "\n".join(lines)


def _looked(own: list[dict[str, Any]]) -> list[str]:
    return [name for one in own for name in one["looked"]]


def _heading(view: View, names: Sequence[str]) -> str:
    line = f"Round {view['round']}, {view['phase']}; chef: {names[view['chef']]}"
    if view["to_act"] is None:
        return line
    asked = ASKED[view["kind"]]
    if view["kind"] == "action":
        asked = f"may use {view['space']}"
    if view["kind"] in ("sell", "buy"):
        asked = f"{asked} {view['bowl']}"
    if view["kind"] == "sell":
        asked = f"{asked} at {view['price']}"
    return f"{line}; {names[view['to_act']]} {asked}"


def _dishes(view: View) -> str:
    return f"Dishes: {' | '.join(view['dishes']) or 'none'} (pile {view['dish_pile']})"


def _spices(view: View) -> str:
    piles = f"draw {view['draw']}, discard {sum(view['discard'].values())}"
    return f"Display: {_cards(view['display'])} ({piles})"


def _cards(cards: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in cards.items()) or "empty"


def _seat(view: View, names: Sequence[str], seat: int) -> str:
    known, secret = view["known"][seat], view["secret"][seat]
    own: dict[str, Any] | None = None
    if view["seat"] is None:
        own = view["own"][seat]
    elif view["seat"] == seat:
        own = view["own"]
    hand = _cards(own["hand"] if own else known)
    if own is None and secret:
        hand += f" and {secret} secret"
    cooked = view["cooked"][seat]
    reserved = " | ".join(own["reserved"]) if own else view["reserved"][seat]
    facts = [
        f"{names[seat]} ({EDGES[view['edges'][seat]]}): {view['money'][seat]} rupees",
        f"hand {hand}",
        f"cooked {len(cooked)}" + (f" ({' | '.join(cooked)})" if cooked else ""),
    ]
    if reserved:
        facts.append(f"reserved {reserved}")
    if own:
        facts.append(f"tokens {' '.join(str(value) for value in own['tokens']) or 'none'}")
    if view["out"][seat]:
        facts.append(f"out of play {view['out'][seat]}")
    return "; ".join(facts)


def _board(view: View, names: Sequence[str]) -> list[str]:
    """One line per region with tokens on it."""
    lines = []
    for name in REGION_NAMES:
        discs = [disc for disc in view["discs"] if disc["at"] == name]
        if discs:
            tokens = ", ".join(f"{names[disc['seat']]} {disc['value'] or '?'}" for disc in discs)
            lines.append(f"On {name}: {tokens}")
    return lines or ["The board is empty"]
