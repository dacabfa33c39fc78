"""The dice: colours, faces, and the small ints that stand for them.

A die is `number << 3 | colour`. On the Table the number is a face (0 = not rolled yet); in the
Pepper, Ramen and Money zones it is the value the die was stamped with. In pouches, the Kitchen
and the Marketplace only the colour matters, so there a die is its colour alone.
Dice of equal ints are interchangeable, and every zone lists them in ascending order.
"""

from __future__ import annotations

FACES = {
    "W": ("R1", "R1", "M1", "-", "-", "-"),
    "G": ("R1", "R1", "R1", "P1", "M1", "-"),
    "Y": ("M1", "M1", "M1", "M2", "P1", "-"),
    "R": ("P1", "P2", "P2", "P2", "P3", "-"),
    "B": ("R1", "R1", "R2", "R2", "M1", "-"),
    "O": ("P1", "P2", "P3", "P3", "M1", "-"),
    "J": ("J", "J", "J", "X2", "X2", "X3"),
}
START = "WWWWWWGGYR"  # each seat's pouch
KITCHEN = "GGYYYRRRBBOO"  # per seat, in the common pouch
FIRST_ROLL = "GGYR"  # rolled to see who starts

COLOURS = "".join(FACES)
JOKER = COLOURS.index("J")
FACE_NAMES = ("?", "-", "P1", "P2", "P3", "R1", "R2", "M1", "M2", "J", "X2", "X3")
WILD, DOUBLE, TRIPLE = (FACE_NAMES.index(name) for name in ("J", "X2", "X3"))

SYMBOLS = "PRM"
PEPPER, RAMEN, MONEY = range(3)
NO_SYMBOL = 3

# By face: which symbol it shows, and how many of it.
SYMBOL = tuple(SYMBOLS.index(name[0]) if name[0] in SYMBOLS else NO_SYMBOL for name in FACE_NAMES)
COUNT = tuple(
    int(name[1]) if symbol < NO_SYMBOL else 0
    for name, symbol in zip(FACE_NAMES, SYMBOL, strict=True)
)
# By colour and number rolled: the die on the Table.
ROLLED = tuple(
    tuple(FACE_NAMES.index(face) << 3 | colour for face in FACES[letter])
    for colour, letter in enumerate(COLOURS)
)

LETTERS = COLOURS.encode().ljust(256)  # by colour

MAX_VALUE = 63  # far above the highest stamp, two ramen times five tripled jokers


def colours(letters: str) -> list[int]:
    """Dice given by their colour letters."""
    return [COLOURS.index(letter) for letter in letters]


def letters(dice: list[int]) -> str:
    """Dice that are colours alone, as letters in the order of the colours."""
    return bytes(sorted(dice)).translate(LETTERS).decode()


def table_text(die: int) -> str:
    """A die on the Table: "W:R1", or "W" while it waits for a roll."""
    face = die >> 3
    return f"{COLOURS[die & 7]}:{FACE_NAMES[face]}" if face else COLOURS[die & 7]


def stamped_text(die: int) -> str:
    """A die in a Pepper, Ramen or Money zone, with its value: "B:4"."""
    return f"{COLOURS[die & 7]}:{die >> 3}"


def read_table(text: str) -> int:
    """The die of a `table_text`; ValueError when it is none."""
    colour, _, face = text.partition(":")
    die = FACE_NAMES.index(face or "?") << 3 | COLOURS.index(colour)
    if len(colour) != 1 or (face and die not in ROLLED[die & 7]):
        raise ValueError(text)
    return die


def read_stamped(text: str) -> int:
    """The die of a `stamped_text`; ValueError when it is none."""
    colour, _, value = text.partition(":")
    if len(colour) != 1 or not value.isdecimal() or not 0 < int(value) <= MAX_VALUE:
        raise ValueError(text)
    return int(value) << 3 | COLOURS.index(colour)
