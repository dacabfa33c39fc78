"""Actions as ints, and their one text form.

An action is `verb << 12 | payload`. The payload of `pick` and `wild` is the symbol and how many
wild, double and triple dice go with it; of `discard` and `reroll` a die; of `trash` a zone and a
die; of `buy` a colour. Equal dice give one action, however many of them there are.
Legal actions are listed in ascending order, so the verbs stand in the order of VERBS.
"""

from __future__ import annotations

from functools import cache

from engine.errors import UnreadableAction
from engine.games.hot_ramen.dice import (
    COLOURS,
    JOKER,
    SYMBOLS,
    read_stamped,
    read_table,
    stamped_text,
    table_text,
)

VERBS = (
    "pick",  # all dice of a symbol, with any jokers
    "wild",  # only jokers, as a symbol
    "discard",  # a Leftover die, as the turn begins
    "stop",
    "roll",
    "buy",
    "trash",
    "draw",
    "reroll",
    "heal",
    "recycle",
    "joker",
)
PICK, PICK_WILD, DISCARD, STOP, ROLL, BUY, TRASH, DRAW, REROLL, HEAL, RECYCLE, BUY_JOKER = (
    index << 12 for index in range(len(VERBS))
)
PLAIN = (STOP, ROLL, DRAW, HEAL, RECYCLE, BUY_JOKER)  # actions without a payload

ZONES = ("leftover", "fresh", "pepper", "money", "table", "trash")
TABLE, OWN_TRASH = ZONES.index("table"), ZONES.index("trash")

MAX_JOKERS = 7  # what three bits hold; a play has at most six


def boost(wilds: int, doubles: int, triples: int) -> int:
    """The jokers of a pick, as part of its payload."""
    return wilds << 6 | doubles << 3 | triples


@cache
def boosts(wilds: int, doubles: int, triples: int, at_least: int) -> tuple[int, ...]:
    """All choices among these joker dice that use `at_least` wild ones or more, fewest first."""
    return tuple(
        boost(w, x2, x3)
        for w in range(at_least, wilds + 1)
        for x2 in range(doubles + 1)
        for x3 in range(triples + 1)
    )


@cache
def notation(action: int) -> str:
    """The text of an action."""
    verb, payload = VERBS[action >> 12], action & 0xFFF
    base = action - payload
    if base in (PICK, PICK_WILD):
        jokers = ["J"] * (payload >> 6 & 7) + ["X2"] * (payload >> 3 & 7) + ["X3"] * (payload & 7)
        return " ".join([verb, SYMBOLS[payload >> 9], *jokers])
    if base == DISCARD:
        return f"{verb} {stamped_text(payload)}"
    if base == BUY:
        return f"{verb} {COLOURS[payload]}"
    if base == TRASH:
        zone, die = payload >> 9, payload & 0x1FF
        text = table_text(die) if zone >= TABLE else stamped_text(die)
        return f"{verb} {ZONES[zone]} {text}"
    if base == REROLL:
        return f"{verb} {table_text(payload)}"
    return verb


def parse(text: str) -> int:
    """The action of a text; UnreadableAction when it is none."""
    try:
        verb, *words = text.split(" ")
        action = VERBS.index(verb) << 12
        if action in (PICK, PICK_WILD):
            jokers = [words.count(name) for name in ("J", "X2", "X3")]
            if max(jokers) <= MAX_JOKERS:
                action |= SYMBOLS.index(words[0]) << 9 | boost(*jokers)
        elif action == DISCARD:
            action |= read_stamped(words[0])
        elif action == BUY:
            action |= COLOURS.index(words[0], 0, JOKER)
        elif action == TRASH:
            zone = ZONES.index(words[0])
            read = read_table if zone >= TABLE else read_stamped
            action |= zone << 9 | read(words[1])
        elif action == REROLL:
            action |= read_table(words[0])
        if notation(action) == text:
            return action
    except (AttributeError, IndexError, ValueError):
        pass
    raise UnreadableAction(f"{text!r} is not an action of Hot Ramen; RULES.md has a table of them")
