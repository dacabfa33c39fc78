"""A format of its own kind. A test adds it to a copy of the project, as one file."""

from __future__ import annotations

from collections.abc import Mapping

from ladder.tournaments.format import Event, Format, FormatPreview, Option, Row, Table
from ladder.tournaments.standings import Column, EntrantResults, rank


class Relay(Format):
    """Each plays the next seed, so many times round; nobody else has this."""

    name = "relay"
    title = "Relay"
    description = "Each plays the one seeded next, and the last plays the first."
    options = (Option("laps", 1, 0, 5, "laps to run", zero_means="just one"),)

    def _laps(self, options: Mapping[str, int] | None) -> int:
        return self.option(options, "laps") or 1

    def tables_due(self, event: Event) -> list[Table]:
        seeds = list(event.seeds)
        finished = event.score_at()
        for lap in range(1, self._laps(event.options) + 1):
            tables = [
                Table(lap, n, f"L{lap}-{n}", (seed, seeds[n % len(seeds)]))
                for n, seed in enumerate(seeds, 1)
            ]
            due = [
                table
                for table in map(event.without_withdrawn, tables)
                if table.entrants and (table.round, table.number) not in finished
            ]
            if due:
                return due
        return []

    def standings(self, event: Event) -> list[Row]:
        results = EntrantResults(event.seeds, event.finished)
        columns = [Column("points", results.points), Column("wins", results.wins)]
        return rank(columns, results.points, event.withdrawn)

    def preview(self, entrants: int, options: Mapping[str, int] | None = None) -> FormatPreview:
        laps = self._laps(options)
        return FormatPreview(rounds=laps, matches=laps * entrants, note="no byes")
