"""What a seat may know of the table.

Secrets: the values of face-down tokens on the board, out of play or in a hand; the cards kept by
the extra spice action, and the cards looked at; reserved dishes; the piles. Whoever put cards
under the draw pile still knows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.game import Seat, View
from engine.games.safranito.actions import DISH_NAMES
from engine.games.safranito.board import REGION_NAMES, SPACES, SPICES
from engine.games.safranito.phases import NO_SPACE
from engine.games.safranito.rules import Rules
from engine.games.safranito.table import IN_MASK, KNOWN_BY, SPICE


def observe(table: Rules, seat: Seat | None, slug: str) -> View:
    """The view of a seat, or of one who sees everything."""
    everyone = range(table.seats)
    seen = everyone if seat is None else (seat,)
    view: View = {
        "game": slug,
        "seats": table.seats,
        "seat": seat,
        "options": dict(table.options),
        "to_act": table.to_act,
        "kind": table.kind,
        "points": [len(dishes) for dishes in table.cooked],
        "round": table.round,
        "phase": phase(table),
        "chef": table.chef,
        "edges": table.edges,
        "turn": table.turn,
        "space": SPACES[table.space] if 0 <= table.space < NO_SPACE else None,
        "bowl": SPICES[table.bowl] if table.kind in ("sell", "buy") else None,
        "price": table.price,
        "sold": [owner for owner in everyone if table.sold >> owner & 1],
        "served": table.served,
        "money": table.money.copy(),
        "display": cards(table.display),
        "discard": cards([table.discard.count(spice) for spice in range(9)]),
        "draw": len(table.draw),
        "under": [
            [at, SPICES[card & SPICE]]
            for at, card in enumerate(reversed(table.draw))
            if seat is not None and card & (KNOWN_BY << seat)
        ],
        "known": [cards(hand) for hand in table.known],
        "secret": [sum(table.hands[s]) - sum(table.known[s]) for s in everyone],
        "dishes": [DISH_NAMES[dish] for dish in table.face_up],
        "dish_pile": len(table.dish_pile),
        "cooked": [[DISH_NAMES[dish] for dish in dishes] for dishes in table.cooked],
        "reserved": [len(dishes) for dishes in table.reserved],
        "back": [list(IN_MASK[mask]) for mask in table.back],
        "out": [mask.bit_count() for mask in table.out],
        "discs": [
            {
                "seat": table.owners[disc],
                "x": table.xs[disc],
                "y": table.ys[disc],
                "at": REGION_NAMES[table.regions[disc]],
                "value": table.values[disc]
                if table.shown[disc] or table.owners[disc] in seen
                else None,
                "shown": table.shown[disc],
            }
            for disc in range(len(table.xs))
        ],
        "looked": len(table.looked),
        "own": _own(table, seat) if seat is not None else [_own(table, s) for s in everyone],
    }
    if seat is None:
        view["piles"] = {
            "draw": [SPICES[card & SPICE] for card in reversed(table.draw)],
            "dishes": [DISH_NAMES[dish] for dish in reversed(table.dish_pile)],
        }
    return view


def _own(table: Rules, seat: Seat) -> dict[str, Any]:
    """What only its owner sees."""
    looking = table.to_act == seat
    return {
        "hand": cards(table.hands[seat]),
        "reserved": [DISH_NAMES[dish] for dish in table.reserved[seat]],
        "tokens": list(IN_MASK[table.holding[seat]]),
        "out": list(IN_MASK[table.out[seat]]),
        "looked": [SPICES[spice] for spice in table.looked] if looking else [],
    }


def phase(table: Rules) -> str:
    """Where in the round the table is."""
    if table.to_act is None:
        return "over"
    if table.space < NO_SPACE:
        return "throws" if table.space < 0 else "spaces"
    return "cooking" if table.kind == "cook" else "market"


def cards(counts: Sequence[int]) -> dict[str, int]:
    """Counts by spice as JSON, without the zeros."""
    return {SPICES[spice]: count for spice, count in enumerate(counts) if count}
