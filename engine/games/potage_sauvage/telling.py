"""What happens around the pot, in words."""

from __future__ import annotations

from collections.abc import Sequence
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
    """An action in words, for `State.phrase`."""
    return f"<choose|chooses> {RECIPES[text]}" if len(text) == 1 else f"<play|plays> {card(text)}"


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
            lines = [f"{who} plays {card(event['card'])}: the pot is at {event['total']}"]
        elif kind == "take":
            lines.append(f"The pot boils over: {who} takes all {len(event['cards'])} cards")
        elif kind == "score":
            if left := len(event["left_in_pot"]):
                cards = "1 card" if left == 1 else f"{left} cards"
                lines.append(f"Nobody takes the {cards} left in the pot")
            results = zip(names, event["scores"], event["points"], strict=True)
            scored = [_scored(name, score, points) for name, score, points in results]
            # Two of them to a line, which fits a small screen.
            pairs = [", ".join(scored[at : at + 2]) for at in range(0, len(scored), 2)]
            lines += [f"Deal {event['deal']} is scored: {pairs[0]}", *pairs[1:]]
        elif kind == "deal":
            lines.append(f"Deal {event['deal']}: {names[event['dealer']]} deals")
    return lines


def _scored(name: str, score: int, points: int) -> str:
    """What a deal brought and what that makes, since nobody falls below zero."""
    return f"{name} {score:+d} (now {points})".replace("-", "−")
