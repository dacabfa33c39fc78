"""The board in millimetres, origin in the south-west: regions, edges, throws and their aim error.

A throw is a tuple of ints `(value, u, aim_x, aim_y, reach)`: the token's value, the launch point
along the thrower's own edge in millimetres, and the aim and the reach in thousandths of a
millimetre, the grid on which discs come to rest. `(value,)` gives up a token where the whole edge
is blocked.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import sqrt

from engine.games.safranito.physics import HIGH, LOW, SLOWING, TOUCH, Floats, Path, slide

SPICES = ("curry", "ginger", "cardamom", "chilli", "garlic", "mint", "cumin", "saffron", "cinnamon")
SPACES = ("extra throw", "extra spice", "reserve", "chef")
VALUES = (10, 20, 30, 40, 50, 60)
SIZE = 400
BOWL_RADIUS, SPACE_RADIUS, HOLE_RADIUS = 50, 24, 5
CENTRES = (
    *((x, y) for y in (320, 200, 80) for x in (80, 200, 320)),  # bowls 0..8, spice by spice
    *((140, 260), (260, 260), (140, 140), (260, 140)),  # action spaces: regions 9..12
)
NOWHERE = -1
FIRST_SPACE = 9
EDGES = {2: "SN", 3: "SWN", 4: "SWNE"}  # clockwise, from the one who sits in the south
REGION_NAMES = (*SPICES, *SPACES, "nowhere")  # NOWHERE is -1, the last one

MICRO = 1000  # aim and reach count thousandths of a millimetre
MAX_U = 180
MAX_REACH = 900
MENU_U = (-120, -60, 0, 60, 120)
PAST_TOKEN = 100  # how far beyond a token the menu's throws at it would slide

Throw = tuple[int, ...]
Launch = tuple[int, int, int, int]  # a throw without its token

_BOWL2 = (BOWL_RADIUS + HOLE_RADIUS) ** 2
_SPACE2 = (SPACE_RADIUS + HOLE_RADIUS) ** 2


def region(x: float, y: float) -> int:
    """The region that shows through the hole of a disc lying there: 0..12, or NOWHERE."""
    column = 0 if x < 140 else 1 if x < 260 else 2
    row = 0 if y > 260 else 1 if y > 140 else 2
    at = row * 3 + column
    dx, dy = x - CENTRES[at][0], y - CENTRES[at][1]
    if dx * dx + dy * dy <= _BOWL2:
        return at
    at = FIRST_SPACE + (x >= 200) + 2 * (y < 200)
    dx, dy = x - CENTRES[at][0], y - CENTRES[at][1]
    return at if dx * dx + dy * dy <= _SPACE2 else NOWHERE


def edges(seats: int, south: int) -> str:
    """The edge of each seat, in order of seats, when that one sits in the south."""
    return "".join(EDGES[seats][(seat - south) % seats] for seat in range(seats))


def start(side: str, u: int) -> tuple[float, float]:
    """Where a disc launched at u begins."""
    if side == "S":
        return 200.0 + u, LOW
    if side == "W":
        return LOW, 200.0 - u
    if side == "N":
        return 200.0 - u, HIGH
    return HIGH, 200.0 + u


def aim_box(side: str) -> tuple[int, int, int, int]:
    """The least and greatest x, then y, that can be aimed at: nothing behind the launch line."""
    low, high = int(LOW), int(HIGH)
    return {
        "S": (0, SIZE, low, SIZE),
        "W": (low, SIZE, 0, SIZE),
        "N": (0, SIZE, 0, high),
        "E": (0, high, 0, SIZE),
    }[side]


def is_free(side: str, u: int, xs: Sequence[float], ys: Sequence[float]) -> bool:
    """Whether a disc at this launch point overlaps no lying disc."""
    x, y = start(side, u)
    for at, other_x in enumerate(xs):
        dx, dy = other_x - x, ys[at] - y
        if dx * dx + dy * dy < TOUCH * TOUCH:
            return False
    return True


def free_spans(side: str, xs: Sequence[float], ys: Sequence[float]) -> list[list[int]]:
    """The free launch points, as [first, last] spans of u in rising order."""
    blocked = bytearray(2 * MAX_U + 1)
    for x, y in zip(xs, ys, strict=True):
        u, off = _along(side, x, y)
        if off < TOUCH:
            middle, half = round(u), int(sqrt(TOUCH * TOUCH - off * off)) + 1
            for near in range(max(-MAX_U, middle - half), min(MAX_U, middle + half) + 1):
                if not is_free(side, near, (x,), (y,)):
                    blocked[near + MAX_U] = 1
    spans: list[list[int]] = []
    for u in range(-MAX_U, MAX_U + 1):
        if not blocked[u + MAX_U]:
            if spans and spans[-1][1] == u - 1:
                spans[-1][1] = u
            else:
                spans.append([u, u])
    return spans


def _along(side: str, x: float, y: float) -> tuple[float, float]:
    """A place as seen from an edge: u along it, and how far from its launch line."""
    if side == "S":
        return x - 200, y - LOW
    if side == "W":
        return 200 - y, x - LOW
    if side == "N":
        return 200 - x, HIGH - y
    return y - 200, HIGH - x


def problem(side: str, throw: Throw, xs: Sequence[float], ys: Sequence[float]) -> str:
    """What is wrong with a throw's launch, as a sentence; nothing when it is legal."""
    _, u, aim_x, aim_y, reach = throw
    if not -MAX_U <= u <= MAX_U:
        return f"u is {u}; it runs from {-MAX_U} to {MAX_U}"
    if not MICRO <= reach <= MAX_REACH * MICRO:
        return f"the reach is {millimetres(reach)}; it runs from 1 to {MAX_REACH}"
    low_x, high_x, low_y, high_y = aim_box(side)
    if not (low_x * MICRO <= aim_x <= high_x * MICRO and low_y * MICRO <= aim_y <= high_y * MICRO):
        return (
            f"the aim {millimetres(aim_x)},{millimetres(aim_y)} is off the board or behind the"
            f" thrower; x runs from {low_x} to {high_x} and y from {low_y} to {high_y}"
        )
    x, y = start(side, u)
    if (aim_x, aim_y) == (x * MICRO, y * MICRO):
        return "the aim is the launch point itself"
    if not is_free(side, u, xs, ys):
        return f"a disc lies on the launch point u {u}"
    return ""


def launch(
    xs: Floats,
    ys: Floats,
    side: str,
    throw: Throw,
    *,
    luck: Sequence[float] = (0.0, 0.0),
    skill: float = 1,
    paths: dict[int, Path] | None = None,
) -> list[int]:
    """Throw a disc among those lying: it is appended to the lists, which change in place.

    `luck` is the pair of seeded values that bend the direction and the reach; without it the
    throw goes exactly where it is aimed. Returns the indexes of discs that hopped over the rim.
    """
    x, y = start(side, throw[1])
    dx, dy = throw[2] / MICRO - x, throw[3] / MICRO - y
    reach = throw[4] / MICRO
    length = sqrt(dx * dx + dy * dy)
    slope = skill * luck[0] * (0.07 * length + 6) / length
    reach += skill * luck[1] * (0.09 * reach + 10)
    if reach < 1:  # a bad throw still leaves the hand
        reach = 1.0
    dx, dy = dx - slope * dy, dy + slope * dx
    length = sqrt(dx * dx + dy * dy)
    xs.append(x)
    ys.append(y)
    return slide(xs, ys, (dx / length, dy / length), sqrt(2 * SLOWING * reach), paths)


@cache
def region_launches(side: str, u: int) -> tuple[Launch, ...]:
    """From one launch point to the middle of each bowl and action space."""
    return tuple(launch_at(side, u, x, y) for x, y in CENTRES)


def launch_at(side: str, u: int, x: float, y: float, past: float = 0) -> Launch:
    """The launch that would come to rest `past` millimetres beyond a point on an empty board."""
    from_x, from_y = start(side, u)
    dx, dy = x - from_x, y - from_y
    reach = sqrt(dx * dx + dy * dy) + past
    return u, round(x * MICRO), round(y * MICRO), round(reach * MICRO)


def can_launch(side: str, xs: Sequence[float], ys: Sequence[float]) -> bool:
    """Whether any launch point is free."""
    for u in MENU_U:
        if is_free(side, u, xs, ys):
            return True
    return bool(free_spans(side, xs, ys))


def menu_points(side: str, xs: Sequence[float], ys: Sequence[float]) -> list[int]:
    """The launch points the menu offers: five, or the first free one, or none."""
    free = [u for u in MENU_U if is_free(side, u, xs, ys)]
    if not free:
        free = [first for first, _ in free_spans(side, xs, ys)[:1]]
    return free


def millimetres(micro: int) -> str:
    """Thousandths of a millimetre as the shortest decimal: 184810 is 184.81."""
    whole, part = divmod(abs(micro), MICRO)
    sign = "-" if micro < 0 else ""
    return f"{sign}{whole}.{part:03}".rstrip("0").rstrip(".") if part else f"{sign}{whole}"
