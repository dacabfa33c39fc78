"""Round robin: everyone meets everyone, by Berger tables."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from ladder.tournaments.format import (
    CrossTable,
    Event,
    Format,
    FormatPreview,
    Option,
    Row,
    Score,
    Table,
)
from ladder.tournaments.standings import Column, EntrantResults, rank

Pair = tuple[int, int]


class RoundRobin(Format):
    """Everyone meets everyone, once or more."""

    name = "round_robin"
    title = "Round robin"
    description = (
        "Everyone meets everyone. Ties are broken by the meetings among the tied, "
        "then Sonneborn-Berger, wins and seed. Who withdraws before half of its matches is struck "
        "from the table; later, the others walk over."
    )
    options = (Option("cycles", 1, 1, 4, "how often everyone meets everyone"),)

    def tables_due(self, event: Event) -> list[Table]:
        return event.first_due(self.rounds(event), self.annulled(event))

    def sheet(self, event: Event) -> CrossTable:
        return CrossTable(tuple(chain.from_iterable(self.rounds(event))))

    def rounds(self, event: Event) -> list[list[Table]]:
        """All tables of the event if nobody withdraws, round by round."""
        rounds = schedule(event.seeds, self.option(event.options, "cycles"))
        return [round_tables(number, pairs) for number, pairs in enumerate(rounds, 1)]

    def annulled(self, event: Event) -> frozenset[int]:
        """Who withdrew before half of its matches."""
        total = self.option(event.options, "cycles") * (event.entrants - 1)
        return struck(event.withdrawn, event.finished, total)

    def standings(self, event: Event) -> list[Row]:
        results = self._results(event)
        return rank(criteria(results), results.points, event.withdrawn)

    def _results(self, event: Event) -> EntrantResults:
        annulled = self.annulled(event)
        counted = [one for one in event.finished if not annulled.intersection(one.table.entrants)]
        return EntrantResults(event.seeds, counted)

    def preview(self, entrants: int, options: Mapping[str, int] | None = None) -> FormatPreview:
        cycles = self.option(options, "cycles")
        each = entrants - 1
        return FormatPreview(
            rounds=cycles * (each if entrants % 2 == 0 else entrants),
            matches=cycles * entrants * each // 2,
            note=f"everyone plays {cycles * each} matches",
        )


def struck(withdrawn: Iterable[int], scores: Iterable[Score], total: int) -> frozenset[int]:
    """Those of the withdrawn who played less than half: few results would favour those they met."""
    tables = [score.table for score in scores if not score.table.is_bye]
    played = Counter(seed for table in tables for seed in table.entrants)
    return frozenset(seed for seed in withdrawn if 2 * played[seed] < total)


def berger(n: int) -> list[list[Pair]]:
    """The Berger rounds of players 1..n; with n odd, one rests in each round."""
    even = n + n % 2
    rounds = []
    for r in range(even - 1):
        pivot = r * (even // 2) % (even - 1)  # from 0: who meets the last player
        pairs = [(pivot + 1, even) if r % 2 == 0 else (even, pivot + 1)]
        pairs += [
            ((pivot + i) % (even - 1) + 1, (pivot - i) % (even - 1) + 1)
            for i in range(1, even // 2)
        ]
        rounds.append([pair for pair in pairs if max(pair) <= n])
    return rounds


def schedule(entrants: Sequence[int], cycles: int) -> list[list[Pair]]:
    """Berger rounds for any entrants; every second cycle swaps the sides."""
    rounds = []
    for cycle in range(cycles):
        for pairs in berger(len(entrants)):
            named = [(entrants[a - 1], entrants[b - 1]) for a, b in pairs]
            rounds.append([(b, a) for a, b in named] if cycle % 2 else named)
    return rounds


def round_tables(number: int, pairs: Sequence[Pair]) -> list[Table]:
    """The tables of one round, numbered in order."""
    return [Table(number, place, f"R{number}-{place}", pair) for place, pair in enumerate(pairs, 1)]


def criteria(results: EntrantResults) -> list[Column]:
    """Points, head-to-head among the tied, Sonneborn-Berger, wins."""
    return [
        Column("points", results.points),
        Column("head-to-head", results.head_to_head()),
        Column("Sonneborn-Berger", results.sonneborn_berger()),
        Column("wins", results.wins),
    ]
