"""The cards and recipes as small ints, and their texts.

A card is `suit * 8 + rank`, so two equal cards (two I3) are one int: they are interchangeable.
Suits are I, V, F, T; ranks are R (reset), H (herb), 1 to 5, 10. A recipe is 32 and up, so one int
says which kind of action it is.
"""

from __future__ import annotations

from collections.abc import Iterable

SUITS = "IVFT"
RANKS = ("R", "H", "1", "2", "3", "4", "5", "10")
RESET, HERB, TEN = 0, 1, 7  # ranks with a rule of their own
TRASH = 3
NONE = 3  # no suit demanded; the number of trash, because leading trash demands nothing

RECIPES = "IVFTW"
FIRST_RECIPE = 32

DEALS = 5
START_POINTS = 5
BOIL = 10  # the pot is taken at this total
WATER_POINTS = 5

CARDS = tuple(
    suit * 8 + rank
    for suit in range(4)
    for rank in range(8)
    if suit != TRASH or rank not in (RESET, HERB, TEN)
)
# The deck in order: what the numbers of a recorded shuffle mean.
DECK = tuple(card for card in CARDS for _ in range(1 if card % 8 in (RESET, TEN) else 2))

TEXT = {card: SUITS[card >> 3] + RANKS[card & 7] for card in CARDS}
CARD = {text: card for card, text in TEXT.items()}
RECIPE_TEXT = {FIRST_RECIPE + at: text for at, text in enumerate(RECIPES)}

VALUE = tuple((0, 0, 1, 2, 3, 4, 5, 10)[card & 7] for card in range(32))
LEAD_VALUE = tuple(0 if card & 7 == TEN else VALUE[card] for card in range(32))


def bits(mask: int) -> tuple[int, ...]:
    """The numbers of the set bits, lowest first."""
    return tuple(at for at in range(mask.bit_length()) if mask >> at & 1)


# A hand is a 32-bit mask, a byte per suit; its cards are looked up byte by byte.
CARDS_OF_BYTE = tuple(
    tuple(tuple(suit * 8 + rank for rank in bits(byte)) for byte in range(256)) for suit in range(4)
)
RECIPES_OF_MASK = tuple(tuple(FIRST_RECIPE + at for at in bits(mask)) for mask in range(32))


def texts(cards: Iterable[int]) -> list[str]:
    """The cards in notation."""
    return [TEXT[card] for card in cards]


def score(pile: Iterable[int], recipe: int, *, reset_costs: bool = False) -> int:
    """What a pile of taken cards is worth under a recipe (0-based: I, V, F, T, W)."""
    cards = list(pile)
    if recipe == RECIPES.index("W"):
        return WATER_POINTS - len(cards)
    trash = sum(card >> 3 == TRASH for card in cards)
    if recipe == TRASH:
        herbs = sum(card & 7 == HERB for card in cards)
        resets = sum(card & 7 == RESET for card in cards) if reset_costs else 0
        return trash - herbs - resets
    return sum(card >> 3 == recipe for card in cards) - trash
