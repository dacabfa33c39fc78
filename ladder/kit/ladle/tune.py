"""Tuning a bot's own numbers by SPSA: two nearby bots meet, and the numbers follow the better one.

A number is declared by a comment in the bot's file, with its bounds:

    WEIGHT = 1.5  # tune 0 to 4

At each step all numbers are moved a little at once, at random up or down; the bot so made meets
its mirror image in duplicate sets, and the numbers take a step towards whichever got more points.
Both have the same luck at the same places: that of the game, and what they draw themselves. So
two bots that decide alike come out even, and only what they do otherwise tells them apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import sqrt
from multiprocessing import get_context
from random import Random
from typing import Any

from engine.arena import copies, plan, side_count
from engine.game import Game
from engine.games import get
from engine.local import ScriptPlayer
from engine.match import play
from ladle.errors import Refusal

NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
DECLARED = re.compile(
    rf"^(?P<head>(?P<name>[A-Za-z_]\w*)\s*=\s*)(?P<value>{NUMBER})"
    rf"(?P<tail>\s*#\s*tune\s+(?P<low>{NUMBER})\s+to\s+(?P<high>{NUMBER})\s*)$",
    re.MULTILINE,
)
REACH = 0.15  # how far to either side the bots of the first step are, as a share of the range
PACE = 0.6  # how far the first steps go by a score of the usual size, in reaches
MOST = 2.0  # a score counts at most as this many times the usual size
# How both shrink, as Spall advises.
REACH_DECAY, PACE_DECAY = 0.101, 0.602


@dataclass(frozen=True, slots=True)
class Parameter:
    """A declared number and its bounds; whole if all three are written so."""

    name: str
    value: float
    low: float
    high: float
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Step:
    """What a step has led to."""

    number: int
    score: float  # points a play of the bot moved one way more than of the one moved the other
    values: dict[str, float]


def declared(source: str) -> list[Parameter]:
    """The numbers to tune, in the order of the file; Refusal says what is wrong."""
    found = []
    for line in DECLARED.finditer(source):
        value, low, high = (float(line[name]) for name in ("value", "low", "high"))
        if not low < high or not low <= value <= high:
            raise Refusal(f"{line['name']} = {line['value']} is not within {low:g} to {high:g}.")
        texts = (line["value"], line["low"], line["high"])
        whole = all(re.fullmatch(r"[-+]?\d+", text) for text in texts)
        found.append(Parameter(line["name"], value, low, high, whole))
    if not found:
        raise Refusal("no number is declared; write a line such as `WEIGHT = 1.5  # tune 0 to 4`.")
    return found


def written(parameters: list[Parameter], values: Mapping[str, float]) -> dict[str, float]:
    """The values as they stand in a file: whole, or of four digits."""
    return {
        one.name: round(values[one.name]) if one.is_whole else float(f"{values[one.name]:.4g}")
        for one in parameters
    }


def with_values(source: str, values: Mapping[str, float]) -> str:
    """The same file with other numbers."""
    found = written(declared(source), values)
    return DECLARED.sub(lambda line: f"{line['head']}{found[line['name']]}{line['tail']}", source)


def tune(
    game: Game,
    seats: int,
    source: str,
    *,
    steps: int,
    sets: int,
    seed: int,
    options: Mapping[str, Any] | None = None,
    duplicate: bool = True,
    rivals: Sequence[str] = (),
    scores: Callable[..., Iterable[float]] = map,
) -> Iterator[Step]:
    """Tune a bot step by step; `seed` decides all luck, so it can be repeated.

    The two bots of a step meet each other where there are two sides and no rivals. Else each meets
    the same rivals on the same luck; without any, copies of the bot as it was. `scores` is `map`,
    or one with more processes: see `working`.

    Points are large in one game and small in another, and so are their differences between nearby
    bots; so a score is taken as a multiple of the usual one, the root of the mean square so far.
    """
    if side_count(game, seats) != 2:
        rivals = rivals or [source]  # as it was
    parameters = declared(source)
    place = {one.name: (one.value - one.low) / (one.high - one.low) for one in parameters}
    rng = Random(seed)
    squares = 0.0
    calm = steps / 10  # so that the first steps are not the only ones that count
    for number in range(1, steps + 1):
        reach = REACH / number**REACH_DECAY
        pace = PACE * ((1 + calm) / (number + calm)) ** PACE_DECAY
        signs = {one.name: rng.choice((-1, 1)) for one in parameters}
        moved = [
            with_values(source, _values(parameters, place, signs, side * reach)) for side in (1, -1)
        ]
        seeds = [rng.getrandbits(50) for _ in range(sets)]
        of_seed = partial(
            _score, game.slug, seats, moved, options, duplicate=duplicate, rivals=rivals
        )
        gain = sum(scores(of_seed, seeds)) / sets
        squares += gain * gain
        usual = sqrt(squares / number) or 1.0
        by = pace * reach * max(-MOST, min(MOST, gain / usual))
        for name, sign in signs.items():
            place[name] = min(1.0, max(0.0, place[name] + sign * by))
        yield Step(number, gain, _values(parameters, place, signs, 0.0))


@contextmanager
def working(jobs: int) -> Iterator[Callable[..., Iterable[float]]]:
    """A `map` over this number of processes."""
    if jobs == 1:
        yield map
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as workers:
        yield workers.map


def _score(
    slug: str, seats: int, sources: list[str], options: Any, seed: int, **more: Any
) -> float:
    """The same as `score` by what another process can be sent."""
    return score(get(slug), seats, sources, seed, options, **more)


def _values(
    parameters: list[Parameter], place: Mapping[str, float], signs: Mapping[str, int], by: float
) -> dict[str, float]:
    found = {}
    for one in parameters:
        at = min(1.0, max(0.0, place[one.name] + by * signs[one.name]))
        found[one.name] = one.low + at * (one.high - one.low)
    return found


def score(
    game: Game,
    seats: int,
    sources: list[str],
    seed: int,
    options: Mapping[str, Any] | None = None,
    *,
    duplicate: bool = True,
    rivals: Sequence[str] = (),
) -> float:
    """How many points a play the first of two bots gets more than the second in a set.

    With rivals each of the two takes its turn against them; which of them sit there goes round by
    the seed. Without `duplicate` every play has luck of its own, for comparison.
    """
    if rivals:
        sides = side_count(game, seats)
        others = [rivals[(seed + place) % len(rivals)] for place in range(sides - 1)]
        first, second = (
            _mean_points(game, seats, [source, *others], seed, options) for source in sources
        )
        return first - second
    ahead, seatings = 0, plan(game, seats, 2, seed)
    for index, seating in enumerate(seatings):
        luck = seed if duplicate else seed + index + 1
        points = _points(game, _seated(game, seats, sources), seating, luck, options)
        ahead += points[seating.index(0)] - points[seating.index(1)]
    return ahead / len(seatings)


def _mean_points(
    game: Game, seats: int, sources: list[str], seed: int, options: Mapping[str, Any] | None
) -> float:
    """Points a play of the first bot, from every seat of the table."""
    seatings = plan(game, seats, len(sources), seed)
    total = 0
    for seating in seatings:
        points = _points(game, _seated(game, seats, sources), seating, seed, options)
        total += points[seating.index(0)]
    return total / len(seatings)


def _seated(game: Game, seats: int, sources: list[str]) -> list[list[ScriptPlayer]]:
    return [[ScriptPlayer(source) for _ in range(copies(game, seats))] for source in sources]


def _points(
    game: Game,
    players: list[list[ScriptPlayer]],
    seating: tuple[int, ...],
    luck: int,
    options: Mapping[str, Any] | None,
) -> tuple[int, ...]:
    waiting = [iter(side) for side in players]
    sitting = [next(waiting[entry]) for entry in seating]
    # Each counts as the first play of its luck, so that who sits where the other sat draws the
    # same luck for its own use as well.
    played = play(game, sitting, seed=luck, options=options)
    for fault in played.faults.values():
        raise Refusal(f"the bot failed: {fault.sentence}.")
    assert played.replay.result is not None
    return tuple(played.replay.result.points)
