"""What a seat may know, and the same in words.

Views are of the recall kind: what the table has seen stays in them, so that nobody has to keep
books. Hidden are the other hands (but for cards taken openly from the fridge), the order of the
deck, and the four cards set aside in solo.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.game import Seat, View
from engine.games.ramen_ramen.cards import BOWLS, CARD_NAMES, POINTS_BY_TYPES
from engine.games.ramen_ramen.seating import OWNERS, SIDES

if TYPE_CHECKING:
    from engine.games.ramen_ramen.rules import RamenState

HIDDEN = "?"
OWNERS_BY_BOWL = {seats: dict(zip(BOWLS, owners, strict=True)) for seats, owners in OWNERS.items()}


def observe(state: RamenState, seat: Seat | None) -> View:
    """The table as a seat sees it; None sees all hands, the deck and the cards set aside."""
    sides = SIDES[state.seats]
    shown = state.shown
    known = [[CARD_NAMES[card] for card in hand if shown >> card & 1] for hand in state.hands]
    view: View = {
        "game": "ramen_ramen",
        "seats": state.seats,
        "seat": seat,
        "options": dict(state.options),
        "to_act": state.to_act,
        "kind": state.kind,
        "points": [state.points[side] for side in sides],
        "sides": list(sides),
        "owners": OWNERS_BY_BOWL[state.seats].copy(),
        "bowls": {name: _names(bowl) for name, bowl in zip(BOWLS, state.bowls, strict=True)},
        "fridge": _names(state.fridge),
        "deck": len(state.deck),
        "hands": [
            _names(hand)
            if seat is None or seat == other
            else known[other] + [HIDDEN] * (len(hand) - len(known[other]))
            for other, hand in enumerate(state.hands)
        ],
        "known": known,
        "served": [
            {"side": side, "bowl": BOWLS[bowl], "cards": _names(cards)}
            for side, bowl, cards in state.served
        ],
    }
    if seat is None:
        view["deck_cards"] = _names(state.deck[::-1])
        view["aside"] = _names(state.aside)
    return view


def _names(cards: Sequence[int]) -> list[str]:
    return [CARD_NAMES[card] for card in cards]


def text(view: View, names: Sequence[str]) -> str:
    """The table in lines, as the view shows it."""
    lines = [_headline(view, names)]
    for name, cards in view["bowls"].items():
        owner = "" if view["seats"] in (1, 2) else f", {_owner(view, names, view['owners'][name])}"
        lines.append(f"Bowl {name}: {_contents(cards)}{owner}")
    lines.append(f"Fridge: {' '.join(view['fridge']) or 'empty'}; deck {view['deck']}")
    for seat, cards in enumerate(view["hands"]):
        you = " (you)" if seat == view["seat"] else ""
        known = view["known"][seat]
        seen = f" (seen: {' '.join(known)})" if known and HIDDEN not in cards else ""
        lines.append(f"{names[seat]}{you}: {' '.join(cards) or 'no cards'}{seen}")
    for side in sorted(set(view["sides"])):
        packets = [packet for packet in view["served"] if packet["side"] == side]
        points = view["points"][view["sides"].index(side)]
        bowls = "1 bowl" if len(packets) == 1 else f"{len(packets)} bowls"
        used = sum(len(packet["cards"]) for packet in packets)
        lines.append(f"{_side(view, names, side)}: {points} points, {bowls}, {used} cards")
    return "\n".join(lines)


def _headline(view: View, names: Sequence[str]) -> str:
    if view["to_act"] is None:
        return "Ramen! Ramen! The play is over."
    task = "plays into the bowls" if view["kind"] == "play" else "takes from the fridge"
    return f"Ramen! Ramen! {names[view['to_act']]} {task}."


def _contents(cards: Sequence[str]) -> str:
    if not cards:
        return "empty"
    total = sum(int(card[-1]) for card in cards)
    types = len({card[:-1] for card in cards})
    worth = POINTS_BY_TYPES[types]
    kinds = "1 type" if types == 1 else f"{types} types"
    return f"{' '.join(cards)} (sum {total}, {kinds}, worth {worth})"


def _owner(view: View, names: Sequence[str], side: int | None) -> str:
    return "communal" if side is None else f"for {_side(view, names, side)}"


def _side(view: View, names: Sequence[str], side: int) -> str:
    return names[side] if view["seats"] != 4 else f"Team {'AB'[side]}"
