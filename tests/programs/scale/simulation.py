# ruff: noqa: T201
"""What saturates next: many workers on one database and one scheduler, simulated event by event.

python -m tests.programs.scale.simulation [--processes 64 256 1000] [--play 5] [--cores 8]

The costs are those that `make scale` measures for a match. A process claims (a third of the
database's work), plays, and finishes (the rest), each as soon as one of the database's cores is
free. The scheduler is one process: it looks twice a second how many matches are missing, and puts
them in the queue when it has spent its time on them. Networks and disks are taken to be quick.
"""

from __future__ import annotations

import argparse
import heapq
from collections import deque
from dataclasses import dataclass
from random import Random

PAUSE = 0.5  # seconds between the scheduler's turns
STOCK = 2  # matches kept waiting for each process
CLAIM = 1 / 3  # of the database's work for a match


@dataclass(frozen=True, slots=True)
class Site:
    """A site's size, and what a match costs: seconds of CPU."""

    processes: int
    play: float  # seconds a match takes its process, on average
    cores: int  # of the database
    database: float
    scheduler: float


@dataclass(frozen=True, slots=True)
class Found:
    """Matches a second, and how much of the time each part was busy."""

    rate: float
    workers: float
    database: float
    scheduler: float

    @property
    def fullest(self) -> str:
        parts = {
            "the workers": self.workers,
            "the database": self.database,
            "the scheduler": self.scheduler,
        }
        return max(parts, key=lambda name: parts[name])


class _Run:
    def __init__(self, site: Site, seconds: float) -> None:
        self.site, self.seconds, self.lots = site, seconds, Random(1)
        self.free_at = [0.0] * site.cores  # each core of the database
        self.spent = {"workers": 0.0, "database": 0.0, "scheduler": 0.0}
        self.waiting, self.done = 0, 0
        self.idle = deque(range(site.processes))
        self.events: list[tuple[float, int, str, int]] = [(0.0, 0, "turn", 0)]
        self.count = 0

    def at(self, when: float, what: str, number: int) -> None:
        self.count += 1
        heapq.heappush(self.events, (when, self.count, what, number))

    def ask(self, now: float, cost: float) -> float:
        """When the database has done something."""
        begins = max(now, self.free_at[0])
        heapq.heapreplace(self.free_at, begins + cost)
        self.spent["database"] += cost if now < self.seconds else 0.0
        return begins + cost

    def start(self, now: float) -> None:
        """Let idle processes claim what waits."""
        while self.waiting and self.idle:
            self.waiting -= 1
            claimed = self.ask(now, CLAIM * self.site.database)
            took = self.lots.expovariate(1 / self.site.play)
            self.spent["workers"] += took
            self.at(claimed + took, "played", self.idle.popleft())

    def go(self) -> Found:
        while self.events[0][0] < self.seconds:
            now, _, what, number = heapq.heappop(self.events)
            if what == "turn":
                missing = max(0, STOCK * self.site.processes - self.waiting)
                busy = missing * self.site.scheduler
                self.spent["scheduler"] += busy
                self.at(now + busy, "queued", missing)
            elif what == "queued":
                self.waiting += number
                self.at(now + PAUSE, "turn", 0)
            elif what == "played":
                self.at(self.ask(now, (1 - CLAIM) * self.site.database), "finished", number)
            else:
                self.done += 1
                self.idle.append(number)
            self.start(now)
        return Found(
            self.done / self.seconds,
            min(1.0, self.spent["workers"] / self.seconds / self.site.processes),
            min(1.0, self.spent["database"] / self.seconds / self.site.cores),
            min(1.0, self.spent["scheduler"] / self.seconds),
        )


def simulate(site: Site, seconds: float = 120.0) -> Found:
    return _Run(site, seconds).go()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.programs.scale.simulation")
    parser.add_argument("--processes", type=int, nargs="*", default=[64, 256, 1000, 4000])
    parser.add_argument("--play", type=float, nargs="*", default=[5.0, 1.0], help="seconds")
    parser.add_argument("--cores", type=int, default=8, help="of the database")
    parser.add_argument("--database-ms", type=float, default=DATABASE_MS)
    parser.add_argument("--scheduler-ms", type=float, default=SCHEDULER_MS)
    chosen = parser.parse_args()
    for play in chosen.play:
        for processes in chosen.processes:
            costs = chosen.database_ms / 1000, chosen.scheduler_ms / 1000
            found = simulate(Site(processes, play, chosen.cores, *costs))
            print(
                f"{processes:5} processes, plays of {play:g} s: {found.rate:6.1f} matches/s of"
                f" {processes / play:6.1f}; busy: workers {found.workers:.0%}, database"
                f" {found.database:.0%} of {chosen.cores} cores, scheduler {found.scheduler:.0%};"
                f" fullest: {found.fullest}"
            )


# Of commit 29cb3a7 on PostgreSQL, 16 boards with 33 bots; `make scale` prints those of today.
DATABASE_MS, SCHEDULER_MS = 8.8, 6.9

if __name__ == "__main__":
    main()
