"""Points, tie-breaks and places from finished tables."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ladder.tournaments.format import Points, Row, Score

STAGE_ONLY = " in that stage"

# What each criterion is, for people who read a table.
MEANINGS = {
    "points": "1 for a match won, ½ for one drawn; at larger tables the share of the others beaten",
    "head-to-head": "points scored against those level on points",
    "Sonneborn-Berger": "the points of the opponents beaten, and half those of the ones drawn with",
    "Buchholz cut-1": "the points of all opponents met but the lowest; a bye counts as an opponent "
    "with its own points",
    "Buchholz": "the points of all opponents met; a bye counts as one with its own points",
    "wins": "matches won",
    "performance": "the Elo that explains the results best, with the references held at theirs",
    "opponents' points": "the points of all opponents met; a bye counts as one with its own",
    "pods won": "tables at which all others were beaten",
    "tables won": "tables at which all others were beaten",
    "stage": "how many stages of groups were reached",
}


def meaning(criterion: str) -> str:
    """A criterion in plain words."""
    name = criterion.removesuffix(STAGE_ONLY)
    return MEANINGS[name] + (", in the last stage reached" if name != criterion else "")


@dataclass(frozen=True, slots=True)
class Column:
    """One criterion of the order; more is better."""

    name: str
    values: Mapping[int, Points]


class EntrantResults:
    """Finished tables read entrant by entrant."""

    def __init__(self, entrants: Iterable[int], finished: Iterable[Score]) -> None:
        self.entrants = list(entrants)
        self.points: dict[int, Fraction] = dict.fromkeys(self.entrants, Fraction(0))
        self.byes: dict[int, int] = dict.fromkeys(self.entrants, 0)
        self.wins: dict[int, int] = dict.fromkeys(self.entrants, 0)
        self._versus: dict[int, dict[int, list[Fraction]]] = defaultdict(lambda: defaultdict(list))
        for score in finished:
            self._add(score)

    def _add(self, score: Score) -> None:
        seeds, points = score.table.entrants, score.points()
        for seed, scored in zip(seeds, points, strict=True):
            self.points[seed] += scored
            if score.table.is_bye:
                self.byes[seed] += 1
                continue
            self.wins[seed] += scored == max(points) and points.count(scored) == 1
            for other in seeds:
                if other != seed:
                    self._versus[seed][other].append(scored)

    def versus(self, a: int, b: int) -> list[Fraction]:
        """Match points of a at each table shared with b, in the order given."""
        return list(self._versus[a][b])

    def meetings(self, a: int, b: int) -> int:
        """How often the two sat at one table."""
        return len(self._versus[a][b])

    def opponents(self, a: int) -> list[tuple[int, Fraction]]:
        """Each opponent met, once per meeting, with the match points scored there."""
        return [(b, scored) for b, meetings in self._versus[a].items() for scored in meetings]

    def sonneborn_berger(self) -> dict[int, Fraction]:
        """The points of the opponents beaten, and half those of the opponents drawn with.

        A bye or walkover is a win against a virtual opponent with the player's own points.
        """
        return {
            seed: sum((won * self.points[b] for b, won in self.opponents(seed)), Fraction(0))
            + self.byes[seed] * self.points[seed]
            for seed in self.entrants
        }

    def buchholz(self, cut: int = 0) -> dict[int, Fraction]:
        """The opponents' points but the `cut` lowest; a bye is one with the player's own points."""
        sums = {}
        for seed in self.entrants:
            met = [self.points[b] for b, _ in self.opponents(seed)]
            met += [self.points[seed]] * self.byes[seed]
            sums[seed] = sum(sorted(met)[cut:], Fraction(0))
        return sums

    def head_to_head(self) -> dict[int, Fraction]:
        """Points scored against those level on points."""
        return {
            seed: sum(
                (won for b, won in self.opponents(seed) if self.points[b] == self.points[seed]),
                Fraction(0),
            )
            for seed in self.entrants
        }


def rank(
    columns: Sequence[Column], points: Mapping[int, Fraction], withdrawn: Collection[int] = ()
) -> list[Row]:
    """Order the entrants by the columns in turn, then by seed; the withdrawn come last."""

    def standing(seed: int) -> tuple[object, ...]:
        return (seed in withdrawn, *(-column.values[seed] for column in columns), seed)

    order = sorted(points, key=standing)
    rows = []
    for i, seed in enumerate(order):
        below = order[i + 1] if i + 1 < len(order) else None
        rows.append(
            Row(
                place=i + 1,
                entrant=seed,
                points=points[seed],
                tie_breaks={c.name: c.values[seed] for c in columns if c.name != "points"},
                explanation=_explain(columns, points, withdrawn, seed, below),
                is_withdrawn=seed in withdrawn,
            )
        )
    return rows


def shown(value: Points) -> str:
    """A number as people write it: 2, 2.5, 0.667."""
    number = float(value)
    return f"{round(number, 3):g}" if abs(number) < 1000 else f"{number:.0f}"


def _explain(
    columns: Sequence[Column],
    points: Mapping[int, Fraction],
    withdrawn: Collection[int],
    seed: int,
    below: int | None,
) -> str:
    text = f"{shown(points[seed])} point{'' if points[seed] == 1 else 's'}"
    if seed in withdrawn:
        return f"{text}; withdrawn"
    if below is None or below in withdrawn:
        return text
    for column in columns:
        mine, theirs = column.values[seed], column.values[below]
        if mine != theirs:
            return (
                f"{text}; ahead of seed {below} on {column.name} ({shown(mine)} v {shown(theirs)})"
            )
    return f"{text}; level with seed {below} on all counts, ahead as the better seed"
