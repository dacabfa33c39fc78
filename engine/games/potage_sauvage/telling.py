"""What happens around the pot, in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

RECIPES = {"I": "insects", "V": "vegetables", "F": "fruits", "T": "trash", "W": "water"}
SUITS = {"I": "insect", "V": "vegetable", "F": "fruit", "T": "trash"}
RANKS = {"R": "reset", "H": "herb"}


def card(text: str) -> str:
    """FH as people say it: fruit herb."""
    return f"{SUITS[text[0]]} {rank(text)}"


def rank(text: str) -> str:
    return RANKS.get(text[1:], text[1:])


def move(text: str) -> str:
    """An action as people say it after a name."""
    return f"chooses {RECIPES[text]}" if len(text) == 1 else f"plays {card(text)}"


def story(events: Sequence[dict[str, Any]], names: Sequence[str], made: str) -> list[str]:
    """What happened, a sentence each."""
    lines = [made] if made else []
    for event in events:
        who = names[event["seat"]] if "seat" in event else ""
        kind = event["event"]
        if kind == "choose" and not made:
            chosen = RECIPES[event["recipe"]] if "recipe" in event else "a recipe in secret"
            lines.append(f"{who} chooses {chosen}")
        elif kind == "reveal":
            recipes = zip(names, event["recipes"], strict=True)
            lines += [f"{name} shows the recipe {RECIPES[recipe]}" for name, recipe in recipes]
        elif kind == "play":
            lines = [f"{who} plays {card(event['card'])}: the pot stands at {event['total']}"]
        elif kind == "take":
            lines.append(f"The pot boils over: {who} takes all {len(event['cards'])} cards")
        elif kind == "score":
            scores = _each(names, event["scores"], lambda one: f"{one:+d}".replace("-", "−"))
            lines.append(f"Deal {event['deal']} is served: {scores}")
        elif kind == "deal":
            lines.append(f"Deal {event['deal']}: {names[event['dealer']]} deals")
    return lines


def _each(names: Sequence[str], values: Sequence[Any], say: Callable[[Any], str]) -> str:
    return ", ".join(f"{name} {say(value)}" for name, value in zip(names, values, strict=True))
