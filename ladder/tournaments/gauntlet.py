"""Gauntlet: challengers against reference bots, reported as fitted Elo."""

from collections.abc import Mapping
from fractions import Fraction

from ladder.ratings.elo import Outcome
from ladder.ratings.fit import Fit, fit
from ladder.tournaments.format import Event, Format, Option, Preview, Row, Score, Table
from ladder.tournaments.round_robin import round_tables
from ladder.tournaments.standings import Column, Results, rank


class Gauntlet(Format):
    """Each challenger meets each reference bot; the top seeds are the challengers."""

    name = "gauntlet"
    title = "Gauntlet"
    description = (
        "Each challenger, from the top seed on, meets each of the reference bots that follow. "
        "The order is by Elo fitted to the results, with the references held at the ratings "
        "they are known by."
    )
    crowns_champion = False  # a reference bot may stand first
    options = (
        Option("challengers", 1, 1, 64, "how many of the top seeds are challengers"),
        Option("cycles", 1, 1, 10, "how often a challenger meets each reference"),
    )

    def tables_due(self, event: Event) -> list[Table]:
        finished = event.score_at()
        for number, pairs in enumerate(self._rounds(event.entrants, event.options), 1):
            due = [
                table
                for table in round_tables(number, pairs)
                if not event.withdrawn.intersection(table.entrants)
                and (table.round, table.number) not in finished
            ]
            if due:
                return due
        return []

    def standings(self, event: Event) -> list[Row]:
        results = Results(event.seeds, event.finished)
        # Whole points: differences below that are not worth a place.
        values = {seed: Fraction(round(elo)) for seed, elo in self.fitted(event).value.items()}
        columns = [Column("fitted Elo", values), Column("points", results.points)]
        return rank(columns, results.points, event.withdrawn)

    def champion(self, event: Event) -> int | None:
        """The best placed challenger."""
        challengers = range(1, self._challengers(event.entrants, event.options) + 1)
        if not self.is_over(event):
            return None
        placed = (row for row in self.standings(event) if not row.is_withdrawn)
        return next((row.entrant for row in placed if row.entrant in challengers), None)

    def preview(self, entrants: int, options: Mapping[str, int] | None = None) -> Preview:
        rounds = self._rounds(entrants, options)
        challengers = self._challengers(entrants, options)
        note = f"challengers: {challengers}, references: {entrants - challengers}"
        return Preview(len(rounds), sum(map(len, rounds)), note)

    def fitted(self, event: Event) -> Fit:
        """Elo with intervals, by seed; references with known ratings are held at them."""
        challengers = self._challengers(event.entrants, event.options)
        anchors = {s: elo for s, elo in event.ratings.items() if s > challengers}
        outcomes = [one for score in event.finished for one in outcomes_of(score)]
        return fit(outcomes, anchors=anchors, versions=event.seeds)

    def _challengers(self, entrants: int, options: Mapping[str, int] | None) -> int:
        return min(self.option(options, "challengers"), entrants - 1)

    def _rounds(
        self, entrants: int, options: Mapping[str, int] | None
    ) -> list[list[tuple[int, int]]]:
        challengers = self._challengers(entrants, options)
        references = range(challengers + 1, entrants + 1)
        return [
            [(c, references[(c - 1 + r) % len(references)]) for c in range(1, challengers + 1)]
            for _ in range(self.option(options, "cycles"))
            for r in range(len(references))
        ]


def outcomes_of(score: Score) -> list[Outcome]:
    """The sets of a table of two as rated results."""
    if len(score.table.entrants) != 2:
        return []
    outcomes = []
    for one in score.sets:
        a, b = (float(share * one.rounds) for share in one.shares)
        outcomes.append(Outcome(score.table.entrants, ((0.0, a), (b, 0.0)), one.rounds))
    return outcomes
