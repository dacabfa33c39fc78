"""Ratings of the house bots of a board from its sets, with errors that count what does not fit.

One half of the sets is fitted as the ladders are, greedy alone fixed; the other half checks it. No
formula fits all gaps: what a pair scores directly, by way of others, and beside this or that third
bot is worth different gaps. How far they differ beyond chance is the misfit, and the error of an
anchor is sqrt(sampling^2 + misfit^2).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

from engine.game import Game
from ladder.ratings.dispersion import PRIOR_SETS
from ladder.ratings.fit import Fit, fit
from ladder.ratings.intervals import Z95, wilson
from ladder.ratings.outcome import Outcome
from ladder.ratings.trial import elo_of
from tests.calibration.house_play import FIXED, HALVES, Pair

FIXED_ELO = 1400.0
LEAST_ERROR = 20.0  # a site's bots do not play quite as in this process
LOOSE, LOOSE_ERROR = "random", 100.0  # nobody is near it, so that it says little of others
FEW_SETS = 8
VAGUE = 200.0  # Elo; a gap known no better tells no misfit
USUAL_WEIGHT = 1 / (2 * 60.0**2)  # of the misfit that is usual: as of two gaps known to 60 Elo


@dataclass(frozen=True, slots=True)
class Gap:
    """By how much a is above b, in Elo, with errors downwards and upwards."""

    elo: float
    below: float
    above: float
    sets: int
    scored: float

    def towards(self, other: Gap) -> float:
        """Its error on the side where the other gap lies."""
        return self.below if other.elo < self.elo else self.above

    def is_near(self, elo: float, error: float) -> bool:
        """Whether another gap is within both errors."""
        own = self.below if elo < self.elo else self.above
        return abs(elo - self.elo) <= Z95 * math.hypot(own, error)


@dataclass(frozen=True, slots=True)
class Stray:
    """How far one way to measure a gap strays from another: squared, less what chance gives."""

    square: float
    weight: float


def _misfit(strays: Sequence[Stray]) -> float:
    total = math.fsum(one.weight for one in strays)
    if not total:
        return 0.0
    return math.sqrt(max(0.0, math.fsum(one.weight * one.square for one in strays) / total))


@dataclass(frozen=True, slots=True)
class Measured:
    """One board: its halves, the fit to the first of them, and how far gaps stray, by pair."""

    names: list[str]
    fitted_half: list[Outcome]
    check_half: list[Outcome]
    found: Fit
    strays: dict[Pair, list[Stray]]

    @classmethod
    def of(cls, sets: list[dict[str, Any]], game: Game) -> Measured:
        halves = [
            [Outcome.from_places(one["bots"], one["places"]) for one in sets if one["half"] == half]
            for half in HALVES
        ]
        names = list(game.house_bots())
        found = fit(halves[0], fixed={FIXED: FIXED_ELO})
        strays = {pair: _strays(halves[0], found, pair, names) for pair in combinations(names, 2)}
        return cls(names, *halves, found, strays)


def usual_misfit(boards: Sequence[Measured], *, is_loose: bool) -> float:
    """How far the gaps of a pair stray on average over all boards; of those with `random` apart."""
    return _misfit(
        [
            stray
            for board in boards
            for pair, found in board.strays.items()
            if (LOOSE in pair) == is_loose
            for stray in found
        ]
    )


def as_json(board: Measured, usual: float, usual_loose: float) -> dict[str, Any]:
    """Ratings with errors of the house bots of a board, and how each pair fared in the check.

    The misfit of a pair is that of its own ways and of one more that strays as is usual.
    """
    misfits = {
        pair: _misfit([*found, Stray((usual_loose if LOOSE in pair else usual) ** 2, USUAL_WEIGHT)])
        for pair, found in board.strays.items()
    }
    bots = {name: _bot(board.found, name, misfits) for name in board.names}
    return {
        "sets": len(board.fitted_half),
        "dispersion": round(board.found.dispersion, 3),
        "bots": bots,
        "pairs": [_pair(board, bots, pair, misfits[pair]) for pair in misfits],
    }


def _bot(found: Fit, name: str, misfits: dict[Pair, float]) -> dict[str, float]:
    """Where a bot stands, its worst pair counted; pairs with the loose anchor burden that alone."""
    rated = found.rated[name]
    if name == FIXED:
        return {"elo": FIXED_ELO, "error": 0, "sampling": 0, "misfit": 0, "sets": rated.sets}
    own = [
        misfit
        for pair, misfit in misfits.items()
        if name in pair and (name == LOOSE or LOOSE not in pair)
    ]
    sampling, misfit = math.sqrt(rated.variance), max(own)
    least = LOOSE_ERROR if name == LOOSE else LEAST_ERROR
    return {
        "elo": round(rated.value),
        "error": round(max(least, math.hypot(sampling, misfit))),
        "sampling": round(sampling),
        "misfit": round(misfit),
        "sets": rated.sets,
    }


def _strays(outcomes: list[Outcome], found: Fit, pair: Pair, names: list[str]) -> list[Stray]:
    """Two ways that each stray by m differ by 2 m^2 on average, and by both errors squared."""
    strays = []
    for one, other in _contrasts(outcomes, found, pair, names):
        noise = one.towards(other) ** 2 + other.towards(one) ** 2
        if noise <= 2 * VAGUE**2:
            strays.append(Stray(((one.elo - other.elo) ** 2 - noise) / 2, 1 / noise))
    return strays


def _contrasts(
    outcomes: list[Outcome], found: Fit, pair: Pair, names: list[str]
) -> Iterator[tuple[Gap, Gap]]:
    """Gaps by different sets: direct and by way of others, beside another house bot and without."""
    direct = [one for one in outcomes if set(pair) <= set(one.entrants)]
    apart = [one for one in outcomes if not set(pair) <= set(one.entrants)]
    ways = [(direct_gap(direct, found, pair), indirect_gap(apart, pair))]
    if direct and len(direct[0].entrants) > 2:
        for other in set(names) - set(pair):
            beside = [one for one in direct if other in one.entrants]
            without = [one for one in direct if other not in one.entrants]
            if min(len(beside), len(without)) >= FEW_SETS:
                gaps = [direct_gap(half, found, pair) for half in (beside, without)]
                ways.append((gaps[0], gaps[1]))
    for one, two in ways:
        if one is not None and two is not None:
            yield one, two


def indirect_gap(outcomes: list[Outcome], pair: Pair) -> Gap | None:
    """The gap by sets at which only one of the two sat."""
    found = fit(outcomes, fixed={FIXED: FIXED_ELO})
    if any(name not in found.rated or found.rated[name].sets < FEW_SETS for name in pair):
        return None
    error = math.sqrt(sum(found.rated[name].variance for name in pair))
    return Gap(_gap_of(found, pair), error, error, len(outcomes), 0.0)


def direct_gap(outcomes: Sequence[Outcome], found: Fit, pair: Pair) -> Gap | None:
    """The gap that a pair's direct sets are worth by themselves, the set as unit."""
    shares, rounds = [], 0
    for one in outcomes:
        if set(pair) <= set(one.entrants):
            i, j = (one.entrants.index(name) for name in pair)
            shares.append(one.beats[i][j] / one.rounds)
            rounds += one.rounds
    if len(shares) < 2:
        return None
    mean, count = fmean(shares), len(shares)
    # The scatter of sets, as the ladder has it: of the pair, with the board's as 30 sets before.
    even = mean * (1 - mean) / (rounds / count)
    own = sum((share - mean) ** 2 for share in shares) / (count - 1) / even if even else 0.0
    scatter = (PRIOR_SETS * found.dispersion + count * own) / (PRIOR_SETS + count)
    trials = rounds / max(0.3, scatter)
    low, high = wilson(mean * trials, trials)
    middle = elo_of((mean * trials + 0.5) / (trials + 1))
    return Gap(
        middle,
        max(1.0, (middle - elo_of(low)) / Z95),
        max(1.0, (elo_of(high) - middle) / Z95),
        count,
        mean,
    )


def _gap_of(found: Fit, pair: Pair) -> float:
    return found.rated[pair[0]].value - found.rated[pair[1]].value


def _pair(
    board: Measured, bots: dict[str, dict[str, float]], pair: Pair, misfit: float
) -> dict[str, Any]:
    """What the ratings say of a pair, and what its direct sets in the other half are worth."""
    gap, error = _gap_of(board.found, pair), math.hypot(*(bots[name]["error"] for name in pair))
    fitted = direct_gap(board.fitted_half, board.found, pair)
    checked = direct_gap(board.check_half, board.found, pair)
    assert fitted is not None and checked is not None
    return {
        "bots": list(pair),
        "gap": round(gap),
        "error": round(error),
        "misfit": round(misfit),
        "sets": fitted.sets,
        "check": {
            "sets": checked.sets,
            "scored": round(checked.scored, 4),
            "gap": round(checked.elo),
            "low": _finite(checked.elo - Z95 * checked.below),
            "high": _finite(checked.elo + Z95 * checked.above),
            "is_within": checked.is_near(gap, error),
        },
    }


def _finite(elo: float) -> int | None:
    return round(elo) if math.isfinite(elo) else None
