"""What happens around the pot, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.person import says

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
            lines.append(says(who, f"<choose|chooses> {chosen}"))
        elif kind == "reveal":
            recipes = zip(names, event["recipes"], strict=True)
            lines += [
                says(name, f"<show|shows> the recipe {RECIPES[one]}") for name, one in recipes
            ]
        elif kind == "play":
            played = says(who, f"<play|plays> {card(event['card'])}")
            lines = [f"{played}: the pot is at {event['total']}"]
        elif kind == "take":
            taken = says(who, f"<take|takes> all {len(event['cards'])} cards")
            lines.append(f"The pot boils over: {taken}")
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
            dealt = says(names[event["dealer"]], "<deal|deals>")
            lines.append(f"Deal {event['deal']}: {dealt}")
    return lines


def _scored(name: str, score: int, points: int) -> str:
    """What a deal brought and what that makes, since nobody falls below zero."""
    return f"{name} {score:+d} (now {points})".replace("-", "−")
