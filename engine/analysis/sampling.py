"""Guessed worlds, a race of all candidates in them, and a duel of a few in fresh ones."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt  # correctly rounded everywhere, unlike exp and log
from random import Random

from engine.analysis.analyst import Analyst
from engine.analysis.shares import Shares
from engine.game import Action, Seat, State

EARLY = (64, 128)  # pairs after which a gap that is surely small is measured no further
SMALL = 0.08
SURE = 2.5
ALIKE = 0.01  # candidates that differ less are alike


class Worlds:
    """Guesses of what the seat to act cannot see, each with its luck to come."""

    def __init__(self, analyst: Analyst, state: State, seed: str) -> None:
        assert state.to_act is not None
        self.seat: Seat = state.to_act
        self._analyst = analyst
        self._seed = seed
        self._view = state.observe(self.seat)
        self._base = analyst.game.determinize(self._view, Random(f"{seed}/base"))
        self._base.chance = analyst.luck(f"{seed}/base")
        self._until = analyst.horizon(state)

    def guess(self, number: str) -> State:
        """The world of that number."""
        seed = f"{self._seed}/{number}"
        world = self._analyst.world(self._base, self._view, seed)
        world.chance = self._analyst.luck(seed)
        return world

    def outcome(self, world: State, action: Action) -> Shares:
        """What each seat gets when the action is played there."""
        twin = world.copy()
        twin.apply(action)
        return self._analyst.play_out(twin, self._until)


class Race:
    """Sequential halving: all candidates in a few worlds, the better half in twice as many.

    The action that was played stays to the end.
    """

    def __init__(self, worlds: Worlds, candidates: Sequence[Action], played: Action) -> None:
        self._worlds = worlds
        self._played = played
        self._values: dict[Action, list[float]] = {action: [] for action in candidates}
        self._alive = list(candidates)
        self.is_alike = False

    def run(self, first: int) -> Race:
        done = 0
        while True:
            for number in range(done, 2 * done or first):
                world = self._worlds.guess(f"race/{number}")
                for action in self._alive:
                    outcome = self._worlds.outcome(world, action)
                    self._values[action].append(outcome[self._worlds.seat])
            if not done:
                means = [self._mean(action) for action in self._alive]
                self.is_alike = max(means) - min(means) <= ALIKE
            done = 2 * done or first
            # Of equals the one played comes first: nobody is blamed for a tie.
            self._alive.sort(key=lambda action: (-self._mean(action), action != self._played))
            if self.is_alike or len(self._alive) <= 2:
                return self
            kept = self._alive[: max(2, (len(self._alive) + 1) // 2)]
            if self._played not in kept:
                kept = [*kept[: max(1, len(kept) - 1)], self._played]
            self._alive = kept

    def first_two(self) -> tuple[Action, Action]:
        """The best and the next best, one of them the action played."""
        if self.is_alike:
            return self._played, self._played
        return self._alive[0], self._alive[1]

    def gap(self, action: Action, other: Action) -> tuple[float, float]:
        """How much better one is, with its standard error, in the worlds that both met."""
        pairs = zip(self._values[action], self._values[other], strict=False)
        return mean_and_error([a - b for a, b in pairs])

    def _mean(self, action: Action) -> float:
        return mean_and_error(self._values[action])[0]


class Duel:
    """A few actions in fresh worlds, the same for all of them.

    Fresh, since the winner of a race looks better in it than it is.
    """

    def __init__(self, worlds: Worlds, arms: Sequence[Action]) -> None:
        self._worlds = worlds
        self._outcomes: dict[Action, list[Shares]] = {action: [] for action in arms}
        self.pairs = 0

    def run(self, pairs: int, action: Action, other: Action) -> Duel:
        """Measure the gap of two of them, for no longer than it may matter."""
        for number in range(pairs):
            world = self._worlds.guess(f"fresh/{number}")
            for arm, outcomes in self._outcomes.items():
                outcomes.append(self._worlds.outcome(world, arm))
            self.pairs = number + 1
            if self.pairs in EARLY:
                mean, error = self.gap(action, other)
                if mean + SURE * error < SMALL:
                    break
        return self

    def gap(self, action: Action, other: Action) -> tuple[float, float]:
        """How much better one is for the seat, with its standard error."""
        return mean_and_error(self._gaps(action, other))

    def lost(self, action: Action, other: Action) -> tuple[float, float]:
        """As `gap`, of half of the worlds; nothing where the other half sees no gap.

        Regrets are added up, and none is below zero. One half choosing what the other measures
        keeps the noise of each from adding up too.
        """
        gaps = self._gaps(action, other)
        if mean_and_error(gaps[::2])[0] <= 0:
            return 0.0, 0.0
        return mean_and_error(gaps[1::2])

    def difference(self, action: Action, other: Action) -> Shares:
        """What an action is worth to each seat beside another."""
        pairs = list(zip(self._outcomes[action], self._outcomes[other], strict=True))
        seats = range(len(pairs[0][0]))
        return tuple(mean_and_error([a[s] - b[s] for a, b in pairs])[0] for s in seats)

    def _gaps(self, action: Action, other: Action) -> list[float]:
        seat = self._worlds.seat
        pairs = zip(self._outcomes[action], self._outcomes[other], strict=True)
        return [a[seat] - b[seat] for a, b in pairs]


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error, added up in order: `sum` differs between Pythons."""
    count = len(values)
    total = squares = 0.0
    for value in values:
        total += value
    mean = total / count
    for value in values:
        squares += (value - mean) * (value - mean)
    return mean, sqrt(squares / (count - 1) / count) if count > 1 else 0.0
