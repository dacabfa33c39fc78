"""Gauntlet: challengers against reference bots, reported as place and performance."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from ladder.ratings.fit import Fit, Rated, fit
from ladder.ratings.intervals import interval_in_words
from ladder.ratings.outcome import Outcome
from ladder.tournaments.format import Event, Format, FormatPreview, Option, Row, Score, Table
from ladder.tournaments.formats.round_robin import round_tables
from ladder.tournaments.standings import Column, EntrantResults, rank


class Gauntlet(Format):
    """Each challenger meets each reference bot; the top seeds are the challengers."""

    name = "gauntlet"
    title = "Gauntlet"
    description = (
        "Each challenger, from the top seed on, meets each of the reference bots that follow. "
        "The order is by performance: the Elo that explains the results best, with the "
        "references expected at the ratings they are known by, within their error. "
        "Nobody is champion: a challenger learns its place among the references."
    )
    crowns_champion = False  # a reference bot may stand first
    options = (
        Option("challengers", 1, 1, 64, "how many of the top seeds are challengers"),
        Option("cycles", 1, 1, 10, "how often a challenger meets each reference"),
    )

    def tables_due(self, event: Event) -> list[Table]:
        rounds = enumerate(self._rounds(event.entrants, event.options), 1)
        tables = (round_tables(number, pairs) for number, pairs in rounds)
        return event.first_due(tables, annulled=event.withdrawn)

    def standings(self, event: Event) -> list[Row]:
        results = EntrantResults(event.seeds, event.finished)
        # Whole points: differences below that are not worth a place.
        rated = self.fitted(event).rated
        values = {seed: Fraction(round(rated[seed].value)) for seed in event.seeds}
        columns = [Column("performance", values), Column("points", results.points)]
        challengers = self._challengers(event.entrants, event.options)
        return [
            replace(row, explanation=f"{_performance(rated[row.entrant])}; {row.explanation}")
            if row.entrant <= challengers
            else row
            for row in rank(columns, results.points, event.withdrawn)
        ]

    def champion(self, event: Event) -> int | None:
        """Nobody: a gauntlet measures its challengers, it does not crown one."""
        return None

    def preview(self, entrants: int, options: Mapping[str, int] | None = None) -> FormatPreview:
        rounds = self._rounds(entrants, options)
        challengers = self._challengers(entrants, options)
        note = f"challengers: {challengers}, references: {entrants - challengers}"
        return FormatPreview(len(rounds), sum(map(len, rounds)), note)

    def fitted(self, event: Event) -> Fit:
        """Elo with intervals, by seed; references are expected at their ratings, within error."""
        challengers = self._challengers(event.entrants, event.options)
        known = {s: elo for s, elo in event.ratings.items() if s > challengers}
        errors = {s: event.errors[s] for s in known if event.errors.get(s)}
        outcomes = [one for score in event.finished for one in outcomes_of(score)]
        return fit(
            outcomes,
            fixed={s: elo for s, elo in known.items() if s not in errors},
            measured={s: (known[s], error) for s, error in errors.items()},
            versions=event.seeds,
        )

    def _challengers(self, entrants: int, options: Mapping[str, int] | None) -> int:
        return min(self.option(options, "challengers"), entrants - 1)

    def _rounds(
        self, entrants: int, options: Mapping[str, int] | None
    ) -> list[list[tuple[int, int]]]:
        """Every challenger meets every reference once a cycle, and nobody plays twice a round."""
        challengers = self._challengers(entrants, options)
        references = range(challengers + 1, entrants + 1)
        length = max(challengers, len(references))
        return [
            [
                (c, references[(c - 1 + r) % length])
                for c in range(1, challengers + 1)
                if (c - 1 + r) % length < len(references)
            ]
            for _ in range(self.option(options, "cycles"))
            for r in range(length)
        ]


def _performance(rated: Rated) -> str:
    """A challenger's performance in words."""
    return f"performance {rated.value:.0f}, {interval_in_words(rated.value, rated.low, rated.high)}"


def outcomes_of(score: Score) -> list[Outcome]:
    """The sets of a table of two as rated results."""
    if len(score.table.entrants) != 2:
        return []
    outcomes = []
    for one in score.sets:
        a, b = (float(share * one.rounds) for share in one.shares)
        outcomes.append(Outcome(score.table.entrants, ((0.0, a), (b, 0.0)), one.rounds))
    return outcomes
