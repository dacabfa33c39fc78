"""The words all tournament formats share.

A format is pure: it reads what is stored of an event and says what is due. Entrants are seeds
1..N, 1 the top seed. Calling it twice, or again after a crash, gives the same tables.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import ClassVar

from engine.results import share_beaten

Points = Fraction | int | float

MOST_AT_TABLE = 16  # entrants that a format may be asked to seat together


@dataclass(frozen=True, slots=True)
class Table:
    """Entrants that meet in one match; one alone has a bye or walkover and plays nothing."""

    round: int  # from 1
    number: int  # from 1 within the round
    label: str  # unique within the event
    entrants: tuple[int, ...]

    @property
    def is_bye(self) -> bool:
        """Whether nothing is played here: store it as finished, with no sets."""
        return len(self.entrants) == 1


@dataclass(frozen=True, slots=True)
class SetScore:
    """One duplicate set, by entrant in table order."""

    shares: tuple[Points, ...]  # the mean share of the others beaten, 0..1, exact where it matters
    points: tuple[Points, ...] = ()  # game points, more is better: the margin of drawn knockouts
    rounds: int = 1

    @classmethod
    def from_places(
        cls, places: Sequence[Sequence[int]], points: Sequence[Sequence[Points]] = ()
    ) -> "SetScore":
        """A set from the places, and game points, of each round by entrant."""
        shares = (share_beaten(places, i) or Fraction(0) for i in range(len(places[0])))
        totals = tuple(sum(column) for column in zip(*points, strict=True))
        return cls(tuple(shares), totals, len(places))


@dataclass(frozen=True, slots=True)
class Score:
    """A table that has been played, or passed over as a bye."""

    table: Table
    sets: tuple[SetScore, ...] = ()

    def totals(self) -> tuple[Points, ...]:
        """Shares added over the sets, by entrant."""
        return tuple(sum(one.shares[i] for one in self.sets) for i in range(self._k))

    def points(self) -> tuple[Fraction, ...]:
        """Match points by entrant: 1, 1/2 or 0 for two; the share of the others for more.

        A bye is worth 1. A table of two or more without sets was not played and is worth 0.
        """
        if self.table.is_bye:
            return (Fraction(1),)
        totals = self.totals()
        if not self.sets:
            return (Fraction(0),) * self._k
        if self._k > 2:
            return tuple(Fraction(total) / len(self.sets) for total in totals)
        a, b = totals
        return (Fraction((a > b) - (a < b) + 1, 2), Fraction((b > a) - (b < a) + 1, 2))

    @property
    def _k(self) -> int:
        return len(self.table.entrants)


@dataclass(frozen=True, slots=True)
class Event:
    """All that is stored of one tournament.

    `seated` are the stored tables not finished yet. Swiss and pods need them to keep a round
    that is under way as it is when somebody withdraws.
    """

    entrants: int
    finished: tuple[Score, ...] = ()
    withdrawn: frozenset[int] = frozenset()
    options: Mapping[str, int] = field(default_factory=dict)
    seated: tuple[Table, ...] = ()
    key: str = ""  # names the event where a hash breaks a tie
    ratings: Mapping[int, float] = field(default_factory=dict)  # Elo known before, by seed
    errors: Mapping[int, float] = field(default_factory=dict)  # of those that are not certain

    @property
    def seeds(self) -> range:
        """All entrants, the top seed first."""
        return range(1, self.entrants + 1)

    @property
    def active(self) -> list[int]:
        """Entrants that have not withdrawn."""
        return [seed for seed in self.seeds if seed not in self.withdrawn]

    def score_at(self) -> dict[tuple[int, int], Score]:
        """Finished tables by (round, number)."""
        return {(one.table.round, one.table.number): one for one in self.finished}

    def first_due(
        self, rounds: Iterable[Iterable[Table]], annulled: frozenset[int] = frozenset()
    ) -> list[Table]:
        """What is left to play of the first of these rounds that is not over."""
        finished = self.score_at()
        for tables in rounds:
            due = [
                self.without_withdrawn(table)
                for table in tables
                if not self.withdrawn.issuperset(table.entrants)
                and not annulled.intersection(table.entrants)
                and (table.round, table.number) not in finished
            ]
            if due:
                return due
        return []

    def without_withdrawn(self, table: Table, fewest: int = 0) -> Table:
        """The same table for those still in; its last entrant has a walkover.

        Where fewer than `fewest` cannot be seated, the versions of those who left play on there.
        """
        left = tuple(seed for seed in table.entrants if seed not in self.withdrawn)
        if 1 < len(left) < fewest:
            return table
        return Table(table.round, table.number, table.label, left)


@dataclass(frozen=True, slots=True)
class Option:
    """One number an organiser may choose; 0 and 1 stand for no and yes."""

    name: str
    default: int
    lowest: int
    highest: int
    description: str
    zero_means: str = ""  # in words, where 0 is no number
    is_shown: bool = True  # on the tournament's page; not what follows from the board

    @property
    def is_yes_or_no(self) -> bool:
        return (self.lowest, self.highest) == (0, 1)

    @property
    def text(self) -> str:
        """What to choose, and what 0 stands for."""
        return self.description + (f"; 0 means {self.zero_means}" if self.zero_means else "")

    def in_words(self, value: int) -> str:
        if self.is_yes_or_no:
            return "yes" if value else "no"
        return str(value) if value or not self.zero_means else self.zero_means


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a tournament's page shows beside the standings: here nothing more."""


@dataclass(frozen=True, slots=True)
class CrossTable(Sheet):
    """Each against each, over these tables."""

    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True)
class WallChart(Sheet):
    """Round by round."""


class Outcome(StrEnum):
    """What became of a table, in records and on pages."""

    PLAYED = "played"
    BYE = "bye"
    CALLED_OFF = "called off"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the standings."""

    place: int
    entrant: int
    points: Fraction
    tie_breaks: Mapping[str, Points]
    explanation: str
    is_withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class FormatPreview:
    """What an organiser gets for a number of entrants."""

    rounds: int
    matches: int
    note: str


class Format(ABC):
    """One way to run a tournament."""

    name: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]
    options: ClassVar[tuple[Option, ...]] = ()
    seat_counts: ClassVar[range] = range(2, 3)  # seats at one table
    crowns_champion: ClassVar[bool] = True  # whether its first in rank is its winner
    fewest_entrants: ClassVar[int] = 2
    is_knockout: ClassVar[bool] = False  # a drawn table needs more sets: see knockout.py

    @abstractmethod
    def tables_due(self, event: Event) -> list[Table]:
        """The tables that can be played now and are not finished, whether stored or not."""

    @abstractmethod
    def standings(self, event: Event) -> list[Row]:
        """All entrants, the best first, each with why it stands there."""

    @abstractmethod
    def preview(self, entrants: int, options: Mapping[str, int] | None = None) -> FormatPreview:
        """Rounds and matches if nobody withdraws."""

    def sheet(self, event: Event) -> Sheet:
        """What its page shows beside the standings."""
        return Sheet()

    def given(self, *, sides: int, sizes: range, sets: int) -> dict[str, int]:
        """Options that follow from the board and the sets, so that nobody chooses them.

        `sizes` are how many can sit at one of its tables.
        """
        return {}

    def fits(self, sides: int, sizes: range) -> bool:
        """Whether tables of `sides` suit it; solo any number can be compared on one seed."""
        return sides == 1 or sides in self.seat_counts

    def fewest(self, options: Mapping[str, int]) -> int:
        """How many entrants it needs; as many as one table has, where none can be smaller."""
        return max(self.fewest_entrants, options.get("smallest", 0))

    def full_options(
        self, chosen: Mapping[str, int], *, sides: int, sizes: range, sets: int
    ) -> dict[str, int]:
        """All its options, those that follow from the board among them.

        ValueError names the one that is unknown or out of range.
        """
        unknown = set(chosen) - {option.name for option in self.options}
        if unknown:
            raise ValueError(f"{self.title} has no option “{min(unknown)}”")
        options = dict(chosen) | self.given(sides=sides, sizes=sizes, sets=sets)
        for option in self.options:
            value = options.setdefault(option.name, option.default)
            if type(value) is not int or not option.lowest <= value <= option.highest:
                raise ValueError(f"“{option.text}” is from {option.lowest} to {option.highest}")
        return options

    def is_over(self, event: Event) -> bool:
        """Whether nothing is left to play."""
        return not self.tables_due(event)

    def champion(self, event: Event) -> int | None:
        """The winner's seed, None before the end or when everybody withdrew."""
        if not self.is_over(event):
            return None
        best = self.standings(event)[0]
        return None if best.is_withdrawn else best.entrant

    def option(self, options: Mapping[str, int] | None, name: str) -> int:
        """The chosen or default number, refused outside its range."""
        known = next(one for one in self.options if one.name == name)
        chosen = (options or {}).get(name, known.default)
        if not known.lowest <= chosen <= known.highest:
            raise ValueError(f"{name} {chosen} is not in {known.lowest}..{known.highest}")
        return chosen
