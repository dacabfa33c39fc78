"""What a seat may know, as JSON, and the same in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from engine.game import Seat, View
from engine.games.potage_sauvage import telling
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


@cache
def _letters(mask: int, alphabet: str) -> str:
    return "".join(alphabet[at] for at in bits(mask))


def text(view: View, names: Sequence[str]) -> str:
    """The view in plain words, one line per thing on the table and one per seat."""
    state = (
        "over" if view["to_act"] is None else f"{names[view['to_act']]} to choose a {view['kind']}"
    )
    demand = "any card" if view["demand"] is None else f"{telling.SUITS[view['demand']]} demanded"
    lines = [
        f"Deal {view['deal']} of 5, dealer {names[view['dealer']]}: {state}",
        f"Pot: {', '.join(map(telling.card, view['pot'])) or 'empty'}"
        f" (total {view['total']}, {demand}, led by {names[view['leader']]})",
    ]
    for seat in range(view["seats"]):
        pile = view["piles"][seat]
        held = view["hand_sizes"][seat]
        voids = _named(view["voids"][seat])
        lines.append(
            f"{names[seat]}: {view['points'][seat]} points, recipe {_recipe_name(view, seat)},"
            f" {held} card{'' if held == 1 else 's'}{', no ' + voids if voids else ''},"
            f" pile {len(pile)}{': ' + _cards(pile) if pile else ''}"
        )
    if view["seat"] is None:
        for seat, hand in enumerate(view["hands"]):
            lines.append(f"Hand of {names[seat]}: {_cards(hand) or 'empty'}")
        lines.append(f"Set aside: {_cards(view['aside']) or 'nothing'}")
    else:
        lines.append(f"Your hand ({names[view['seat']]}): {_cards(view['hand']) or 'empty'}")
        lines.append(f"Set aside unseen: {view['aside_size']} cards")
    for number, deal in enumerate(view["served"], start=1):
        scores = ", ".join(
            f"{name} {telling.RECIPES[recipe]} {gained:+d}"
            for name, (recipe, gained) in zip(names, deal, strict=True)
        )
        lines.append(f"Served in deal {number}: {scores}")
    return "\n".join(lines)


def _recipe_name(view: View, seat: Seat) -> str:
    """The recipe of a seat, or the ones it may still choose from."""
    chosen, unused = view["recipes"][seat], _named(view["unused"][seat])
    if chosen == HIDDEN:
        return f"chosen in secret of {unused}" if unused else "chosen in secret"
    if chosen is not None:
        return telling.RECIPES[chosen]
    return f"one of {unused}" if unused else "none"


def _named(letters: str) -> str:
    return ", ".join(telling.RECIPES[letter] for letter in letters)


def _cards(cards: Sequence[str]) -> str:
    """Cards in any order, by suit: insects 1, 2, herb; trash 4."""
    groups = []
    for letter in SUITS:
        ranks = [telling.rank(card) for card in cards if card[0] == letter]
        if ranks:
            groups.append(f"{telling.RECIPES[letter]} {', '.join(ranks)}")
    return "; ".join(groups)
