"""All results of a board as arrays, to which more can be added: what the fit reads."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import chain, combinations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ladder.ratings.outcome import Key, Outcome

Floats = NDArray[np.float64]
AnyFloats = NDArray[np.floating[Any]]  # what numpy.linalg returns
Ints = NDArray[np.int64]
SmallInts = NDArray[np.int32]
SmallFloats = NDArray[np.float32]  # exact for rounds, which are counted in halves

SPARE = 4096  # pairs that may be listed twice before they are added up
CHUNK = 65_536  # sets that are worked on at a time, so that memory stays small


def tally(places: Ints, amounts: Floats, size: int) -> Floats:
    """The sum of the amounts at each place 0..size-1."""
    # Of nothing numpy makes whole numbers.
    return np.bincount(places, amounts, size).astype(np.float64, copy=False)


@dataclass(frozen=True)
class Sets:
    """Sets of one number of entrants: a row of each array is one set."""

    players: SmallInts  # (sets, k)
    won: SmallFloats  # (sets, k): rounds finished ahead of each other, added over the others
    rounds: SmallFloats  # (sets,)

    def chunks(self) -> "Iterator[Sets]":
        """The same, a part at a time."""
        for begin in range(0, len(self.rounds), CHUNK):
            part = slice(begin, begin + CHUNK)
            yield Sets(self.players[part], self.won[part], self.rounds[part])

    def only(self, kept: NDArray[np.bool_]) -> "Sets":
        """Some of the sets."""
        if kept.all():
            return self
        return Sets(self.players[kept], self.won[kept], self.rounds[kept])

    @property
    def factor(self) -> float:
        """What a comparison of two counts at a table of k: 3/(k+1), and 1 for a duel."""
        return 3 / (int(self.players.shape[1]) + 1)


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
        self._add([_counted(players, beats, rounds)])

    def add_packed(self, parts: Iterable[bytes]) -> None:
        """Take in results that were packed, by versions with whole numbers as keys."""
        waiting: list[tuple[Sets, Pairs]] = []
        for part in parts:
            waiting += self._unpacked(part)
            if sum(len(sets.rounds) for sets, _ in waiting) >= 2 * CHUNK:
                self._add(waiting)  # the pairs of all at once would take much memory
                waiting = []
        self._add(waiting)

    def _unpacked(self, part: bytes) -> "Iterator[tuple[Sets, Pairs]]":
        with np.load(BytesIO(part), allow_pickle=False) as arrays:
            for k in arrays["sizes"].tolist():
                keys, where = np.unique(arrays[f"players{k}"], return_inverse=True)
                numbers = np.array([self.number(key) for key in keys.tolist()], np.int64)
                rounds = arrays[f"rounds{k}"].astype(np.float64)
                beats = np.zeros((len(rounds), k, k))
                for at, (i, j) in enumerate(combinations(range(k), 2)):
                    beats[:, i, j] = arrays[f"beats{k}"][:, at]
                    beats[:, j, i] = rounds - beats[:, i, j]
                yield _counted(numbers[where].reshape(-1, k), beats, rounds)

    def _add(self, parts: "list[tuple[Sets, Pairs]]") -> None:
        by_size: dict[int, list[Sets]] = {k: [old] for k, old in self.sets.items()}
        for sets, _ in parts:
            by_size.setdefault(sets.players.shape[1], []).append(sets)
        self.sets = {k: _joined(Sets, *group) for k, group in by_size.items()}
        more = [pairs for _, pairs in parts]
        self.pairs = _joined(Pairs, self.pairs, *more)
        self._spare += sum(len(pairs.first) for pairs in more)
        if self._spare > SPARE:
            self.pairs, self._spare = self.pairs.summed(len(self.index)), 0

    def played(self) -> Ints:
        """How many sets each version played."""
        counts = np.zeros(len(self.index), np.int64)
        for one in self.sets.values():
            counts += np.bincount(one.players.ravel(), minlength=len(self.index))
        return counts


def packed(outcomes: Iterable[Outcome]) -> bytes:
    """Results in few bytes, for `Results.add_packed`."""
    groups: dict[int, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        if len(outcome.entrants) > 1:
            groups[len(outcome.entrants)].append(outcome)
    arrays: dict[str, Any] = {"sizes": np.array(sorted(groups), np.int32)}
    for k, group in groups.items():
        pairs = list(combinations(range(k), 2))
        arrays[f"players{k}"] = np.array([one.entrants for one in group], np.int64)
        arrays[f"rounds{k}"] = np.array([one.rounds for one in group], np.int32)
        arrays[f"beats{k}"] = np.array(
            [[one.beats[i][j] for i, j in pairs] for one in group], np.float32
        )
    file = BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def _counted(players: Ints, beats: Floats, rounds: Floats) -> tuple[Sets, Pairs]:
    """Sets as they are stored, and their pairs."""
    k = players.shape[1]
    won = beats.sum(axis=2).astype(np.float32)
    sets = Sets(players.astype(np.int32), won, rounds.astype(np.float32))
    pairs = list(combinations(range(k), 2))
    return sets, Pairs(
        np.concatenate([players[:, i] for i, _ in pairs]),
        np.concatenate([players[:, j] for _, j in pairs]),
        np.tile(sets.factor * rounds, len(pairs)),
        np.concatenate([sets.factor * beats[:, i, j] for i, j in pairs]),
    )


def _joined(kind: type[T], *parts: T) -> T:
    if len(parts) == 1:
        return parts[0]
    names = kind.__dataclass_fields__
    return kind(*(np.concatenate([getattr(one, n) for one in parts]) for n in names))
