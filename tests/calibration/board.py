"""A simulated board: bots of known strength, the product's own matchmaking and fit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

import numpy as np

from ladder.ratings.fit import Fit, Rated, fit
from ladder.ratings.matchmaking import (
    SOLO_SEEDS,
    Candidate,
    Seating,
    is_settled,
    solo_table,
    tick_tables,
)
from ladder.ratings.outcome import SLOPE, Outcome
from ladder.ratings.results import Floats, Ints, Results
from ladder.ratings.selection import RETEST_SETS, without_luck

TOP = 16
FRESH = Rated(1500.0, 0.0, 3000.0, 0, 1e6)
Draw = Callable[[np.random.Generator, int, int], Floats]  # luck by set, round and player


def independent(rng: np.random.Generator, sets: int, k: int) -> Floats:
    """Every round has its own luck."""
    return rng.gumbel(size=(sets, k, k))


def alike(rng: np.random.Generator, sets: int, k: int) -> Floats:
    """In a third of the sets all rounds have the same luck."""
    luck = rng.gumbel(size=(sets, k, k))
    same = rng.random(sets) < 1 / 3
    luck[same] = luck[same, :1]
    return luck


def opposed(rng: np.random.Generator, sets: int, k: int) -> Floats:
    """In half of the sets every second round has the luck of the one before, turned round."""
    share = rng.random((sets, k, k))
    turned = 1 - share[:, : k // 2 * 2 : 2]
    share[:, 1::2] = np.where(rng.random((sets, 1, 1)) < 0.5, turned, share[:, 1::2])
    return -np.log(-np.log(np.clip(share, 1e-12, 1 - 1e-12)))


@dataclass
class Player:
    """A bot with a true strength; copies of one program split every duel among themselves."""

    key: int
    strength: float
    is_house: bool = False
    program: str = ""  # empty: of its own
    style: int | None = None  # of three, each of which does well against the next
    parent: int | None = None
    is_listed: bool = True
    owner: int | None = None  # its own unless told
    retest_until: int = 0  # sets before it may have a rank again


class SimulatedBoard:
    """Ticks of a board, one after the other; with one seat, all at the table run the same seeds."""

    def __init__(
        self, seats: int, seed: int, luck: Draw = independent, anchor_error: float = 30.0
    ) -> None:
        self.seats, self.luck = seats, luck
        self.rng, self.lots = np.random.default_rng(seed), Random(seed)
        self.players: dict[int, Player] = {}
        self.results = Results()
        self.rated: dict[int, Rated] = {}
        self.met: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        self.fixed: dict[int, float] = {}
        self.measured: dict[int, tuple[float, float]] = {}
        self.anchor_error = anchor_error
        self.are_programs_known = True
        self.listen: Callable[[Outcome], object] | None = None  # told of every set
        self.without_luck = without_luck
        self.style_elo = 0.0  # what it is worth if all others at the table are of the next style
        self.sets: dict[int, int] = defaultdict(int)
        self.fit: Fit | None = None
        self.ranked: set[int] = set()
        self.played = 0
        self.arrived: dict[int, float] = {}  # seconds; 0 unless told
        self._news: list[tuple[Ints, Floats, Floats]] = []  # ticks that are not rated yet
        self._seen: dict[bool, dict[int, Candidate]] = {}  # candidates, until something changes

    def seat_house(self, *strengths: float) -> None:
        """House bots: the first is fixed at its strength, the others were measured."""
        for strength in strengths:
            one = self.add(strength, is_house=True)
            if not self.fixed:
                self.fixed[one.key] = strength
            else:
                told = strength + self.rng.normal(0, self.anchor_error)
                self.measured[one.key] = (told, self.anchor_error)

    def add(self, strength: float, **more: object) -> Player:
        player = Player(len(self.players), strength, **more)  # type: ignore[arg-type]
        self.players[player.key] = player
        self._seen.clear()
        return player

    def retire(self, player: Player) -> None:
        """Take it off the ladder; its results stay."""
        player.is_listed = False
        self._seen.clear()

    def bring_back(self, player: Player) -> None:
        """List an earlier version again; it is ranked once it has been tested again."""
        player.is_listed = True
        player.retest_until = self.sets[player.key] + RETEST_SETS
        self.ranked.discard(player.key)
        self._seen.clear()

    def candidates(self, *, settling: bool = False) -> list[Candidate]:
        """Everyone as the scheduler sees them, by the ratings of the last fit."""
        if settling not in self._seen:
            self._seen[settling] = {one.id: one for one in self._look(settling)}
        return list(self._seen[settling].values())

    def _look(self, settling: bool) -> list[Candidate]:
        rated = {key: self.rated.get(key, FRESH) for key, p in self.players.items() if p.is_listed}
        ranked = sorted(self.ranked & rated.keys(), key=lambda k: -rated[k].value)
        top = set(ranked[:TOP])
        found = []
        for key, one in rated.items():
            value = one.value
            if key not in self.rated:
                parent = self.players[key].parent
                value = self.rated[parent].value if parent in self.rated else 1500.0
                value = self.measured[key][0] if key in self.measured else value
                value = self.fixed.get(key, value)
            settled = settling and is_settled(
                is_ranked=key in self.ranked, half_width=(one.high - one.low) / 2, sets=one.sets
            )
            house = self.players[key].is_house
            found.append(
                Candidate(
                    key,
                    "",
                    value,
                    self.sets[key],
                    self.players[key].owner or key,
                    key in self.ranked,
                    key in top,
                    house,
                    settled,
                    one.variance,
                )
            )
        return found

    def tables(self, *, settling: bool = False) -> list[Seating]:
        candidates = self.candidates(settling=settling)
        if self.seats == 1:
            table = solo_table(candidates)
            return [table] if table is not None else []
        return tick_tables(candidates, lambda k: self.met[k], seats=self.seats, rng=self.lots)

    def play(self, tables: list[Seating]) -> None:
        """Play a tick."""
        players = np.array([[one.id for one in table.candidates] for table in tables])
        count, k = players.shape
        rounds = SOLO_SEEDS if self.seats == 1 else k
        strength = np.array([self._strengths(row) for row in players.tolist()])
        power = SLOPE * strength[:, None, :] + self.luck(self.rng, count, k)[:, :rounds]
        beats = (power[:, :, :, None] > power[:, :, None, :]).sum(axis=1).astype(np.float64)
        for row, keys in enumerate(players.tolist()):
            for i, j in combinations(range(k), 2):
                if self._are_copies(keys[i], keys[j]):
                    beats[row, i, j] = beats[row, j, i] = rounds / 2
            for one in keys:
                self.sets[one] += 1
                for seen in self._seen.values():
                    seen[one] = replace(seen[one], sets=self.sets[one])
                for other in keys:
                    if other != one:
                        self.met[one][other] += 1
            if self.listen is not None:
                table = tuple(tuple(line) for line in beats[row].tolist())
                self.listen(Outcome(tuple(keys), table, rounds))
        self._news.append((players, beats, np.full(count, float(rounds))))
        self.played += count

    def _strengths(self, keys: list[int]) -> list[float]:
        """Of those at a table, their styles counted."""
        table = [self.players[key] for key in keys]
        return [one.strength + self.style_elo * _suits(one, table) for one in table]

    def _are_copies(self, one: int, other: int) -> bool:
        program = self.players[one].program
        return bool(program) and program == self.players[other].program

    def _programs(self) -> dict[int, str]:
        if not self.are_programs_known:
            return {}
        return {key: one.program for key, one in self.players.items() if one.program}

    def rate(self) -> None:
        """Fit, as after every tick."""
        for key in self.players:  # so that numbers are keys
            self.results.number(key)
        if self._news:
            self.results.add_arrays(*(np.concatenate(one) for one in zip(*self._news, strict=True)))
            self._news.clear()
        self.fit = fit(
            self.results,
            fixed=self.fixed,
            measured=self.measured,
            parents={p.key: p.parent for p in self.players.values() if p.parent is not None},
            programs=self._programs(),
            start=self.rated,
        )
        self.rated = dict(self.fit.rated)
        for player in self.players.values():
            if player.owner is not None and player.is_listed:
                family = [p.key for p in self.players.values() if p.owner == player.owner]
                self.rated[player.key] = self.without_luck(self.fit.rated, player.key, family)
        self.ranked = {
            key
            for key, one in self.rated.items()
            if (one.keeps_rank if key in self.ranked else one.is_ranked)
            and one.sets >= self.players[key].retest_until
        }
        self._seen.clear()

    def fewest(self) -> int:
        """The sets of the player that has the fewest, house bots aside."""
        players = [one for one in self.players.values() if one.is_listed and not one.is_house]
        return min(self.sets[one.key] for one in players)

    def play_until(self, sets: int) -> None:
        """Ticks until everybody has played so many sets.

        For speed it is fitted again once there are 6% more results, not after every tick.
        """
        known = self.played
        while self.fewest() < sets:
            self.play(self.tables())
            if self.played >= 1.06 * known + self.seats:
                self.rate()
                known = self.played
        self.rate()


def _suits(one: Player, table: list[Player]) -> float:
    """By how many at the table its style is suited, less those it is not; 1 if by all others."""
    if one.style is None:
        return 0.0
    others = [other.style for other in table if other is not one and other.style is not None]
    steps = [(other - one.style) % 3 for other in others]
    return (steps.count(1) - steps.count(2)) / (len(table) - 1)
