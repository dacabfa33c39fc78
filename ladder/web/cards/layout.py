"""What a card shows and where: pure, from values to SVG."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from html import escape
from typing import Any

WIDTH, HEIGHT = 1200, 630
MARGIN = 40
# As in variables.css, in its light theme.
PAPER, BAND, INK, QUIET = "#faf5eb", "#f3ebdb", "#2a201a", "#66564a"
LINE, ACCENT = "#e3d7c3", "#a93c1b"
SEATS = ("#a93c1b", "#1f6b63", "#8a6410", "#5c4a94", "#2f639b", "#8c3a6c")
LETTER = 0.56  # mean width of a letter of the font, of its size
LOGO = (
    '<g fill="none" stroke-width="2.6" stroke-linecap="round">'
    '<path stroke="#d99a3f" d="M14 17c-2.2-2.6 2.2-4.4 0-7.4M21.5 16c-2.4-2.8 2.4-4.8 0-8.2"/>'
    f'<path stroke="{INK}" d="M28.5 22 40.2 5.2c1-1.4 3-1.2 3.6.4"/></g>'
    f'<path fill="{ACCENT}"'
    ' d="M4 23h40c0 9.2-5.2 15.6-12.6 18.2V44H16.6v-2.8C9.2 38.6 4 32.2 4 23z"/>'
)


@dataclass(frozen=True, slots=True)
class PlayShown:
    """The play on a card, and after which step; None: at its end."""

    game: str
    digest: str
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a list: a name, and what stands at its end."""

    name: str
    value: str = ""
    seat: int | None = None  # whose colour it has


@dataclass(frozen=True, slots=True)
class Card:
    """All that a card says."""

    title: str
    kicker: str = ""  # above the title: what this is
    lines: tuple[Line, ...] = ()
    words: str = ""  # a sentence below
    play: PlayShown | None = None
    avatar: str = ""  # the name that an avatar is made of

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class TablePicture:
    """A game's table as SVG, and its view box."""

    box: tuple[float, ...]
    svg: str


NEUTRAL = Card(
    title="Ladle",
    words="A ladder and tournaments for bots that play soup-and-spice tabletop games.",
)


def svg(card: Card, table: TablePicture | None, avatar: str = "") -> str:
    """The whole picture."""
    inside = _beside(card, table) if table else _alone(card, avatar)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}" font-family="Figtree" fill="{INK}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>'
        f'<rect y="{HEIGHT - 10}" width="{WIDTH}" height="10" fill="{ACCENT}"/>{inside}</svg>'
    )


def _beside(card: Card, table: TablePicture) -> str:
    """The table to the left, the words in a column beside it."""
    left, top, width, height = table.box
    room_x, room_y = 860, HEIGHT - 10 - 2 * 24
    scale = min(room_x / width, room_y / height)
    x = 24 + (room_x - width * scale) / 2
    y = 24 + (room_y - height * scale) / 2
    column = 24 + room_x + 28
    room = WIDTH - column - 28
    return (
        f'<g transform="translate({x - left * scale:.2f} {y - top * scale:.2f})'
        f' scale({scale:.4f})">{table.svg}</g>'
        f'<g transform="translate({column} 36)">{_brand(42)}</g>'
        + _column(card, column, 128, room, size=34)
    )


def _alone(card: Card, avatar: str) -> str:
    brand = f'<g transform="translate({MARGIN + 20} {MARGIN + 8})">{_brand(64)}</g>'
    left, room = MARGIN + 20, WIDTH - 2 * MARGIN - 40
    if avatar:
        brand += f'<g transform="translate({WIDTH - 420} 150) scale(5.6)">{avatar}</g>'
        room -= 420
    return brand + _column(card, left, 180, room, size=64)


def _brand(size: float) -> str:
    return (
        f'<g transform="scale({size / 48:.3f})">{LOGO}</g>'
        f'<text x="{size * 1.2:.1f}" y="{size * 0.82:.1f}" font-size="{size * 0.72:.1f}"'
        ' font-weight="800">Ladle</text>'
    )


def _column(card: Card, x: float, y: float, room: float, *, size: float) -> str:
    """Kicker, title, lines and words, one below another, as long as there is room."""
    made: list[str] = []
    bottom = HEIGHT - 40

    def put(text: str, high: float, weight: int, colour: str, most: int) -> None:
        nonlocal y
        for line in wrapped(text, room / (LETTER * high), most):
            if y + high > bottom:
                return
            y += high
            made.append(
                f'<text x="{x:.1f}" y="{y:.1f}" font-size="{high:.1f}" font-weight="{weight}"'
                f' fill="{colour}">{_text(line)}</text>'
            )
            y += high * 0.24

    small = size * 0.62
    if card.kicker:
        put(card.kicker, small, 600, QUIET, 2)
    put(card.title, size, 800, INK, 3)
    y += small * 0.7
    for line in card.lines:
        if y + small > bottom:
            break
        made.append(_row(line, x, y, room, small))
        y += small * 1.5
    if card.words:
        y += small * 0.3
        put(card.words, small, 500, QUIET, 4)
    return "".join(made)


def _row(line: Line, x: float, y: float, room: float, high: float) -> str:
    dot = ""
    indent = 0.0
    if line.seat is not None:
        indent = high * 0.8
        colour = SEATS[line.seat % len(SEATS)]
        radius = high * 0.28
        dot = (
            f'<circle cx="{x + radius:.1f}" cy="{y + high * 0.66:.1f}" r="{radius:.1f}"'
            f' fill="{colour}"/>'
        )
    letters = (room - indent) / (LETTER * high) - len(line.value) - 1
    return (
        f'{dot}<text x="{x + indent:.1f}" y="{y + high:.1f}" font-size="{high:.1f}"'
        f' font-weight="600">{_text(cut(line.name, letters))}</text>'
        f'<text x="{x + room:.1f}" y="{y + high:.1f}" font-size="{high:.1f}" font-weight="700"'
        f' text-anchor="end">{_text(line.value)}</text>'
    )


def wrapped(text: str, letters: float, most: int) -> list[str]:
    """Lines of at most this many letters; what does not fit is cut off with dots."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) <= letters or not lines[-1]:
            lines[-1] = cut(longer, letters)
        else:
            lines.append(cut(word, letters))
    if len(lines) > most:
        lines = [*lines[: most - 1], cut(f"{lines[most - 1]} …", letters)]
    return lines


def cut(text: str, letters: float) -> str:
    most = max(2, int(letters))
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _text(text: str) -> str:
    """As XML can hold it."""
    return escape("".join(sign for sign in text if sign.isprintable()))
