"""What a seat may know, as JSON, and the same in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.game import Seat, View
from engine.games.potage_sauvage.cards import NONE, RECIPES, SUITS, bits, texts

if TYPE_CHECKING:
    from engine.games.potage_sauvage.rules import PotageState

HIDDEN = "?"  # a recipe that is chosen but not yet revealed


def observe(state: PotageState, seat: Seat | None) -> View:
    """The view of a seat; None sees all hands, the cards set aside and the secret recipes."""
    seats = range(state.seats)
    view: View = {
        "game": "potage_sauvage",
        "seats": state.seats,
        "seat": seat,
        "options": dict(state.options),
        "to_act": state.to_act,
        "kind": state.kind,
        "points": state.points.copy(),
        "deal": state.deal,
        "dealer": state.dealer,
        "recipes": [_recipe(state, other, seat) for other in seats],
        "unused": [_letters(state.unused[other], RECIPES) for other in seats],
        "hand_sizes": [state.hand_size(other) for other in seats],
        "pot": texts(state.pot),
        "leader": state.leader,
        "total": state.total,
        "demand": None if state.demand == NONE else SUITS[state.demand],
        "piles": [texts(pile) for pile in state.piles],
        "voids": [_letters(state.voids[other], SUITS) for other in seats],
        "aside_size": len(state.aside),
        "served": [[[RECIPES[recipe], gained] for recipe, gained in deal] for deal in state.served],
    }
    if seat is None:
        view["hands"] = [texts(state.hand(other)) for other in seats]
        view["aside"] = texts(state.aside)
    else:
        view["hand"] = texts(state.hand(seat))
    return view


def _recipe(state: PotageState, owner: Seat, viewer: Seat | None) -> str | None:
    recipe = state.chosen[owner]
    if recipe < 0:
        return None
    if not state.waiting or viewer in (None, owner) or state.options["open_recipes"]:
        return RECIPES[recipe]
    return HIDDEN


def _letters(mask: int, alphabet: str) -> str:
    return "".join(alphabet[at] for at in bits(mask))


def text(view: View, names: Sequence[str]) -> str:
    """The view in plain words, one line per thing on the table and one per seat."""
    state = (
        "over" if view["to_act"] is None else f"{names[view['to_act']]} to choose a {view['kind']}"
    )
    pot = " ".join(view["pot"]) or "empty"
    demand = "any card" if view["demand"] is None else f"{view['demand']} demanded"
    lines = [
        f"Deal {view['deal']} of 5, dealer {names[view['dealer']]}: {state}",
        f"Pot: {pot} (total {view['total']}, {demand}, led by {names[view['leader']]})",
    ]
    for seat in range(view["seats"]):
        pile = view["piles"][seat]
        held = view["hand_sizes"][seat]
        voids = f", no {' '.join(view['voids'][seat])}" if view["voids"][seat] else ""
        lines.append(
            f"{names[seat]}: {view['points'][seat]} points, recipe {view['recipes'][seat] or '-'}"
            f" of {view['unused'][seat] or '-'}, {held} card{'' if held == 1 else 's'}{voids},"
            f" pile {len(pile)}{': ' + ' '.join(pile) if pile else ''}"
        )
    if view["seat"] is None:
        for seat, hand in enumerate(view["hands"]):
            lines.append(f"Hand of {names[seat]}: {' '.join(hand) or '-'}")
        lines.append(f"Set aside: {' '.join(view['aside']) or '-'}")
    else:
        lines.append(f"Your hand ({names[view['seat']]}): {' '.join(view['hand']) or '-'}")
        lines.append(f"Set aside unseen: {view['aside_size']} cards")
    for number, deal in enumerate(view["served"], start=1):
        scores = ", ".join(
            f"{name} {recipe} {gained:+d}"
            for name, (recipe, gained) in zip(names, deal, strict=True)
        )
        lines.append(f"Served in deal {number}: {scores}")
    return "\n".join(lines)
