"""Actions and their texts. A throw is a tuple (see board.py); everything else is a small int."""

from __future__ import annotations

import re
from functools import lru_cache

from engine.errors import UnreadableAction
from engine.games.safranito.board import MICRO, SPICES, Throw, millimetres

DISHES = (
    (0, 1, 2), (0, 1, 4), (0, 2, 5), (0, 3, 6), (0, 4, 8), (0, 5, 7),
    (1, 3, 7), (1, 3, 8), (1, 4, 7), (1, 5, 6), (2, 3, 6), (2, 3, 7),
    (2, 4, 6), (2, 5, 8), (3, 4, 5), (4, 6, 8), (5, 7, 8), (6, 7, 8),
)  # fmt: skip
DISH_NAMES = tuple("+".join(SPICES[spice] for spice in dish) for dish in DISHES)

DECLINE, USE, NOTHING, BUY, PASS = range(5)
SELL, KEEP, BOWL, COOK = 10, 20, 30, 40  # plus a number of cards, a spice, a spice, a dish

TEXTS = {
    DECLINE: "decline",
    USE: "use",
    NOTHING: "no",
    BUY: "buy",
    PASS: "pass",
    **{SELL + count: f"sell {count}" for count in range(7)},
    **{KEEP + spice: f"keep {name}" for spice, name in enumerate(SPICES)},
    **{BOWL + spice: f"bowl {name}" for spice, name in enumerate(SPICES)},
    **{COOK + dish: f"cook {name}" for dish, name in enumerate(DISH_NAMES)},
}
_MEANINGS = {text: action for action, text in TEXTS.items()}

_NUMBER = r"(\d{1,3}(?:\.\d{1,3})?)"
_THROW = re.compile(rf"t([1-6]0) (?:u(-?\d{{1,3}}) >{_NUMBER},{_NUMBER} r{_NUMBER}|lost)", re.ASCII)


def notation(action: int | Throw) -> str:
    """The one canonical text of an action."""
    if isinstance(action, int):
        return TEXTS[action]
    return _throw_text(action)


@lru_cache(maxsize=4096)  # the menu's throws at regions come again and again
def _throw_text(throw: Throw) -> str:
    if len(throw) == 1:
        return f"t{throw[0]} lost"
    value, u, x, y, reach = throw
    return f"t{value} u{u} >{millimetres(x)},{millimetres(y)} r{millimetres(reach)}"


def parse(text: str) -> int | Throw:
    """The action a text means; zeros at the end of a decimal do no harm."""
    action = _MEANINGS.get(text)
    if action is not None:
        return action
    read = _THROW.fullmatch(text)
    if read is None:
        raise UnreadableAction(
            f"{text[:60]!r} is no action of Safranito; a throw reads 't30 u-60 >200,320 r300.5'"
        )
    value, u, x, y, reach = read.groups()
    if u is None:
        return (int(value),)
    return int(value), int(u), _micro(x), _micro(y), _micro(reach)


def _micro(decimal: str) -> int:
    whole, _, part = decimal.partition(".")
    return int(whole) * MICRO + int(part.ljust(3, "0"))
