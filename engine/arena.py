"""Duplicate sets, the unit of every match, and the statistics of many of them.

A set is one seed played once per rotation of a random circle of the entries, so that every entry
meets the same luck at every place of the table. Solo, each entry plays the seed by itself.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.chance import SeededChance
from engine.errors import BadSetup
from engine.game import Game
from engine.match import Played, Player, play, seatings
from engine.replay import Replay, Seating
from engine.results import PlayResult, set_result


@dataclass(frozen=True, slots=True)
class Entry:
    """Who takes part: a name for the replay, and one player per seat of a side."""

    players: Sequence[Player]
    bot: str = ""
    version: int = 0
    sha256: str = ""

    def seating(self, seat: int) -> Seating:
        return Seating(seat, self.bot, self.version, self.sha256)


@dataclass(frozen=True, slots=True)
class SetPlay:
    """One play of a set: which entry sat at each seat, and what happened."""

    seating: tuple[int, ...]
    played: Played


def side_count(game: Game, seats: int) -> int:
    """How many sides meet at a table with this number of seats."""
    return len(set(game.sides(seats)))


def copies(game: Game, seats: int) -> int:
    """How many seats each side fills."""
    return seats // side_count(game, seats)


def table_sizes(game: Game, seats: int) -> range:
    """How many sides may sit at a table, where entrants are shared out among tables of this size.

    One more than its seats where the game has such a table of singles, so that nobody is left
    over; and as few as the game has tables for, without a gap.
    """

    def is_singles(count: int) -> bool:
        return count in game.seats and side_count(game, count) == count

    largest = seats + 1 if is_singles(seats + 1) else side_count(game, seats)
    smallest = side_count(game, seats)
    while smallest > 2 and is_singles(smallest - 1):
        smallest -= 1
    return range(smallest, largest + 1)


def plan(game: Game, seats: int, entries: int, seed: int) -> list[tuple[int, ...]]:
    """The seatings of a set; BadSetup when the number of entries does not fit the table."""
    sides = side_count(game, seats)
    if sides == 1:
        return [(entry,) * seats for entry in range(entries)]
    if entries != sides:
        raise BadSetup(f"{game.title} at {seats} seats is for {sides} bots, not {entries}")
    # A stream of its own: the circle does not touch the luck of the play.
    return seatings(game, seats, SeededChance(seed).shuffle("circle", sides))


def play_set(
    game: Game,
    seats: int,
    entries: Sequence[Entry],
    *,
    seed: int,
    options: Mapping[str, Any] | None = None,
    match: str = "",
    watch: Callable[[Replay], None] = lambda replay: None,
) -> Iterator[SetPlay]:
    """Play a set, yielding each play as it ends; `watch` is called as each begins."""
    sides = game.sides(seats)
    copy_at = [sides[:seat].count(side) for seat, side in enumerate(sides)]
    for index, seating in enumerate(plan(game, seats, len(entries), seed)):
        played = play(
            game,
            [entries[entry].players[copy_at[seat]] for seat, entry in enumerate(seating)],
            seed=seed,
            options=options,
            seating=[entries[entry].seating(seat) for seat, entry in enumerate(seating)],
            match=match,
            index=index,
            watch=watch,
        )
        yield SetPlay(seating, played)


@dataclass(slots=True)
class Tally:
    """One entry's record over many sets."""

    sets: list[float] = field(default_factory=list)  # win share per set, its mean over the plays
    by_seat: dict[int, list[float]] = field(default_factory=dict)
    places: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    cpu_us: int = 0
    decisions: int = 0

    def win_rate(self) -> tuple[float, float, float]:
        """Mean win share and its 95% interval, sets being the independent unit."""
        return mean_interval(self.sets)


def pooled(records: Sequence[Tally]) -> Tally:
    """The records of equal entries as one, whose share of a set is their mean."""
    by_set = zip(*(record.sets for record in records), strict=True)
    together = Tally([math.fsum(shares) / len(records) for shares in by_set])
    for record in records:
        for seat, shares in record.by_seat.items():
            together.by_seat.setdefault(seat, []).extend(shares)
        together.places += record.places
        together.points += record.points
        together.faults.update(record.faults)
        together.cpu_us += record.cpu_us
        together.decisions += record.decisions
    return together


def mean_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Mean of values from 0 to 1 and its 95% interval, after Agresti and Coull.

    Two zeros and two ones are added for the interval, so that a few sets that all went the same
    way do not claim certainty.
    """
    if not values:
        return 0.0, 0.0, 1.0
    mean = math.fsum(values) / len(values)
    padded = [*values, 0.0, 0.0, 1.0, 1.0]
    centre = math.fsum(padded) / len(padded)
    variance = math.fsum((value - centre) ** 2 for value in padded) / (len(padded) - 1)
    half = 1.96 * math.sqrt(variance / len(padded))
    return mean, max(0.0, min(mean, centre - half)), min(1.0, max(mean, centre + half))


def tally(tallies: Sequence[Tally], results: Sequence[PlayResult]) -> None:
    """Add one set to the records of its entries."""
    found = set_result(results, len(tallies))
    for record, entry in zip(tallies, found.entries, strict=True):
        record.sets.append(entry.wins)
        record.faults.update(entry.faults)
        record.cpu_us += entry.cpu_us
        record.decisions += entry.decisions
    is_solo = len(found.places) < len(results)
    for result in results:
        for seat, at in enumerate(result.seating):
            share = found.entries[at].wins if is_solo else result.win_shares[at]
            tallies[at].by_seat.setdefault(seat, []).append(share)
            tallies[at].places.append(result.places[seat])
            tallies[at].points.append(result.points[seat])


def run(
    game: Game,
    seats: int,
    make: Callable[[], Sequence[Entry]],
    *,
    sets: int,
    first_seed: int = 0,
) -> list[Tally]:
    """Play sets on consecutive seeds in this process and return the records by entry."""
    tallies: list[Tally] = []
    for seed in range(first_seed, first_seed + sets):
        entries = make()
        tallies = tallies or [Tally() for _ in entries]
        plays = play_set(game, seats, entries, seed=seed)
        tally(tallies, [PlayResult.of(one.seating, one.played) for one in plays])
    return tallies
