"""The 56 ingredient cards and the tables that make play quick.

A card is an int, `type * 8 + value`; a bowl is 0, 1 or 2, written A, B, C.
"""

from __future__ import annotations

from collections.abc import Iterable

TYPES = ("ajitama", "chashu", "kamaboko", "menma", "negi", "nori", "shiitake")
BOWLS = "ABC"
CARDS = 56

CARD_NAMES = tuple(f"{name}{value}" for name in TYPES for value in range(8))
CARD_BY_NAME = {name: card for card, name in enumerate(CARD_NAMES)}
VALUE = tuple(card & 7 for card in range(CARDS))
TYPE_BIT = tuple(1 << (card >> 3) for card in range(CARDS))

FULL = 14  # a bowl of this sum is served
ALL_TYPES = 0b1111111  # and so is one with every type
POINTS_BY_TYPES = (0, 0, 1, 2, 3, 5, 7, 10)
POINTS_BY_MASK = tuple(POINTS_BY_TYPES[mask.bit_count()] for mask in range(128))


def types_of(cards: Iterable[int]) -> int:
    """The types among some cards, as bits."""
    mask = 0
    for card in cards:
        mask |= TYPE_BIT[card]
    return mask


# Where one card can go, "nori3>A" and so on, by card and bowl.
PLACED = tuple(tuple(f"{name}>{bowl}" for bowl in BOWLS) for name in CARD_NAMES)
PLACE_BY_NAME = {
    text: (card, bowl) for card, texts in enumerate(PLACED) for bowl, text in enumerate(texts)
}

Action = int | tuple[int, ...]


class _Texts(dict[Action, str]):
    """Actions in notation, each written once: the list of a decision has up to 36 of them."""

    def __missing__(self, action: Action) -> str:
        if isinstance(action, int):
            text = CARD_NAMES[action]
        elif len(action) == 2:
            text = PLACED[action[0]][action[1]]
        else:
            card, bowl, second, other = action
            text = f"{PLACED[card][bowl]} {PLACED[second][other]}"
        self[action] = text
        return text


TEXTS = _Texts()

# What can be done with the last card of a hand: (card, bowl).
SINGLES = tuple(tuple((card, bowl) for bowl in range(3)) for card in range(CARDS))

Play = tuple[int, int, int, int]


def _plays(one: int, two: int) -> tuple[Play, ...]:
    """The six ways to put two cards into two bowls: (card, bowl, card, bowl), bowls in order."""
    return tuple(
        (first, bowl, second, other)
        for first, second in ((one, two), (two, one))
        for bowl, other in ((0, 1), (0, 2), (1, 2))
    )


# By two cards, the lower first; the list of a hand is put together from these ready tuples.
PAIRS = tuple(
    tuple(_plays(one, two) if one < two else () for two in range(CARDS)) for one in range(CARDS)
)

# Every placing there is, by itself: what a stranger hands in is looked up here, so that only
# our own well-formed ints get into a state.
PLACINGS: dict[tuple[int, ...], tuple[int, ...]] = {
    action: action for row in PAIRS for pair in row for action in pair
} | {action: action for single in SINGLES for action in single}
