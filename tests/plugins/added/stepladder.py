"""A bracket of its own shape. A test adds it to a copy of the project, as one file."""

from __future__ import annotations

from collections.abc import Mapping

from ladder.tournaments.bracket import SETS, Bracketed, Filled, Node, Part, Source, Take, fill
from ladder.tournaments.format import Event, FormatPreview


class Stepladder(Bracketed):
    """The two lowest meet, and the winner meets the next above, up to the favourite."""

    name = "stepladder"
    title = "Stepladder"
    description = "The lowest seeds meet first, and each winner meets the seed above."
    options = (SETS,)

    def bracket(self, event: Event) -> dict[str, Filled]:
        nodes: list[Node] = []
        climber = Source(Take.SEED, seed=event.entrants)
        for number, seed in enumerate(reversed(range(1, event.entrants)), 1):
            part = Part.FINAL if seed == 1 else Part.WINNERS
            pair = (climber, Source(Take.SEED, seed=seed))
            nodes.append(Node(f"Rung {seed}", number, 1, part, pair))
            climber = Source(Take.WINNER, label=nodes[-1].label)
        return fill(nodes, event, self.option(event.options, "sets"))

    def preview(self, entrants: int, options: Mapping[str, int] | None = None) -> FormatPreview:
        return FormatPreview(rounds=entrants - 1, matches=entrants - 1, note="no byes")
