"""A noodle bar in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.games.ramen_ramen.seating import SIDES
from engine.person import says, together


def card(text: str) -> str:
    """nori3 as people say it: Nori 3."""
    return f"{text[:-1].capitalize()} {text[-1]}"


def move(text: str) -> str:
    """An action in words, for `State.phrase`."""
    if ">" not in text:
        return f"<take|takes> {card(text)} from the fridge"
    places = [place.split(">") for place in text.split(" ")]
    return "<put|puts> " + " and ".join(f"{card(name)} into bowl {bowl}" for name, bowl in places)


def story(events: Sequence[dict[str, Any]], names: Sequence[str], made: str) -> list[str]:
    """What happened, a sentence each. Filling the fridge and drawing are left out."""
    lines = [made] if made else []
    for event in events:
        kind = event["event"]
        if kind == "play" and not made:
            lines.append(says(names[event["seat"]], move(" ".join(event["places"]))))
        elif kind == "take" and not made:
            lines.append(says(names[event["seat"]], move(event["card"])))
        elif kind == "serve":
            kinds = len({name[:-1] for name in event["cards"]})
            side = [names[at] for at, s in enumerate(SIDES[len(names)]) if s == event["side"]]
            worth = "1 point" if event["points"] == 1 else f"{event['points']} points"
            bowl = f"Bowl {event['bowl']} is served with {kinds} kind{'s' * (kinds > 1)}"
            lines.append(f"{bowl}: {worth} for {together(side)}")
    return lines
