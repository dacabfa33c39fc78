"""What a seat may know: everything but luck to come, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.game import Seat, View
from engine.games.hot_ramen.dice import letters, stamped_text, table_text
from engine.games.hot_ramen.zones import KINDS, Zones


def observe(zones: Zones, seat: Seat | None) -> View:
    """The table as everyone sees it; pouches are listed by colour, as none has an order."""
    return {
        "game": "hot_ramen",
        "seats": zones.seats,
        "seat": seat,
        "options": dict(zones.options),
        "to_act": zones.to_act,
        "kind": KINDS[zones.phase],
        "points": zones.hp[:],
        "round": zones.round,
        "turn": zones.turn,
        "first": zones.first,
        "players": [_player(zones, place) for place in range(zones.seats)],
        "discards": zones.discards,
        "table": [table_text(die) for die in zones.table],
        "pepper": [stamped_text(die) for die in zones.pepper],
        "money": [stamped_text(die) for die in zones.money],
        "multis": zones.multis,
        "damage": sum(die >> 3 for die in zones.pepper),
        "market": letters(zones.market),
        "jokers": zones.jokers,
        "kitchen": letters(zones.kitchen),
        "removed": letters(zones.removed),
    }


def _player(zones: Zones, seat: Seat) -> dict[str, Any]:
    return {
        "hp": zones.hp[seat],
        "cash": zones.cash[seat],
        "leftover": [stamped_text(die) for die in zones.leftover[seat]],
        "fresh": [stamped_text(die) for die in zones.fresh[seat]],
        "pouch": letters(zones.pouch[seat]),
        "trash": letters(zones.trash[seat]),
        "out": zones.out[seat],
    }


def text(view: View, names: Sequence[str]) -> str:
    """The table in lines, the seat to act marked with an arrow."""
    lines = [f"Round {view['round']}, turn {view['turn']}. {_ask(view, names)}"]
    for place, player in enumerate(view["players"]):
        arrow = ">" if place == view["to_act"] else " "
        if player["out"]:
            lines.append(f"{arrow} {names[place]}: out in turn {player['out']}")
            continue
        lines.append(
            f"{arrow} {names[place]}: {player['hp']} HP, ${player['cash']},"
            f" leftover {_dice(player['leftover'])}, fresh {_dice(player['fresh'])},"
            f" pouch {player['pouch'] or 'none'}, trash {player['trash'] or 'none'}"
        )
    if view["to_act"] is not None:
        multis = f", {view['multis']} used multi dice" if view["multis"] else ""
        lines.append(
            f"Table: {_dice(view['table'])}; pepper {_dice(view['pepper'])}"
            f" (damage {view['damage']}), money {_dice(view['money'])}{multis}"
        )
    lines.append(
        f"Market: {view['market'] or 'none'} and {view['jokers']} jokers;"
        f" kitchen {view['kitchen'] or 'none'}"
    )
    if view["removed"]:
        lines.append(f"Out of the game: {view['removed']}")
    return "\n".join(lines)


def _ask(view: View, names: Sequence[str]) -> str:
    if view["to_act"] is None:
        return "The play is over."
    asked = {
        "leftover": f"discards a leftover die ({view['discards']} to go)",
        "pick": "picks from the rolled dice",
        "next": "rolls again, pays for something or stops",
    }
    return f"{names[view['to_act']]} {asked[view['kind']]}."


def _dice(texts: list[str]) -> str:
    return " ".join(texts) or "none"
