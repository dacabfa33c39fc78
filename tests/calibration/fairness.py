"""Planted colluders and memories: after how many sets they are found, and how often others are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ladder.ratings.fairness import later_gaps, significant, surpluses
from ladder.ratings.outcome import SLOPE, Outcome
from tests.calibration.board import SimulatedBoard
from tests.calibration.coverage import HOUSE

THROWN = -400.0  # Elo of a puppet while the boss is at the table
CROWNED = 200.0  # Elo of the boss while a puppet is at the table
LOOK_EVERY = 25  # sets of the boss
PUPPETS = -1


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found by when."""

    sets: int | None  # of the boss, when the first colluding pair was found
    false_alarms: int  # pairs of honest bots, in all looks
    pairs: int  # that were looked at, in the last look


class Colluding(SimulatedBoard):
    """A board on which puppets help a boss."""

    boss: int = -1
    puppets: frozenset[int] = frozenset()
    is_crowning = False

    def _strengths(self, keys: list[int]) -> list[float]:
        found = super()._strengths(keys)
        helpers = sum(key in self.puppets for key in keys)
        if self.boss not in keys or not helpers:
            return found
        if self.is_crowning:
            return [
                strength + CROWNED * (key == self.boss)
                for key, strength in zip(keys, found, strict=True)
            ]
        return [
            strength + THROWN * (key in self.puppets)
            for key, strength in zip(keys, found, strict=True)
        ]


def collusion(
    seats: int,
    seed: int,
    *,
    puppets: int,
    is_crowning: bool,
    are_linked: bool = False,
    sets: int = 300,
) -> Looked:
    """Let a boss and its puppets play among 24 honest bots until they are found, or long enough."""
    board = Colluding(seats, seed)
    board.seat_house(*HOUSE)
    for _ in range(24):
        board.add(1500 + board.rng.normal(0, 200))
    boss = board.add(1550.0).key
    helpers = [board.add(1500.0 + board.rng.normal(0, 100)).key for _ in range(puppets)]
    board.boss, board.puppets, board.is_crowning = boss, frozenset(helpers), is_crowning
    outcomes: list[Outcome] = []
    board.listen = outcomes.append
    alarms: set[tuple[int, int]] = set()
    pairs = 0
    planted = frozenset(helpers) | {boss}
    until = LOOK_EVERY
    while until <= sets:
        while board.sets[boss] < until:
            board.play(board.tables())
            board.rate()
        ratings = {key: one.value for key, one in board.rated.items()}
        found = surpluses(outcomes, ratings)
        pairs = len(found)
        alarmed = [(found[i].who, found[i].beside) for i in significant([one.z for one in found])]
        alarms |= {pair for pair in alarmed if not planted & set(pair)}
        is_found = any(set(pair) <= planted and boss in pair for pair in alarmed)
        if are_linked:  # as accounts with one address are: the boss beside all puppets
            groups = {boss: boss, **dict.fromkeys(helpers, PUPPETS)}
            met = [one for one in outcomes if boss in one.entrants and planted & set(one.entrants)]
            tested = [
                one.z
                for one in surpluses(met, ratings, groups)
                if {one.who, one.beside} == {boss, PUPPETS}
            ]
            is_found = is_found or bool(significant(tested))
        if puppets and is_found:
            return Looked(board.sets[boss], len(alarms), pairs)
        until += LOOK_EVERY
    return Looked(None, len(alarms), pairs)


def memory(
    seats: int, seed: int, *, gain: float, versions: int = 60, most: int = 400
) -> int | None:
    """After how many sets a version that is `gain` Elo better in later plays is found, if it is.

    None if not, or if an honest one is found before.
    """
    rng = np.random.default_rng(seed)
    strength = rng.normal(1500, 200, versions)
    plays: list[tuple[list[int], list[list[float]]]] = []
    counts = np.zeros(versions, int)
    for number in range(10, most + 1, 10):
        while counts[0] < number:
            keys = [0, *(1 + rng.choice(versions - 1, seats - 1, replace=False)).tolist()]
            others = rng.choice(versions - 1, seats, replace=False) + 1
            for table in (keys, others.tolist()):
                rounds = []
                for index in range(seats):
                    better = [gain * (key == 0 and index > 0) for key in table]
                    power = SLOPE * (strength[table] + better) + rng.gumbel(size=seats)
                    rounds.append((1 + np.argsort(np.argsort(-power))).tolist())
                plays.append((table, rounds))
                counts[table] += 1
        found = later_gaps(plays)
        alarmed = [found[i].who for i in significant([max(0.0, one.z) for one in found])]
        if alarmed:
            return number if alarmed == [0] else None
    return None
