"""All results of a board as arrays, to which more can be added: what the fit reads."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ladder.ratings.outcome import Key, Outcome

Floats = NDArray[np.float64]
AnyFloats = NDArray[np.floating[Any]]  # what numpy.linalg returns
Ints = NDArray[np.int64]

SPARE = 4096  # pairs that may be listed twice before they are added up


def tally(places: Ints, amounts: Floats, size: int) -> Floats:
    """The sum of the amounts at each place 0..size-1."""
    # Of nothing numpy makes whole numbers.
    return np.bincount(places, amounts, size).astype(np.float64, copy=False)


@dataclass(frozen=True)
class Sets:
    """Sets of one number of entrants: a row of each array is one set."""

    players: Ints  # (sets, k)
    won: Floats  # (sets, k): rounds finished ahead of each other, added over the others
    rounds: Floats  # (sets,)

    def only(self, kept: NDArray[np.bool_]) -> "Sets":
        """Some of the sets."""
        if kept.all():
            return self
        return Sets(self.players[kept], self.won[kept], self.rounds[kept])

    @property
    def factor(self) -> float:
        """What a comparison of two counts at a table of k: 3/(k+1), and 1 for a duel."""
        return 3 / (self.players.shape[1] + 1)


@dataclass(frozen=True)
class Pairs:
    """Who met whom, with the results added up; a pair may be listed more than once."""

    first: Ints
    second: Ints
    weight: Floats  # sum of factor * rounds
    scored: Floats  # sum of factor * beats, for `first`

    def summed(self, size: int) -> "Pairs":
        """The same with every pair listed once."""
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        scored = np.where(self.first < self.second, self.scored, self.weight - self.scored)
        places = low * size + high
        if size * size <= max(4_000_000, 4 * len(places)):  # counting beats sorting
            met = np.flatnonzero(np.bincount(places, minlength=size * size))
            totals = [tally(places, one, size * size)[met] for one in (self.weight, scored)]
        else:
            met, where = np.unique(places, return_inverse=True)
            totals = [tally(where, one, len(met)) for one in (self.weight, scored)]
        return Pairs(met // max(size, 1), met % max(size, 1), *totals)


T = TypeVar("T", Sets, Pairs)


class Results:
    """Results by version, numbered as they come."""

    def __init__(self, outcomes: Iterable[Outcome] = ()) -> None:
        self.index: dict[Key, int] = {}
        self.sets: dict[int, Sets] = {}  # by the number of entrants
        none = np.zeros(0, np.int64)
        self.pairs = Pairs(none, none, np.zeros(0), np.zeros(0))
        self._spare = 0
        self.add(outcomes)

    def __len__(self) -> int:
        return sum(len(one.rounds) for one in self.sets.values())

    def number(self, key: Key) -> int:
        """The number of a version, a new one if it is new."""
        return self.index.setdefault(key, len(self.index))

    def add(self, outcomes: Iterable[Outcome]) -> None:
        """Take more results in."""
        groups: dict[int, list[Outcome]] = defaultdict(list)
        for outcome in outcomes:
            if len(outcome.entrants) > 1:
                groups[len(outcome.entrants)].append(outcome)
        for k, group in sorted(groups.items()):
            # Flat iterators fill an array several times faster than nested tuples do.
            keys = chain.from_iterable(one.entrants for one in group)
            players = np.fromiter(map(self.number, keys), np.int64).reshape(-1, k)
            rows = chain.from_iterable(one.beats for one in group)
            beats = np.fromiter(chain.from_iterable(rows), np.float64).reshape(-1, k, k)
            rounds = np.fromiter((one.rounds for one in group), np.float64)
            self.add_arrays(players, beats, rounds)

    def add_arrays(self, players: Ints, beats: Floats, rounds: Floats) -> None:
        """The same from arrays, of numbered players: (sets, k), (sets, k, k) and (sets,)."""
        k = players.shape[1]
        new = Sets(players, beats.sum(axis=2), rounds)
        old = self.sets.get(k)
        self.sets[k] = new if old is None else _joined(Sets, old, new)
        pairs = list(combinations(range(k), 2))
        more = Pairs(
            np.concatenate([players[:, i] for i, _ in pairs]),
            np.concatenate([players[:, j] for _, j in pairs]),
            np.tile(new.factor * rounds, len(pairs)),
            np.concatenate([new.factor * beats[:, i, j] for i, j in pairs]),
        )
        self.pairs = _joined(Pairs, self.pairs, more)
        self._spare += len(more.first)
        if self._spare > SPARE:
            self.pairs, self._spare = self.pairs.summed(len(self.index)), 0

    def played(self) -> Ints:
        """How many sets each version played."""
        counts = np.zeros(len(self.index), np.int64)
        for one in self.sets.values():
            counts += np.bincount(one.players.ravel(), minlength=len(self.index))
        return counts


def _joined(kind: type[T], one: T, other: T) -> T:
    names = kind.__dataclass_fields__
    return kind(*(np.concatenate([getattr(one, n), getattr(other, n)]) for n in names))
