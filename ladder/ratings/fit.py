"""The rating: the numbers that explain all results of a board best, with honest intervals.

Maximises, by Newton's method, with f = 3/(k+1) for tables of k,

    sum over pairs [x ln E + (w-x) ln(1-E)] - sum over measured anchors (R-m)^2 / (2 sd^2)

where w = sum of f*rounds and x = sum of f*rounds won. Instead of a prior every version has
virtual games: a new version one win and one loss against its parent, a new bot 0.2 wins and 0.2
losses against the typical bot, which is nobody, is rated with the others, and has two wins and
two losses against a fixed 1500. They keep every rating finite, also of a bot that won everything,
but have long tails: they hardly pull where results speak. And however many bots come and go, all
of them together pull the board by no more than the typical bot's four games.

The likeliest ratings are too far apart where little was played, the more so as winners are drawn
against winners: simulated boards of 25 bots with ten duels each came out 14 to 25% too wide. So
once they are known, every version is given one virtual game more, half won, shared out among those
it met; then they are fitted again.

The set is the unit: its rounds hang together. How far results scatter more (or less) than the
formula has it, the dispersion, is measured on the board and for each version, and stretches the
variances. So does having played little: after n games by 1 + 4 / n, since the curvature is known
no better than the rating. The interval is a signed root: as far as the likelihood of the version's
own results falls by what the variance says. So it is lopsided where the results are.

Up to DENSE_LIMIT versions the covariances are written out. Above that Newton's steps are solved
by conjugate gradients, and variances are renewed only for the versions asked for.
"""

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ladder.ratings.curvature import Bonds, diagonal_of_inverse, inverse_of, solve
from ladder.ratings.dispersion import disperse
from ladder.ratings.intervals import NORMAL, OPEN_ELO, Z95
from ladder.ratings.outcome import SLOPE, Key, Outcome
from ladder.ratings.results import AnyFloats, Floats, Ints, Results, tally

START = 1500.0
ROOT_GAMES = 0.4  # virtual, half of them won
CHILD_GAMES = 2.0
TYPICAL_GAMES = 4.0
STEADY_GAMES = 1.0  # shared out among those a version has met
FEW_GAMES = 4.0  # after this many the variance is twice that of the formula
DENSE_LIMIT = 2000
EXACT_LIMIT = 300  # versions; above, seven digits must do
CONVERGED, SETTLED = 1e-9, 1e-4  # Elo, up to that limit and above
FAR, FARTHEST = 10.0, 400.0  # Elo; within the one Newton's steps are safe, beyond the other wild
ROUNDS = 7  # Newton's steps for an end of an interval
TOLD_APART = 0.975  # likelihood of superiority at the edge of a two-sided 95% interval

RANKED_WIDTH = 150.0  # half of the interval
UNRANKED_WIDTH = 180.0  # beyond it a rank is lost: wider, so that no rank comes and goes
RANKED_SETS = 6
RANKED_AT_LAST = 40  # sets; a bot that wins everything has no narrow interval


@dataclass(frozen=True, slots=True)
class Rated:
    """One version's rating, in Elo."""

    value: float
    low: float
    high: float
    sets: int
    variance: float
    luck: float = 0.0  # Elo taken off the value, as its owner tried many versions

    @property
    def is_ranked(self) -> bool:
        """Whether it is known well enough to be given a rank."""
        return self._is_known_to(RANKED_WIDTH)

    @property
    def keeps_rank(self) -> bool:
        """Whether it is known well enough for a rank that it has."""
        return self._is_known_to(UNRANKED_WIDTH)

    def _is_known_to(self, width: float) -> bool:
        if self.high - self.low <= 2 * width and self.sets >= RANKED_SETS:
            return True
        # Of one that won everything it is known what it is at least, and that is a place.
        nearer_end = min(self.value - self.low, self.high - self.value)
        return self.sets >= RANKED_AT_LAST and nearer_end <= OPEN_ELO


@dataclass(frozen=True, slots=True)
class Fit:
    """Ratings by version, in Elo, with their 95% intervals."""

    rated: dict[Key, Rated]
    dispersion: float  # of the board: 1 where rounds scatter as the formula has it
    _free: dict[Key, int] = field(default_factory=dict, repr=False)
    _covariance: "_Covariance | None" = field(default=None, repr=False)

    def superiority(self, a: Key, b: Key) -> float:
        """LOS: the likelihood that a is stronger than b.

        On boards too large for covariances it is cautious: ratings that hang together by common
        opponents are taken to be independent.
        """
        gap = self.rated[a].value - self.rated[b].value
        spread = self.rated[a].variance + self.rated[b].variance
        if self._covariance is not None and a in self._free and b in self._free:
            spread -= 2 * self._covariance.between(self._free[a], self._free[b])
        if spread <= 0:
            return 0.5 if not gap else float(gap > 0)
        return NORMAL.cdf(gap / math.sqrt(spread))

    def renamed(self, names: Mapping[Key, Key]) -> "Fit":
        """The same for versions that share a rating: `names` says under which key it is."""
        return replace(
            self,
            rated={name: self.rated[key] for name, key in names.items()},
            _free={name: self._free[key] for name, key in names.items() if key in self._free},
        )

    def bands(self, keys: Iterable[Key]) -> list[list[Key]]:
        """These versions from best to worst, cut where one is told apart from its band's first."""
        result: list[list[Key]] = []
        for key in sorted(keys, key=lambda one: -self.rated[one].value):
            if result and self.superiority(result[-1][0], key) < TOLD_APART:
                result[-1].append(key)
            else:
                result.append([key])
        return result


def fit(
    results: Results | Iterable[Outcome],
    *,
    fixed: Mapping[Key, float] | None = None,
    measured: Mapping[Key, tuple[float, float]] | None = None,
    parents: Mapping[Key, Key] | None = None,
    versions: Iterable[Key] = (),
    programs: Mapping[Key, Hashable] | None = None,
    start: Mapping[Key, Rated] | None = None,
    due: Collection[Key] | None = None,
    dense_limit: int = DENSE_LIMIT,
) -> Fit:
    """Rate all versions in the results, and `versions` besides.

    `fixed` anchors stand where they are; `measured` ones, (rating, sd), near it. `parents` maps
    a version to the one it grew from; `programs` names what it runs, where others may run the
    same: sets of a program against itself do not show how results scatter. `start` is an earlier
    fit, which only saves time. On a board above `dense_limit` versions other than those `due` keep
    the variance they had.
    """
    results = results if isinstance(results, Results) else Results(results)
    fixed, measured, start = fixed or {}, measured or {}, start or {}
    for key in (*versions, *fixed, *measured):
        results.number(key)
    keys = list(results.index)
    model = _Model.build(results, keys, fixed, measured, parents or {})
    known = [_begin(key, fixed, measured, start) for key in keys]
    ratings = np.array([*known, START], dtype=np.float64)  # the last is the typical bot's
    free = {keys[place]: i for i, place in enumerate(model.free[:-1])}
    model.maximise(ratings)
    alike = _numbered(programs or {}, keys)
    differing = len({int(alike[place]) for place in model.free[:-1]})
    spread = disperse(results.sets, ratings[:-1], differing, alike)
    model = model.steadied(ratings, STEADY_GAMES * spread.board)
    model.maximise(ratings)
    scatter = np.append(spread.own, 1.0)[model.free]
    own = np.sqrt(scatter * (1 + FEW_GAMES * scatter / np.maximum(1.0, model.games())))
    bonds = model.bonds(ratings)
    if len(free) <= dense_limit:
        inverse = inverse_of(bonds, is_exact=len(free) <= EXACT_LIMIT)
        covariance = _Covariance(inverse[:, model.measured], model.pins, own, inverse)
        variance = covariance.stretched(np.diagonal(inverse))
    else:
        columns = [solve(bonds, bonds.unit(i), 1e-3) for i in model.measured]
        pinned = np.array(columns).reshape(-1, len(model.free)).T
        covariance = _Covariance(pinned, model.pins, own)
        kept = {free[key]: one.variance for key, one in start.items() if key in free}
        fresh = [free[key] for key in due or () if key in free]
        if due is None or len(kept.keys() | set(fresh)) < len(free):
            variance = covariance.stretched(diagonal_of_inverse(bonds))
        else:
            diagonal = np.ones(len(model.free))
            for i in fresh:
                diagonal[i] = solve(bonds, bonds.unit(i), tolerance=1e-2)[i]
            variance = covariance.stretched(diagonal)
            for i in kept.keys() - set(fresh):
                variance[i] = kept[i]
    low, high = model.interval(ratings, variance, bonds.diagonal)
    played = results.played().tolist()
    rated = {}
    for place, (key, value) in enumerate(zip(keys, ratings[:-1].tolist(), strict=True)):
        at = free.get(key)
        rated[key] = (
            Rated(value, value, value, played[place], 0.0)
            if at is None
            else Rated(value, float(low[at]), float(high[at]), played[place], float(variance[at]))
        )
    return Fit(rated, spread.board, free, covariance)


@dataclass(frozen=True)
class _Covariance:
    """Variances of the fit and what belongs to them.

    With C the inverse of the curvature and Q the part of it that comes from measured anchors,
    which are uncertain for reasons of their own, the covariance of i and j is
    sqrt(own_i own_j) (C_ij - Q_ij) + Q_ij.
    """

    columns: Floats  # of C, for the measured anchors
    pins: Floats  # 1/sd^2 of these
    own: Floats  # the root of the dispersion of each
    inverse: Floats | None = None  # C, where it was written out

    def stretched(self, diagonal: Floats) -> Floats:
        """The variances."""
        loose = (self.columns**2 * self.pins).sum(axis=1)
        variance: Floats = self.own**2 * np.maximum(diagonal - loose, 0.0) + loose
        return variance

    def between(self, i: int, j: int) -> float:
        """The covariance of two, where it is known."""
        if self.inverse is None:
            return 0.0
        loose = float((self.columns[i] * self.columns[j] * self.pins).sum())
        return float(self.own[i] * self.own[j]) * (float(self.inverse[i, j]) - loose) + loose


def _numbered(programs: Mapping[Key, Hashable], keys: Sequence[Key]) -> Ints:
    """The program of each version as a number, a number of its own where it is not known."""
    numbers: dict[Hashable, int] = {}
    return np.array(
        [
            numbers.setdefault(programs[key], i) if key in programs else i
            for i, key in enumerate(keys)
        ],
        np.int64,
    )


def _begin(
    key: Key,
    fixed: Mapping[Key, float],
    measured: Mapping[Key, tuple[float, float]],
    start: Mapping[Key, Rated],
) -> float:
    if key in fixed:
        return float(fixed[key])
    if key in start:
        return start[key].value
    return float(measured[key][0]) if key in measured else START


@dataclass(frozen=True)
class _Model:
    """The function to maximise. After the versions' numbers come the typical bot and a fixed 1500.

    `free` are the numbers of those to be rated, the typical bot last; places in vectors over the
    free ones follow its order.
    """

    first: Ints
    second: Ints
    weight: Floats
    scored: Floats
    size: int
    free: Ints
    place: Ints  # by number: its place among the free ones, or len(free)
    measured: Ints  # places
    means: Floats
    pins: Floats  # 1/sd^2
    real: int  # how many of the pairs have met; virtual games follow

    @classmethod
    def build(
        cls,
        results: Results,
        keys: Sequence[Key],
        fixed: Mapping[Key, float],
        measured: Mapping[Key, tuple[float, float]],
        parents: Mapping[Key, Key],
    ) -> "_Model":
        size, index = len(keys), results.index
        rated = [i for i, key in enumerate(keys) if key not in fixed]
        typical, start = size, size + 1
        free = np.array([*rated, typical], np.int64)
        place = np.full(size + 2, len(free), np.int64)
        place[free] = np.arange(len(free))
        plain = [i for i in rated if keys[i] not in measured]
        near = [index.get(parents.get(keys[i]), typical) for i in plain]
        own_games = [ROOT_GAMES if one == typical else CHILD_GAMES for one in near]
        games = np.array([*own_games, TYPICAL_GAMES])
        pairs = results.pairs
        anchors = [i for i in rated if keys[i] in measured]
        return cls(
            first=np.concatenate([pairs.first, np.array([*plain, typical], np.int64)]),
            second=np.concatenate([pairs.second, np.array([*near, start], np.int64)]),
            weight=np.concatenate([pairs.weight, games]),
            scored=np.concatenate([pairs.scored, games / 2]),
            size=size + 2,
            free=free,
            place=place,
            measured=place[np.array(anchors, np.int64)],
            means=np.array([float(measured[keys[i]][0]) for i in anchors]),
            pins=np.array([float(measured[keys[i]][1]) ** -2 for i in anchors]),
            real=len(pairs.first),
        )

    def steadied(self, ratings: Floats, games: float) -> "_Model":
        """The same with this number of virtual games more for every version.

        They are half won, and shared out among those it met by how much each says about it. By as
        much the likeliest ratings are too far apart where little was played: Firth's correction,
        with the leverage of a pair taken from the two versions alone.
        """
        tie = self._tie(ratings)[: self.real]
        first, second = self.place[self.first[: self.real]], self.place[self.second[: self.real]]
        share = np.append(1 / self.bonds(ratings).diagonal, 0.0)  # those who stand fixed need none
        more = np.zeros(len(self.weight))
        more[: self.real] = games * tie * (share[first] + share[second])
        return replace(self, weight=self.weight + more, scored=self.scored + more / 2)

    def games(self) -> Floats:
        """How many comparisons each of the free has, virtual ones included."""
        total = tally(self.first, self.weight, self.size)
        total += tally(self.second, self.weight, self.size)
        return total[self.free]

    def maximise(self, ratings: Floats) -> None:
        """Move the free ratings, in place, to the maximum."""
        is_small = len(self.free) <= EXACT_LIMIT
        for _ in range(200):
            bonds, slope = self.bonds(ratings), self.slope(ratings)
            step = np.linalg.solve(bonds.dense(), slope) if is_small else solve(bonds, slope)
            reach = float(np.abs(step).max(initial=0.0))
            if reach > FAR:
                self._climb(ratings, step * min(1.0, FARTHEST / reach))
            else:
                ratings[self.free] += step
            if reach < (CONVERGED if is_small else SETTLED):
                return

    def _climb(self, ratings: Floats, step: AnyFloats) -> None:
        """Take a step, halved until it does not shoot over the top."""
        level, begun = self.level(ratings), ratings[self.free].copy()
        for _ in range(60):
            ratings[self.free] = begun + step
            if self.level(ratings) >= level:
                break
            step = step / 2

    def level(self, ratings: Floats) -> float:
        """The logarithm of the likelihood."""
        gap = SLOPE * self._gap(ratings)
        pulled = (ratings[self.free][self.measured] - self.means) ** 2 * self.pins
        likelihood = self.scored * gap - self.weight * np.logaddexp(0, gap)
        return float(likelihood.sum() - pulled.sum() / 2)

    def slope(self, ratings: Floats) -> Floats:
        """The first derivatives by the free ratings."""
        chance = 1 / (1 + np.exp(-SLOPE * self._gap(ratings)))
        surprise = SLOPE * (self.scored - self.weight * chance)
        total = tally(self.first, surprise, self.size)
        total -= tally(self.second, surprise, self.size)
        slope = total[self.free]
        slope[self.measured] -= (ratings[self.free][self.measured] - self.means) * self.pins
        return slope

    def bonds(self, ratings: Floats) -> Bonds:
        """The negated second derivatives by the free ratings."""
        tie = self._tie(ratings)
        both = tally(self.first, tie, self.size)
        both += tally(self.second, tie, self.size)
        diagonal = both[self.free]
        diagonal[self.measured] += self.pins
        one, two = self.place[self.first], self.place[self.second]
        inner = (one < len(self.free)) & (two < len(self.free))
        return Bonds(diagonal, one[inner], two[inner], tie[inner])

    def interval(
        self, ratings: Floats, variance: Floats, curvature: Floats
    ) -> tuple[Floats, Floats]:
        """Where the likelihood of a version's own results has fallen as far as its variance says.

        Newton on t = sqrt(2 (l(R) - l(r))), which is nearly linear in r.
        """
        own = ratings[self.free]
        if not len(own):
            return own, own
        target = Z95 * np.sqrt(variance * curvature)
        mine = np.concatenate([self.place[self.first], self.place[self.second]])
        theirs = np.append(ratings, START)[np.concatenate([self.second, self.first])]
        weight = np.tile(self.weight, 2)
        scored = np.concatenate([self.scored, self.weight - self.scored])
        known = mine < len(own)
        mine, theirs = mine[known], theirs[known]
        weight, scored = weight[known], scored[known]
        pulls = np.zeros(len(own))
        pulls[self.measured] = self.pins
        means = np.zeros(len(own))
        means[self.measured] = self.means

        def level(r: Floats) -> tuple[Floats, Floats]:
            gap = SLOPE * (r[mine] - theirs)
            small = np.exp(-np.abs(gap))
            softplus = np.maximum(gap, 0) + np.log1p(small)
            chance = np.where(gap >= 0, 1.0, small) / (1 + small)
            value = tally(mine, scored * gap - weight * softplus, len(own))
            slope = SLOPE * tally(mine, scored - weight * chance, len(own))
            return value - pulls * (r - means) ** 2 / 2, slope - pulls * (r - means)

        top, _ = level(own)
        ends = []
        for sign in (-1.0, 1.0):
            reach = np.maximum(Z95 * np.sqrt(variance), 1e-6)
            for _ in range(ROUNDS):
                value, slope = level(own + sign * reach)
                root = np.sqrt(np.maximum(2 * (top - value), 1e-18))
                step = (target - root) * root / np.maximum(np.abs(slope), 1e-12)
                reach = np.clip(reach + step, reach / 4, reach * 4)
            ends.append(own + sign * reach)
        return ends[0], ends[1]

    def _tie(self, ratings: Floats) -> Floats:
        chance = 1 / (1 + np.exp(-SLOPE * self._gap(ratings)))
        tie: Floats = SLOPE**2 * self.weight * chance * (1 - chance)
        return tie

    def _gap(self, ratings: Floats) -> Floats:
        all_ratings = np.append(ratings, START)
        gap: Floats = all_ratings[self.first] - all_ratings[self.second]
        return gap
