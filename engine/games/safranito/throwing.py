"""The decision that cannot be listed: which throws are legal, and a menu of sensible ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt
from random import Random
from typing import TYPE_CHECKING, Any, overload

from engine.games.safranito import board
from engine.games.safranito.board import MAX_REACH, MAX_U, MICRO, PAST_TOKEN, Throw
from engine.games.safranito.physics import SLOWING, Path

if TYPE_CHECKING:
    from engine.games.safranito.rules import Rules
    from engine.games.safranito.table import TableState


def refusal(table: Rules, throw: Any) -> str:
    """Why a throw is not legal, as a sentence; nothing when it is."""
    if type(throw) is not tuple or len(throw) not in (1, 5):
        return f"{throw!r} is not a throw"
    for number in throw:
        if type(number) is not int:
            return f"{throw!r} is not a throw"
    value = throw[0]
    if value not in table.tokens():
        held = ", ".join(str(token) for token in table.tokens())
        return f"there is no token {value} in hand; the tokens are {held}"
    if len(throw) == 5:
        return board.problem(table.side(), throw, table.xs, table.ys)
    return "a token is given up only where no launch point is free" if table.can_launch() else ""


class Menu(Sequence[Throw]):
    """Each token with each launch: some hundreds of throws, made only when they are looked at."""

    __slots__ = ("_launches", "_tokens")

    def __init__(self, tokens: Sequence[int], launches: Sequence[board.Launch]) -> None:
        self._tokens = tokens
        self._launches = launches

    def __len__(self) -> int:
        return len(self._tokens) * len(self._launches)

    @overload
    def __getitem__(self, at: int) -> Throw: ...
    @overload
    def __getitem__(self, at: slice) -> list[Throw]: ...
    def __getitem__(self, at: int | slice) -> Throw | list[Throw]:
        if isinstance(at, slice):
            return list(self)[at]
        if at < 0:
            at += len(self)
        if at < 0:
            raise IndexError(at)
        count = len(self._launches)
        return (self._tokens[at // count], *self._launches[at % count])

    def __iter__(self) -> Iterator[Throw]:
        return ((value, *launch) for value in self._tokens for launch in self._launches)


def menu(table: Rules) -> Menu:
    """Each token from each launch point to each region and at each opposing token."""
    side, seat = table.side(), table.to_act
    launches: list[board.Launch] = []
    for u in board.menu_points(side, table.xs, table.ys):
        launches += board.region_launches(side, u)
        for x, y, owner in zip(table.xs, table.ys, table.owners, strict=True):
            if owner != seat:
                launches.append(board.launch_at(side, u, x, y, PAST_TOKEN))
    return Menu(table.tokens(), launches)


def ranges(table: Rules) -> dict[str, Any]:
    """The bounds of a legal throw."""
    low_x, high_x, low_y, high_y = board.aim_box(table.side())
    return {
        "tokens": list(table.tokens()),
        "u": board.free_spans(table.side(), table.xs, table.ys),
        "aim_x": [low_x, high_x],
        "aim_y": [low_y, high_y],
        "reach": [1, MAX_REACH],
        "step": 1 / MICRO,
    }


def sample(table: Rules, rng: Random) -> Throw:
    """A random legal throw: any token, launch point, aim and reach."""
    side = table.side()
    low_x, high_x, low_y, high_y = board.aim_box(side)
    while True:
        throw = (
            rng.choice(table.tokens()),
            rng.randint(-MAX_U, MAX_U),
            rng.randint(low_x * MICRO, high_x * MICRO),
            rng.randint(low_y * MICRO, high_y * MICRO),
            rng.randint(MICRO, MAX_REACH * MICRO),
        )
        if not board.problem(side, throw, table.xs, table.ys):
            return throw


def weakest(table: Rules) -> Throw:
    """The lowest token, from the first free launch point, straight ahead, as short as can be."""
    side = table.side()
    u = board.free_spans(side, table.xs, table.ys)[0][0]
    x, y = board.start(side, u)
    ahead = {"S": (x, 200.0), "W": (200.0, y), "N": (x, 200.0), "E": (200.0, y)}[side]
    return table.tokens()[0], u, round(ahead[0] * MICRO), round(ahead[1] * MICRO), MICRO


def tell(table: TableState, paths: dict[int, Path], gone: list[int], before: list[int]) -> None:
    """Say how each disc moved: the corners of its way as [milliseconds, x, y].

    `before` has the regions where the discs lay before the throw.

    Between two corners a disc runs straight and slows by 2500 mm/s². Discs are numbered in the
    order in which they lay before the throw; the thrown one comes last.
    """
    for disc, path in sorted(paths.items(), reverse=True):
        corners = [[round(time * 1000), round(x, 1), round(y, 1)] for time, x, y in path]
        at = "out" if disc in gone else board.REGION_NAMES[table.regions[disc]]
        was = board.REGION_NAMES[before[disc]] if disc < len(before) else "hand"
        seat = table.owners[disc]
        table.tell("slide", disc=disc, seat=seat, was=was, at=at, path=_thin(corners))


def _thin(corners: list[list[float]]) -> list[list[float]]:
    """The path without the corners at which this disc only went on as it was."""
    kept = corners[:1]
    for corner, after in pairwise(corners[1:]):
        if not _on_the_way(kept[-1], corner, after):
            kept.append(corner)
    return kept + corners[1:][-1:]


def _on_the_way(a: list[float], b: list[float], c: list[float]) -> bool:
    """Whether a disc that slows evenly from a to c passes b at its time, to a millimetre."""
    seconds, passed = (c[0] - a[0]) / 1000, (b[0] - a[0]) / 1000
    dx, dy = c[1] - a[1], c[2] - a[2]
    length = sqrt(dx * dx + dy * dy)
    if not seconds or not length:
        return False
    speed = length / seconds + SLOWING * seconds / 2
    part = (speed * passed - SLOWING * passed * passed / 2) / length
    return abs(a[1] + dx * part - b[1]) <= 1 and abs(a[2] + dy * part - b[2]) <= 1
