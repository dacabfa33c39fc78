"""What happens at the market, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine.games.safranito.board import CENTRES, MICRO, REGION_NAMES, SPICES, region
from engine.person import says, whose

if TYPE_CHECKING:
    from engine.games.safranito.rules import Rules

NEAR = 20 * MICRO  # an aim this near to a disc is at that disc


USES = {
    "extra throw": "<throw|throws> once more",
    "extra spice": "<look|looks> for extra spices",
    "reserve": "<reserve|reserves> a dish from the pile",
    "chef": "<take|takes> the chef's mill",
}


def region_words(name: str) -> str:
    """A bowl by its spice, a space by what it is for."""
    return name if name in SPICES else f"the {name} space"


def move(table: Rules, action: Any) -> str:
    """An action in words, for `State.phrase`."""
    if isinstance(action, tuple):
        if len(action) == 1:
            return f"<give|gives> up the {action[0]}: no launch point is free"
        return f"<throw|throws> the {action[0]} {_target(table, action)}"
    verb, _, rest = table.notation(action).partition(" ")
    if verb in ("use", "decline"):
        space = REGION_NAMES[9 + table.space]
        if space == "reserve" and not table.dish_pile and verb == "use":
            return f"<use|uses> {region_words(space)}"
        if space == "chef" and table.chef == table.to_act and verb == "use":
            return "<keep|keeps> the chef's mill"
        return USES[space] if verb == "use" else f"<do|does> not use {region_words(space)}"
    spice = SPICES[table.bowl]
    if verb == "sell":
        return (
            f"<sell|sells> no {spice}"
            if rest == "0"
            else f"<sell|sells> {rest} {spice} at {table.price}"
        )
    return {
        "keep": f"<keep|keeps> {rest}",
        "bowl": f"<open|opens> the {rest} bowl",
        "buy": f"<buy|buys> {spice}",
        "no": f"<do|does> not buy {spice}",
        "cook": f"<cook|cooks> {rest.replace('+', ', ')}",
        "pass": "<cook|cooks> nothing",
    }[verb]


def _target(table: Rules, throw: Sequence[int]) -> str:
    _, _, x, y, _ = throw
    for at, (cx, cy) in enumerate(CENTRES):
        if (x, y) == (cx * MICRO, cy * MICRO):
            return f"at {region_words(REGION_NAMES[at])}"
    for disc_x, disc_y, owner in zip(table.xs, table.ys, table.owners, strict=True):
        if abs(disc_x * MICRO - x) < NEAR and abs(disc_y * MICRO - y) < NEAR:
            return "at <your|its> own disc" if owner == table.to_act else "at a rival's disc"
    at = region(x / MICRO, y / MICRO)
    return "between the bowls" if at < 0 else f"at {region_words(REGION_NAMES[at])}"


def story(events: Sequence[dict[str, Any]], names: Sequence[str], made: str) -> list[str]:
    """What happened, a sentence each."""
    lines = [made] if made else []
    kinds = {event["event"] for event in events}
    slides = [event for event in events if event["event"] == "slide"]
    if slides:
        lines = _landing(slides, names, made)
    for event in events:
        who = names[event["seat"]] if "seat" in event else ""
        match event["event"]:
            case "lost" if not made:
                lines.append(says(who, "<find|finds> no place to launch from"))
            case "space":
                lines.append(says(who, f"<win|wins> {region_words(event['space'])}"))
            case "use" if not made and "no dishes" in kinds:
                lines.append(says(who, f"<use|uses> {region_words(event['space'])}"))
            case "use" if not made:
                lines.append(says(who, USES[event["space"]]))
            case "decline" if not made:
                lines.append(says(who, f"<do|does> not use {region_words(event['space'])}"))
            case "look" if not event["cards"]:
                lines.append("No spices are left to look at")
            case "look":
                cards = "1 card" if event["cards"] == 1 else f"{event['cards']} cards"
                lines.append(says(who, f"<look|looks> at {cards}"))
            case "no dishes":
                lines.append("No dishes are left to reserve")
            case "bowl":
                opened = made or f"The {event['spice']} bowl opens"
                lines = [f"{opened} at a price of {event['price']}"]
            case "sell":
                sold = f"<sell|sells> {event['cards']} {event['spice']} for {event['earned']}"
                lines = [says(who, sold)]
            case "buy":
                lines = [says(who, f"<buy|buys> {event['spice']} for {event['paid']}")]
            case "no deal" if not made:
                lines.append(says(who, f"<do|does> not buy {event['spice']}"))
            case "too dear":
                lines.append(says(who, f"cannot pay {event['sum']} for {event['spice']}"))
            case "cook" if not made:
                lines.append(says(who, f"<cook|cooks> {event['dish'].replace('+', ', ')}"))
            case "round":
                new = ", ".join(event["spices"]) or "nothing"
                lines.append(says(names[event["chef"]], "<are|is> chef"))
                lines.append(f"New in round {event['round']}: {new}")
            case "refill":
                lines.append("The spices are shuffled again")
    return lines


def _landing(slides: Sequence[dict[str, Any]], names: Sequence[str], made: str) -> list[str]:
    """Where the thrown disc lies, then only the discs that came to another region."""
    thrown, *pushed = slides  # the thrown one comes first
    at = thrown["at"]
    if at == "out":
        lies = "hops over the rim"
    elif at == "nowhere":
        lies = "lies between the bowls"
    elif made.endswith(f"at {region_words(at)}"):
        lies = "lies there"
    else:
        lies = f"lies {'in' if at in SPICES else 'on'} {region_words(at)}"
    lines = [f"{made}: it {lies}" if made else f"{whose(names[thrown['seat']])} disc {lies}"]
    knocked = []
    for slide in pushed:
        at, left = slide["at"], slide["was"]
        if at != left:
            to = {"out": "over the rim", "nowhere": f"off {region_words(left)}"}
            where = to.get(at) or f"onto {region_words(at)}"
            knocked.append(f"{whose(names[slide['seat']])} disc is knocked {where}")
    return lines + knocked
