"""Views as fixed-size rows of numbers from 0 to 1, for learning; and back.

Each game's `encoding.py` picks `features(view)` out of a view, seats counted from the reader's, and
says by a `Part` how they are laid out. What is laid out can be read back exactly.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol


class Row(Protocol):
    """Numbers by their place, zeros at first: a list, or a dict of those that were written."""

    def __getitem__(self, at: int, /) -> float: ...
    def __setitem__(self, at: int, value: float, /) -> None: ...


class Part(ABC):
    """A place in a row: `size` numbers for one value."""

    size: int

    @abstractmethod
    def put(self, value: Any, row: Row, at: int) -> None:
        """Write a value into a row of zeros."""

    @abstractmethod
    def get(self, row: Sequence[float], at: int) -> Any:
        """The value that was written."""

    @abstractmethod
    def names(self, name: str) -> Iterator[str]:
        """What each number is, in order."""

    def row(self, value: Any) -> list[float]:
        made = [0.0] * self.size
        self.put(value, made, 0)
        return made


class One(Part):
    """One of some words: a 1 at its place."""

    def __init__(self, words: Sequence[Any]) -> None:
        self.words = tuple(words)
        self.size = len(self.words)
        self._at = {word: at for at, word in enumerate(self.words)}

    def put(self, value: Any, row: Row, at: int) -> None:
        row[at + self._at[value]] = 1.0

    def get(self, row: Sequence[float], at: int) -> Any:
        return next(word for word, i in self._at.items() if row[at + i] > 0.5)

    def names(self, name: str) -> Iterator[str]:
        return (f"{name} is {word}" for word in self.words)


class Number(Part):
    """A whole number between bounds; beyond them it is cut."""

    size = 1

    def __init__(self, high: int, low: int = 0) -> None:
        self.low, self.high = low, high
        self._span = high - low

    def put(self, value: int, row: Row, at: int) -> None:
        if value > self.low:  # otherwise it is a zero, as it was
            row[at] = (value - self.low) / self._span if value < self.high else 1.0

    def get(self, row: Sequence[float], at: int) -> int:
        return self.low + round(row[at] * self._span)

    def names(self, name: str) -> Iterator[str]:
        yield f"{name}, {self.low} to {self.high}"


class Bag(Part):
    """How often each word occurs, up to `most` times; read back in the order of the words."""

    def __init__(self, words: Sequence[Any], most: int = 1) -> None:
        self.words = tuple(words)
        self.size = len(self.words)
        self._most, self._share = most, 1 / most
        self._at = {word: at for at, word in enumerate(self.words)}

    def put(self, value: Sequence[Any], row: Row, at: int) -> None:
        share, places = self._share, self._at
        for word in value:
            row[at + places[word]] += share

    def get(self, row: Sequence[float], at: int) -> list[Any]:
        counts = (round(row[at + place] * self._most) for place in range(self.size))
        return [word for word, n in zip(self.words, counts, strict=True) for _ in range(n)]

    def names(self, name: str) -> Iterator[str]:
        return (f"{name}: {word}" for word in self.words)

    def sorted(self, value: Sequence[Any]) -> list[Any]:
        """The words in the order they are read back in."""
        return sorted(value, key=self._at.__getitem__)


class Each(Part):
    """A fixed number of values of one kind, such as one per seat."""

    def __init__(self, part: Part, count: int) -> None:
        self.part, self.count = part, count
        self.size = part.size * count

    def put(self, value: Sequence[Any], row: Row, at: int) -> None:
        put, size = self.part.put, self.part.size
        for one in value:
            put(one, row, at)
            at += size

    def get(self, row: Sequence[float], at: int) -> list[Any]:
        size = self.part.size
        return [self.part.get(row, at + place * size) for place in range(self.count)]

    def names(self, name: str) -> Iterator[str]:
        for place in range(self.count):
            yield from self.part.names(f"{name}[{place}]")


class Slots(Part):
    """A limited number of values of one kind, each after a 1 that says that it is there."""

    def __init__(self, part: Part, most: int) -> None:
        self.part, self.most = part, most
        self.size = (part.size + 1) * most

    def put(self, value: Sequence[Any], row: Row, at: int) -> None:
        for one in value[: self.most]:
            row[at] = 1.0
            self.part.put(one, row, at + 1)
            at += self.part.size + 1

    def get(self, row: Sequence[float], at: int) -> list[Any]:
        step = self.part.size + 1
        places = (at + place * step for place in range(self.most))
        return [self.part.get(row, place + 1) for place in places if row[place] > 0.5]

    def names(self, name: str) -> Iterator[str]:
        for place in range(self.most):
            yield f"{name}[{place}] is there"
            yield from self.part.names(f"{name}[{place}]")


class Fields(Part):
    """Values by name."""

    def __init__(self, parts: Mapping[str, Part]) -> None:
        self.parts = dict(parts)
        self.size = 0
        self._puts = []  # what is written how, and where
        for name, part in self.parts.items():
            self._puts.append((name, part.put, self.size))
            self.size += part.size

    def put(self, value: Mapping[str, Any], row: Row, at: int) -> None:
        for name, put, start in self._puts:
            put(value[name], row, at + start)

    def get(self, row: Sequence[float], at: int) -> dict[str, Any]:
        found = {}
        for name, part in self.parts.items():
            found[name] = part.get(row, at)
            at += part.size
        return found

    def names(self, name: str) -> Iterator[str]:
        for key, part in self.parts.items():
            yield from part.names(f"{name}.{key}" if name else key)


def from_own_seat(view: Mapping[str, Any]) -> list[int]:
    """The seats clockwise, the reader's own first."""
    seat, seats = view["seat"], view["seats"]
    return [(seat + step) % seats for step in range(seats)]
