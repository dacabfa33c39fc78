"""Captions against the table: what a step's sentences say must be what its view shows.

Each game has a class here. It starts from the view before a step, takes in the sentences one after
another, and compares what has come of that with the view after the step. So a sentence that is not
true is found, and a change that no sentence mentions. A sentence that no pattern matches counts as
untrue. `python -m tests.engine.captions` writes the counts into COUNTS.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

View = dict[str, Any]
Frame = dict[str, Any]
SEAT = r"(Seat \d)"


def seat(name: str) -> int:
    return int(name.removeprefix("Seat ")) - 1


def seats(names: str) -> list[int]:
    """The seats of "Seat 1, Seat 2 and Seat 4"."""
    return [seat(name) for name in re.findall(r"Seat \d", names)]


class Listener:
    """What the table must look like, by what was said."""

    # Patterns, and the methods that get their groups.
    heard: ClassVar[dict[str, str]] = {}
    ending: ClassVar[str] = (
        r"((?:Seat \d(?:, | and )?)+) "
        r"(?:wins? (?:(\d+)–(\d+)|(?:on the tie-break, )?with (\d+) \w+)"
        r"|share first place with (\d+) \w+)"
    )

    def __init__(self, before: View, frame: Frame) -> None:
        self.before, self.after, self.frame = before, frame["view"], frame
        self.untrue: list[str] = []
        self.now = ""  # the sentence that is being heard
        self.scene: View | None = None  # the table at which it is the last one, between two pauses

    def wrong(self, why: str) -> None:
        self.untrue.append(f"{self.now!r}: {why}")

    def same(self, what: str, told: object, is_so: object) -> None:
        if told != is_so:
            self.wrong(f"{what} {told!r} by the sentences, {is_so!r} on the table")

    def hear(self, sentence: str) -> None:
        self.now = sentence
        for pattern, name in {**self.heard, self.ending: "end"}.items():
            if match := re.fullmatch(pattern, sentence):
                method: Callable[..., None] = getattr(self, name)
                method(*match.groups())
                return
        self.wrong("nobody knows how to check this sentence")

    def nothing(self, *_: str) -> None:
        """A sentence after which the table is as before."""

    def decides(self, name: str, *_: str) -> None:
        """A decision that changes nothing but whose turn it is."""
        self.same("who decides", seat(name), self.before["to_act"])

    def end(self, names: str, won: str, lost: str, *points: str) -> None:
        winners = seats(names)
        best = int(won or next(filter(None, points)))
        self.same("points of winners", {best}, {self.after["points"][one] for one in winners})
        others = [p for at, p in enumerate(self.after["points"]) if at not in winners]
        if won:
            self.same("points of the others", int(lost), max(others))

    def close(self) -> None:
        """Compare what was said in sum with the table after the step."""


def untrue_in(listener: type[Listener], frames: Iterable[Frame]) -> tuple[int, list[str]]:
    """How many sentences a film has, and those that are not true."""
    film = iter(frames)
    before = next(film)["view"]
    count, found = 0, []
    for frame in film:
        table = listener(before, frame)
        scenes = {pause["said"] - 1: pause["view"] for pause in frame.get("pauses", [])}
        for at, sentence in enumerate(frame["said"]):
            table.scene = scenes.get(at)
            table.hear(sentence)
        table.now = ". ".join(frame["said"])
        table.close()
        count += len(frame["said"])
        found += table.untrue
        before = frame["view"]
    return count, found


def added(cards: dict[str, int], *more: str) -> Counter[str]:
    return Counter(cards) + Counter(more)
