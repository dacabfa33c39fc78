"""What a duplicate set gave, entry by entry.

A set is played once per rotation, each entry at each place of the table. Partners share a place.
Solo, each entry plays the seed alone: together those plays are one round, in the order of their
points. All who count results read this, so that nobody else need know of teams or solo.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.match import Played


@dataclass(frozen=True, slots=True)
class PlayResult:
    """One play of a set, by seat: who sat there, how it ended, and what it took."""

    seating: Sequence[int]  # the entry at each seat
    places: Sequence[int]
    points: Sequence[int]
    faults: Mapping[int, str]  # kinds
    decisions: Mapping[int, int]
    cpu_us: Mapping[int, int]

    @classmethod
    def of(cls, seating: Sequence[int], played: Played) -> PlayResult:
        replay = played.replay
        assert replay.result is not None
        decisions: Counter[int] = Counter()
        cpu_us: Counter[int] = Counter()
        asked = (entry["seat"] for entry in replay.log if "action" in entry)
        for seat, used in zip(asked, replay.cpu_us, strict=True):
            decisions[seat] += 1
            cpu_us[seat] += used
        faults = {seat: fault.kind for seat, fault in played.faults.items()}
        result = replay.result
        return cls(seating, result.places, result.points, faults, decisions, cpu_us)

    @property
    def win_shares(self) -> dict[int, float]:
        """By entry: 1 alone in first place, less when shared, 0 otherwise."""
        winners = {self.seating[seat] for seat, place in enumerate(self.places) if place == 1}
        return {entry: (entry in winners) / max(1, len(winners)) for entry in self.seating}


@dataclass(frozen=True, slots=True)
class EntryResult:
    """One entry's part in a set."""

    plays: int
    place: float  # mean over its plays
    points: float  # mean over its plays
    share: Fraction | None  # of the others beaten, ties half; None where it met nobody
    wins: float  # mean share of the win
    decisions: int
    faults: Counter[str]
    cpu_us: int


@dataclass(frozen=True, slots=True)
class SetResult:
    """A set: its rounds by entry, and what each entry did in it."""

    places: tuple[tuple[int, ...], ...]  # by round, by entry; 0 for one who did not sit there
    points: tuple[tuple[int, ...], ...]
    entries: tuple[EntryResult, ...]


def set_result(plays: Sequence[PlayResult], entries: int) -> SetResult:
    """The result of a set with this number of entries."""
    rows = [_by_entry(play, entries) for play in plays]
    places: tuple[tuple[int, ...], ...]
    points: tuple[tuple[int, ...], ...]
    is_solo = all(len(set(play.seating)) == 1 for play in plays)
    if is_solo:
        scores = [sum(scored[i] for _, scored in rows) for i in range(entries)]
        ranks = tuple(1 + sum(other > own for other in scores) for own in scores)
        places, points = (ranks,), (tuple(scores),)
    else:
        places = tuple(row for row, _ in rows)
        points = tuple(row for _, row in rows)
    won = [_wins(plays, places, is_solo, entry) for entry in range(entries)]
    return SetResult(
        places,
        points,
        tuple(_entry(plays, places, entry, won[entry]) for entry in range(entries)),
    )


def share_beaten(places: Sequence[Sequence[int]], entry: int) -> Fraction | None:
    """The mean share of the others that an entry finished ahead of, level counting half."""
    halves = met = 0
    for row in places:
        for other, place in enumerate(row):
            if other != entry:
                halves += 2 * (row[entry] < place) + (row[entry] == place)
                met += 1
    return Fraction(halves, 2 * met) if met else None


def _by_entry(play: PlayResult, entries: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    first = {entry: seat for seat, entry in reversed(list(enumerate(play.seating)))}
    seats = [first.get(entry) for entry in range(entries)]
    return (
        tuple(0 if seat is None else play.places[seat] for seat in seats),
        tuple(0 if seat is None else play.points[seat] for seat in seats),
    )


def _wins(
    plays: Sequence[PlayResult], places: Sequence[Sequence[int]], is_solo: bool, entry: int
) -> float:
    if is_solo:
        (row,) = places
        return (row[entry] == 1) / row.count(1)
    shares = [play.win_shares[entry] for play in plays if entry in play.seating]
    return sum(shares) / len(shares)


def _entry(
    plays: Sequence[PlayResult], places: Sequence[Sequence[int]], entry: int, wins: float
) -> EntryResult:
    faults: Counter[str] = Counter()
    sat: list[tuple[int, int]] = []  # place and points of each play it took part in
    decisions = cpu_us = 0
    for play in plays:
        seats = [seat for seat, sitting in enumerate(play.seating) if sitting == entry]
        sat += [(play.places[seat], play.points[seat]) for seat in seats[:1]]
        faults.update(kind for seat, kind in play.faults.items() if seat in seats)
        decisions += sum(play.decisions.get(seat, 0) for seat in seats)
        cpu_us += sum(play.cpu_us.get(seat, 0) for seat in seats)
    return EntryResult(
        plays=len(sat),
        place=sum(place for place, _ in sat) / len(sat),
        points=sum(points for _, points in sat) / len(sat),
        share=share_beaten(places, entry),
        wins=wins,
        decisions=decisions,
        faults=faults,
        cpu_us=cpu_us,
    )
