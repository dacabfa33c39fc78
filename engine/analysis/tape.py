"""Luck that all actions meet alike."""

from __future__ import annotations

from random import Random

from engine.chance import bell


class Tape:
    """Luck from a text, by stream and position; a fork reads the same tape from where it stands.

    Two actions tried on one tape meet the same later draws, so that their difference is not luck.
    """

    __slots__ = ("_at", "_drawn", "_rngs", "_seed")

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._rngs: dict[str, Random] = {}
        self._drawn: dict[str, list[float]] = {}
        self._at: dict[str, int] = {}

    def fork(self) -> Tape:
        twin = Tape.__new__(Tape)
        twin._seed = self._seed
        twin._rngs = self._rngs
        twin._drawn = self._drawn
        twin._at = self._at.copy()
        return twin

    def shuffle(self, stream: str, count: int) -> list[int]:
        order = list(range(count))
        drawn = self._uniforms(stream, count)
        order.sort(key=drawn.__getitem__)
        return order

    def roll(self, stream: str, sides: int, times: int = 1) -> list[int]:
        return [int(uniform * sides) for uniform in self._uniforms(stream, times)]

    def bells(self, stream: str, times: int) -> list[float]:
        drawn = self._uniforms(stream, 12 * times)
        return [bell(drawn[at : at + 12]) for at in range(0, 12 * times, 12)]

    def _uniforms(self, stream: str, count: int) -> list[float]:
        at = self._at.get(stream, 0)
        self._at[stream] = end = at + count
        drawn = self._drawn.get(stream)
        if drawn is None:
            drawn = self._drawn[stream] = []
            self._rngs[stream] = Random(f"{self._seed}/{stream}")
        if len(drawn) < end:
            uniform = self._rngs[stream].random
            while len(drawn) < end:
                drawn.append(uniform())
        return drawn[at:end]


class NoLuck:
    """For a state that is only looked at: it may be copied, and draws nothing."""

    def fork(self) -> NoLuck:
        return self

    def shuffle(self, stream: str, count: int) -> list[int]:
        raise AssertionError("a state that is only looked at draws nothing")

    def roll(self, stream: str, sides: int, times: int = 1) -> list[int]:
        raise AssertionError("a state that is only looked at draws nothing")

    def bells(self, stream: str, times: int) -> list[float]:
        raise AssertionError("a state that is only looked at draws nothing")
