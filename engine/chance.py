"""Luck, handed to the rules as an object.

Every outcome comes from a named stream (`deck`, `die/seat2`), so that two plays on one seed meet
the same luck whatever the seating, and every outcome is recorded, so that a replay can be
refereed without knowing the generator.

The generator is simple enough to write again in any language: block `i` of a stream is
SHA-256 of the ASCII text `{seed}/{stream}/{i}`, read as eight big-endian 32-bit words. A number
below `n` is the next word modulo `n`, words at or above the largest multiple of `n` skipped.
A shuffle is Fisher-Yates from the end: for i = n-1 .. 1, swap i with a number below i + 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import Any, Protocol, Self, TypeVar

from engine.errors import BadReplay, BadSetup

MAX_SEED = 2**53 - 1  # exact in every JSON reader, JavaScript's included
WORD = 2**32

Value = TypeVar("Value", list[int], list[float])


class Chance(Protocol):
    """Where rules get their luck from."""

    def shuffle(self, stream: str, count: int) -> list[int]:
        """A random order of 0 .. count-1."""
        ...

    def roll(self, stream: str, sides: int, times: int = 1) -> list[int]:
        """`times` numbers, each 0 .. sides-1."""
        ...

    def bells(self, stream: str, times: int) -> list[float]:
        """`times` draws of: the sum of twelve uniforms minus six, cut to -3 .. 3."""
        ...

    def fork(self) -> Self:
        """The same luck from here on, for a copied state: using one does not move the other."""
        ...


def own_luck(seed: int, play: int, seat: int) -> int:
    """A seed for the luck of the bot at a seat, so that a play can be repeated exactly.

    Nobody can tell the play's seed from it, short of trying them all.
    """
    digest = sha256(f"{seed}/own-luck/{play}/{seat}".encode()).digest()
    return int.from_bytes(digest[:8], "big") & MAX_SEED


def bell(uniforms: Sequence[float]) -> float:
    """Sum of twelve uniforms minus six, cut to -3 .. 3; an explicit loop, as sum() varies."""
    total = -6.0
    for uniform in uniforms:
        total += uniform
    return min(3.0, max(-3.0, total))


class SeededChance:
    """Luck from a seed. With a `log`, each outcome is appended to it as a replay entry."""

    __slots__ = ("_blocks", "_words", "log", "seed")

    def __init__(self, seed: int, log: list[dict[str, Any]] | None = None) -> None:
        if type(seed) is not int or not 0 <= seed <= MAX_SEED:
            raise BadSetup(f"seed {seed!r} is not a whole number between 0 and {MAX_SEED}")
        self.seed = seed
        self.log = log
        self._blocks: dict[str, int] = {}
        self._words: dict[str, list[int]] = {}

    def shuffle(self, stream: str, count: int) -> list[int]:
        order = list(range(count))
        for i in range(count - 1, 0, -1):
            j = self._below(stream, i + 1)
            order[i], order[j] = order[j], order[i]
        return self._record(stream, order)

    def roll(self, stream: str, sides: int, times: int = 1) -> list[int]:
        return self._record(stream, [self._below(stream, sides) for _ in range(times)])

    def bells(self, stream: str, times: int) -> list[float]:
        drawn = [bell([self._word(stream) / WORD for _ in range(12)]) for _ in range(times)]
        return self._record(stream, drawn)

    def fork(self) -> SeededChance:
        twin = SeededChance(self.seed)
        twin._blocks = self._blocks.copy()
        twin._words = {stream: words.copy() for stream, words in self._words.items()}
        return twin

    def _record(self, stream: str, value: Value) -> Value:
        if self.log is not None:
            self.log.append({"chance": stream, "value": list(value)})
        return value

    def _below(self, stream: str, sides: int) -> int:
        limit = WORD - WORD % sides
        while (word := self._word(stream)) >= limit:
            pass
        return word % sides

    def _word(self, stream: str) -> int:
        words = self._words.get(stream)
        if not words:
            block = self._blocks.get(stream, 0)
            self._blocks[stream] = block + 1
            digest = sha256(f"{self.seed}/{stream}/{block}".encode()).digest()
            # Reversed, so that pop() hands the words out in order.
            words = [int.from_bytes(digest[at : at + 4], "big") for at in range(28, -1, -4)]
            self._words[stream] = words
        return words.pop()


class RandomChance:
    """Luck from a `random.Random`: for searching bots and for training, where speed counts."""

    __slots__ = ("_rng",)

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def shuffle(self, stream: str, count: int) -> list[int]:
        order = list(range(count))
        self._rng.shuffle(order)
        return order

    def roll(self, stream: str, sides: int, times: int = 1) -> list[int]:
        uniform = self._rng.random
        return [int(uniform() * sides) for _ in range(times)]

    def bells(self, stream: str, times: int) -> list[float]:
        uniform = self._rng.random
        return [bell([uniform() for _ in range(12)]) for _ in range(times)]

    def fork(self) -> RandomChance:
        return self  # independent draws either way


class RecordedChance:
    """Luck read back from a replay's log, checked for shape and, with a seed, for its origin."""

    __slots__ = ("_entries", "_seeded", "step")

    def __init__(self, log: Sequence[dict[str, Any]], seed: int | None = None) -> None:
        self._entries: Iterator[tuple[int, dict[str, Any]]] = iter(enumerate(log))
        self._seeded = None if seed is None else SeededChance(seed)
        self.step = -1

    def next_entry(self) -> dict[str, Any] | None:
        """The next log entry of any kind, or None at the end of the log."""
        self.step, entry = next(self._entries, (self.step + 1, None))
        return entry

    def shuffle(self, stream: str, count: int) -> list[int]:
        value = self._take(stream)
        if not all(type(item) is int for item in value) or sorted(value) != list(range(count)):
            raise BadReplay(f"'{stream}' is not an order of {count} things", step=self.step)
        return self._proven(stream, value, lambda luck: luck.shuffle(stream, count))

    def roll(self, stream: str, sides: int, times: int = 1) -> list[int]:
        value = self._take(stream)
        if len(value) != times or not all(type(v) is int and 0 <= v < sides for v in value):
            raise BadReplay(f"'{stream}' is not {times} rolls of {sides} sides", step=self.step)
        return self._proven(stream, value, lambda luck: luck.roll(stream, sides, times))

    def bells(self, stream: str, times: int) -> list[float]:
        value = self._take(stream)
        if len(value) != times or not all(type(v) in (int, float) and -3 <= v <= 3 for v in value):
            raise BadReplay(f"'{stream}' is not {times} numbers from -3 to 3", step=self.step)
        return self._proven(stream, value, lambda luck: luck.bells(stream, times))

    def fork(self) -> RecordedChance:
        raise BadReplay("a state that is being verified cannot be copied")

    def _take(self, stream: str) -> list[Any]:
        entry = self.next_entry()
        if entry is None:
            raise BadReplay(f"the log ends where chance '{stream}' is due", step=self.step)
        if entry.get("chance") != stream or not isinstance(entry.get("value"), list):
            raise BadReplay(f"chance '{stream}' is due here", step=self.step)
        if len(entry) > 2:
            raise BadReplay("a chance entry has `chance` and `value` only", step=self.step)
        return list(entry["value"])

    def _proven(
        self, stream: str, value: list[Any], draw: Callable[[SeededChance], Sequence[float]]
    ) -> list[Any]:
        if self._seeded is not None and list(draw(self._seeded)) != value:
            raise BadReplay(f"chance '{stream}' is not what the seed gives", step=self.step)
        return value
