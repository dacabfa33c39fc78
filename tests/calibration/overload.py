"""A stream of uploads to one board, below and above what two workers can play.

Nothing but time is simulated: who is seated is the product's `next_ticks`, with open sets and open
ticks as the scheduler has them, and ratings are the product's fit after each tick.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from ladder.ratings.matchmaking import AT_ONCE, TICK_TABLES, Candidate, Seating, next_ticks
from tests.calibration.board import SimulatedBoard
from tests.calibration.queueing import HOUSE, QUEUE, SECONDS, WORKERS

RATES = (0.5, 1.0, 1.5, 2.0, 3.0)  # uploads a minute
LASTS = 3600.0
FLOOD = 1_000_000  # the author who uploads once a minute


@dataclass(eq=False)
class OpenTick:
    """Tables of a tick, and how many of them are not over yet."""

    tables: list[Seating]
    left: int


class Stream:
    """A board of 20 ranked bots to which new ones come, and what two workers make of it."""

    def __init__(self, seed: int, uploads: list[tuple[float, int | None]]) -> None:
        self.board = SimulatedBoard(2, seed)
        self.board.seat_house(*HOUSE)
        for _ in range(20):
            self.board.add(1450 + self.board.rng.normal(0, 200))
        self.board.play_until(40)
        self.uploads = sorted(uploads, key=lambda one: one[0])
        self.arrived: dict[int, float] = {}
        self.turn_at: dict[int, float] = {}
        self.first: dict[int, float] = {}
        self.ranked: dict[int, float] = {}
        self.open: Counter[int] = Counter()
        self.waiting: list[OpenTick] = []  # one for each queued match
        self.running: list[tuple[float, int, OpenTick]] = []
        self.now, self.count = 0.0, 0

    def run(self) -> None:
        while self.now < LASTS:
            while self.uploads and self.uploads[0][0] <= self.now:
                at, owner = self.uploads.pop(0)
                player = self.board.add(1450 + self.board.rng.normal(0, 200), owner=owner)
                self.turn_at[player.key] = at + 3600.0 * self._recent(owner, at)
                self.arrived[player.key] = self.board.arrived[player.key] = at
            self._schedule()
            while self.waiting and len(self.running) < WORKERS:
                self.count += 1
                ends = self.now + SECONDS * self.board.seats
                heapq.heappush(self.running, (ends, self.count, self.waiting.pop(0)))
            if self.running:
                self._end(*heapq.heappop(self.running))
            else:
                self.now += 0.5

    def _recent(self, owner: int | None, at: float) -> int:
        """How many bots the same author uploaded within the hour, as `ratings.turn_of` counts."""
        return sum(
            owner is not None and self.board.players[key].owner == owner and at - earlier < 3600.0
            for key, earlier in self.arrived.items()
        )

    def _schedule(self) -> None:
        while (wanted := QUEUE - len(self.waiting)) > 0:
            ticks = next_ticks(
                self._candidates(),
                lambda one: self.board.met[one],
                seats=self.board.seats,
                rng=self.board.lots,
                most=min(AT_ONCE, math.ceil(wanted / TICK_TABLES)),
            )
            if not ticks:
                return
            for tables in ticks:
                self.waiting += [OpenTick(tables, len(tables))] * len(tables)
                self.open.update(one.id for table in tables for one in table.candidates)

    def _candidates(self) -> list[Candidate]:
        return [
            replace(one, open=self.open[one.id], turn_in=self.turn_at.get(one.id, 0.0) - self.now)
            for one in self.board.candidates(settling=True)
        ]

    def _end(self, now: float, _: int, tick: OpenTick) -> None:
        self.now = now
        tick.left -= 1
        if tick.left:
            return
        self.board.play(tick.tables)
        self.board.rate()
        for table in tick.tables:
            for one in table.candidates:
                self.open[one.id] -= 1
                self.first.setdefault(one.id, now)
        for key in self.board.ranked:
            self.ranked.setdefault(key, now)

    def figures(self, keys: list[int]) -> dict[str, float]:
        """Of these uploads: how many have a rank after the hour, and when they got it."""
        waits = [self.ranked[key] - self.arrived[key] for key in keys if key in self.ranked]
        early = [key for key in keys if self.arrived[key] < LASTS / 2]
        firsts = [self.first.get(key, self.now) - self.arrived[key] for key in keys]
        return {
            "uploads": len(keys),
            "ranked": len(waits),
            "of the first half hour": len(early),
            "of these ranked": sum(key in self.ranked for key in early),
            "median": float(np.median(waits)) if waits else math.nan,
            "longest": max(waits, default=math.nan),
            "first result, longest": max(firsts),
        }


def stream(seed: int, rate: float) -> dict[str, float]:
    """So many uploads a minute for an hour, each of another author."""
    times = np.arange(0.0, LASTS, 60 / rate).tolist()
    made = Stream(seed, [(at, None) for at in times])
    made.run()
    return made.figures(list(made.arrived))


def flooded(seed: int, rate: float) -> dict[str, float]:
    """The same beside one author who uploads another bot every minute; figures of the others."""
    times = np.arange(0.0, LASTS, 60 / rate).tolist()
    flood: list[tuple[float, int | None]] = [(30.0 + at, FLOOD) for at in range(0, 3570, 60)]
    made = Stream(seed, [(at, None) for at in times] + flood)
    made.run()
    return made.figures([key for key in made.arrived if made.board.players[key].owner != FLOOD])
