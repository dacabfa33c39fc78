"""How long it takes until everybody has a rank: a fresh site, and a stream of uploads.

Two workers play what the scheduler queues, as on a small machine. A set takes SECONDS of one
worker for every side, about what sets of greedy bots with a strong one among them take.

Beside the product's rule runs the one it had before (old_rule), on the same boards and with the
same meaning of "ranked".
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import itemgetter

import numpy as np

from ladder.boards import BOARDS
from ladder.ratings.matchmaking import SOLO_SEEDS, Seating
from tests.calibration import old_rule
from tests.calibration.board import SimulatedBoard

SECONDS = 3.0
WORKERS = 2
QUEUE = 6  # LADLE_QUEUE_TARGET
HOUSE = (1400.0, 900.0, 1700.0)
LIMIT = 24 * 3600.0


class PresentRule:
    """What the product does; its boards draw their own lots."""

    def __init__(self, _: int) -> None: ...

    def need(self, board: SimulatedBoard) -> tuple[float, ...] | None:
        """The lowest is served first; None is not served at all."""
        players = [one for one in board.candidates(settling=True) if not one.is_house]
        needs = [(one.is_ranked, one.sets) for one in players if not one.is_settled]
        return min(needs, default=None)

    def tables(self, board: SimulatedBoard) -> list[Seating]:
        return board.tables(settling=True)


RULES = {"": PresentRule, "by the rule before, ": old_rule.OldRule}


@dataclass
class Tick:
    """Tables of a board, and how many of its matches are not over yet."""

    tables: list[Seating]
    left: int


@dataclass
class Site:
    """Several boards, two workers, and a queue that the scheduler keeps filled."""

    boards: list[SimulatedBoard]
    rule: PresentRule | old_rule.OldRule
    now: float = 0.0
    matches: int = 0
    running: list[tuple[float, int]] = field(default_factory=list)  # when a match ends, its board
    open: dict[int, Tick] = field(default_factory=dict)  # by board
    waiting: list[int] = field(default_factory=list)  # boards of queued matches
    first: dict[tuple[int, int], float] = field(default_factory=dict)
    ranked: dict[tuple[int, int], float] = field(default_factory=dict)

    def schedule(self) -> None:
        """The neediest board without an open tick, until enough matches wait."""
        while len(self.waiting) < QUEUE:
            needs = {
                number: need
                for number, board in enumerate(self.boards)
                if number not in self.open and (need := self.rule.need(board)) is not None
            }
            if not needs:
                return
            number = min(needs, key=lambda one: needs[one])
            tables = self.rule.tables(self.boards[number])
            if not tables:
                return
            count = SOLO_SEEDS if self.boards[number].seats == 1 else len(tables)
            self.open[number] = Tick(tables, count)
            self.waiting += [number] * count

    def step(self) -> None:
        """Until the next match ends."""
        self.schedule()
        while self.waiting and len(self.running) < WORKERS:
            number = self.waiting.pop(0)
            seconds = SECONDS * self.boards[number].seats
            heapq.heappush(self.running, (self.now + seconds, number))
        if not self.running:
            self.now += 0.5
            return
        self.now, number = heapq.heappop(self.running)
        self.matches += 1
        self.open[number].left -= 1
        if not self.open[number].left:
            board, tables = self.boards[number], self.open.pop(number).tables
            board.play(tables)
            board.rate()
            for table in tables:
                for one in table.candidates:
                    self.first.setdefault((number, one.id), self.now)
            for key, one in board.rated.items():
                if one.is_ranked:
                    self.ranked.setdefault((number, key), self.now)

    @property
    def rests(self) -> bool:
        """Whether nobody needs a match any more."""
        return not self.open and all(self.rule.need(board) is None for board in self.boards)

    def run_until(self, is_over: Callable[[], bool]) -> None:
        while not is_over() and self.now < LIMIT:
            self.step()


def _site(seed: int, rule: str) -> Site:
    """The product's boards with their house bots as they were measured, and five new bots each."""
    rng = np.random.default_rng(seed)
    boards = []
    for number, place in enumerate(BOARDS):
        board = SimulatedBoard(place.sides, 100 * seed + number)
        for value, error in sorted(place.rules.anchors()[place.seats].values(), key=itemgetter(1)):
            house = board.add(value + board.rng.normal(0, error), is_house=True)
            if error:
                board.measured[house.key] = (value, error)
            else:
                board.fixed[house.key] = value
        for _ in range(5):
            board.add(1300 + rng.normal(0, 200))
        boards.append(board)
    return Site(boards, RULES[rule](seed))


def fresh_site(seed: int, rule: str = "") -> dict[str, float]:
    """Five new bots on each of the product's boards, as after the first start, until all rest."""
    site = _site(seed, rule)
    people = [
        (number, one.key)
        for number, board in enumerate(site.boards)
        for one in board.players.values()
        if not one.is_house
    ]
    site.run_until(lambda: all(one in site.ranked for one in people))
    first, ranked = ([times[one] for one in people] for times in (site.first, site.ranked))
    found = {
        "matches": float(site.matches),
        "seconds": site.now,
        "first game, mean": float(np.mean(first)),
        "first game, longest": max(first),
        "ranked, mean": float(np.mean(ranked)),
        "ranked, longest": max(ranked),
    }
    if rule:
        return found
    site.run_until(lambda: site.rests)
    return found | {
        "matches until it rests": float(site.matches),
        "seconds until it rests": site.now,
    }


def uploads(seed: int, rule: str = "") -> dict[str, float]:
    """25 uploads, 7 seconds apart, to a board of 20 ranked bots."""
    board = SimulatedBoard(2, seed)
    board.seat_house(*HOUSE)
    for _ in range(20):
        board.add(1450 + board.rng.normal(0, 200))
    board.play_until(40)
    site = Site([board], RULES[rule](seed))
    arrived: dict[int, float] = {}

    def is_over() -> bool:
        while len(arrived) < 25 and site.now >= 7.0 * len(arrived):
            key = board.add(1450 + board.rng.normal(0, 200)).key
            arrived[key] = board.arrived[key] = site.now
        return len(arrived) == 25 and all((0, key) in site.ranked for key in arrived)

    site.run_until(is_over)
    ranked = [site.ranked[0, key] - at for key, at in arrived.items()]
    first = [site.first[0, key] - at for key, at in arrived.items()]
    errors = [abs(board.rated[key].value - board.players[key].strength) for key in arrived]
    return {
        "matches": site.matches,
        "ranked, mean": float(np.mean(ranked)),
        "ranked, longest": max(ranked),
        "first game, mean": float(np.mean(first)),
        "first game, longest": max(first),
        "mean error": float(np.mean(errors)),
    }
