"""Live Elo: exact, order-independent updates, one tick at a time."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Key = Any  # hashable; a mapping from ints is no mapping from Hashables to a type checker

MILLI = 1000


class Kind(StrEnum):
    """How the entrants of one result faced each other."""

    FREE_FOR_ALL = "free-for-all"
    TEAMS = "teams"
    SOLO = "solo"


@dataclass(frozen=True, slots=True)
class Standing:
    """What one version brings into a tick.

    `n` counts effective games and is a float: results of six players weigh 3*5/7 a round, so no
    decimal unit holds it. It stays exactly reproducible because the games of a tick are summed
    by `math.fsum`, which rounds once whatever the order, and ticks are applied in order.
    """

    milli: int  # thousandths of an Elo point
    n: float
    is_anchor: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """What one tick does to one version."""

    delta: int  # milli-Elo; 0 for an anchor
    games: float  # effective games of this tick
    after: Standing


@dataclass(frozen=True, slots=True)
class Outcome:
    """One rated result; `beats[i][j]` is g * S_ij, the rounds i finished ahead of j, ties half."""

    entrants: tuple[Key, ...]
    beats: tuple[tuple[float, ...], ...]
    rounds: int
    kind: Kind = Kind.FREE_FOR_ALL
    sides: tuple[int, ...] = ()  # by entrant, for mixed teams only

    def __post_init__(self) -> None:
        if len(set(self.entrants)) != len(self.entrants):
            raise ValueError(f"an entrant appears twice in {self.entrants!r}")
        if self.kind is Kind.TEAMS and (
            len(self.sides) != len(self.entrants) or len(set(self.sides)) != 2
        ):
            raise ValueError(f"{self.sides!r} does not put {len(self.entrants)} on two sides")

    @classmethod
    def from_places(cls, entrants: Sequence[Key], places: Sequence[Sequence[int]]) -> "Outcome":
        """A free-for-all from the places of each round, by entrant; 1 is best, equal is level."""
        return cls(tuple(entrants), _beats(places, len(entrants)), len(places))

    @classmethod
    def from_teams(
        cls, entrants: Sequence[Key], sides: Sequence[int], places: Sequence[Sequence[int]]
    ) -> "Outcome":
        """Two mixed teams; team mates have one side and share one place in each round."""
        beats = _beats(places, len(entrants))
        return cls(tuple(entrants), beats, len(places), Kind.TEAMS, tuple(sides))

    @classmethod
    def from_scores(cls, entrants: Sequence[Key], scores: Sequence[Sequence[float]]) -> "Outcome":
        """Solo versions that all ran the same seeds, from the scores of each seed, by entrant."""
        ranks = [[-score for score in seed] for seed in scores]
        return cls(tuple(entrants), _beats(ranks, len(entrants)), len(scores), Kind.SOLO)


def expected(delta: float) -> float:
    """E: the score expected of the player rated `delta` Elo above the other."""
    return 1.0 / (1.0 + math.pow(10.0, -delta / 400.0))


def k_factor(n: float) -> float:
    """K(n) = max(4, 800/(n+20)) after n effective games."""
    return max(4.0, 800.0 / (n + 20.0))


def gains(outcome: Outcome, standings: Mapping[Key, Standing]) -> list[tuple[float, float]]:
    """(u_i, m_i) by entrant: the surprise in units of K, and the effective games."""
    ratings = [standings[key].milli for key in outcome.entrants]
    if outcome.kind is Kind.TEAMS:
        return _team_gains(outcome, ratings)
    k, g = len(ratings), outcome.rounds
    games = 3 * g * (k - 1) / (k + 1)
    return [
        (3 * math.fsum(_surprises(outcome, ratings, i)) / (k + 1), games)
        for i in range(len(ratings))
    ]


def apply_tick(standings: Mapping[Key, Standing], outcomes: Iterable[Outcome]) -> dict[Key, Change]:
    """Rate all outcomes of one tick from the ratings at its start.

    Versions without an outcome are left out; the rest come in the order of `standings`. The
    order of outcomes, and of entrants within one, cannot change a bit of the answer.
    """
    surprises: dict[Key, list[float]] = defaultdict(list)
    games: dict[Key, list[float]] = defaultdict(list)
    for outcome in outcomes:
        for key, (u, m) in zip(outcome.entrants, gains(outcome, standings), strict=True):
            surprises[key].append(u)
            games[key].append(m)
    return {
        key: _change(standing, math.fsum(surprises[key]), math.fsum(games[key]))
        for key, standing in standings.items()
        if key in surprises
    }


def _change(standing: Standing, surprise: float, games: float) -> Change:
    # K is taken in the middle of the tick, so that a big tick moves as far as many small ones.
    k = k_factor(standing.n + games / 2)
    delta = 0 if standing.is_anchor else round(MILLI * k * surprise)
    after = Standing(standing.milli + delta, standing.n + games, standing.is_anchor)
    return Change(delta, games, after)


def _surprises(outcome: Outcome, ratings: Sequence[int], i: int) -> list[float]:
    return [
        outcome.beats[i][j] - outcome.rounds * expected((ratings[i] - ratings[j]) / MILLI)
        for j in range(len(ratings))
        if j != i
    ]


def _team_gains(outcome: Outcome, ratings: Sequence[int]) -> list[tuple[float, float]]:
    members = {
        side: [i for i, own in enumerate(outcome.sides) if own == side]
        for side in set(outcome.sides)
    }
    mean = {side: sum(ratings[i] for i in team) / len(team) for side, team in members.items()}
    result = []
    for i, side in enumerate(outcome.sides):
        other = next(one for one in members if one != side)
        scored = outcome.beats[i][members[other][0]]
        chance = expected((mean[side] - mean[other]) / MILLI)
        result.append((scored - outcome.rounds * chance, outcome.rounds / 2))
    return result


def _beats(ranks: Sequence[Sequence[float]], entrants: int) -> tuple[tuple[float, ...], ...]:
    """Rounds in which each finished ahead of each other, level rounds counting half."""
    for row in ranks:
        if len(row) != entrants:
            raise ValueError(f"{row!r} does not place {entrants} entrants")
    return tuple(
        tuple(
            sum((row[i] < row[j]) + 0.5 * (row[i] == row[j]) for row in ranks) if i != j else 0.0
            for j in range(entrants)
        )
        for i in range(entrants)
    )
