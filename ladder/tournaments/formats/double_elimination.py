"""Double elimination: who loses twice is out."""

from collections.abc import Mapping, Sequence

from ladder.tournaments.bracket import (
    SETS,
    Bracketed,
    Filled,
    Node,
    Part,
    Source,
    fill,
    first_round,
    loser_of_match,
    winner_of_match,
)
from ladder.tournaments.format import Event, FormatPreview, Option


class DoubleElimination(Bracketed):
    """A knockout with a second bracket for those who lost once."""

    name = "double_elimination"
    title = "Double elimination"
    description = (
        "A knockout in which a first loss leads to the losers' bracket and a second one out. "
        "Losers cross to the other half to put off rematches. If the unbeaten side loses the "
        "final, one more match decides."
    )
    options = (
        SETS,
        Option("reset", 1, 0, 1, "a second final if the unbeaten side loses the first"),
    )

    def preview(self, entrants: int, options: Mapping[str, int] | None = None) -> FormatPreview:
        reset = self.option(options, "reset")
        nodes = double_elimination_nodes(entrants, reset=bool(reset))
        return FormatPreview(
            rounds=len({node.round for node in nodes if node.part != Part.RESET}),
            matches=2 * entrants - 2,
            note="and one more if the unbeaten side loses the final" if reset else "no reset",
        )

    def bracket(self, event: Event) -> dict[str, Filled]:
        """Every match by label, in order, with its feeders and what is known of it."""
        reset = bool(self.option(event.options, "reset"))
        nodes = double_elimination_nodes(event.entrants, reset=reset)
        return fill(nodes, event, self.option(event.options, "sets"))


def double_elimination_nodes(entrants: int, *, reset: bool) -> list[Node]:
    """All matches, feeders first; each stage of either bracket is a round of its own."""
    drawing = _Drawing()
    winners = drawing.stage("W", Part.WINNERS, first_round(entrants))
    losers = [loser_of_match(node) for node in winners]
    drops = 0
    while len(winners) > 1:
        if len(losers) > 1:
            losers = drawing.advance(_pairs(losers))
        winners = drawing.stage(
            "W", Part.WINNERS, _pairs([winner_of_match(one) for one in winners])
        )
        drops += 1
        # Every second drop crosses to the other half, away from those met on the way.
        dropped = [loser_of_match(one) for one in (winners[::-1] if drops % 2 else winners)]
        losers = drawing.advance(list(zip(losers, dropped, strict=True)))
    final = drawing.single("Final", Part.FINAL, (winner_of_match(winners[0]), losers[0]))
    if reset:
        drawing.single("Reset", Part.RESET, (winner_of_match(final), loser_of_match(final)))
    return drawing.nodes


class _Drawing:
    """The bracket so far, numbering its stages."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._round = 0
        self._stages = {"W": 0, "L": 0}

    def stage(self, letter: str, part: Part, pairs: Sequence[tuple[Source, Source]]) -> list[Node]:
        self._round += 1
        self._stages[letter] += 1
        stage = self._stages[letter]
        added = [
            Node(f"{letter}{stage}-{place}", self._round, place, part, pair, stage)
            for place, pair in enumerate(pairs, 1)
        ]
        self.nodes += added
        return added

    def advance(self, pairs: Sequence[tuple[Source, Source]]) -> list[Source]:
        """One stage of the losers' bracket, and the sources of its winners."""
        return [winner_of_match(node) for node in self.stage("L", Part.LOSERS, pairs)]

    def single(self, label: str, part: Part, pair: tuple[Source, Source]) -> Node:
        self._round += 1
        self.nodes.append(Node(label, self._round, 1, part, pair))
        return self.nodes[-1]


def _pairs(sources: Sequence[Source]) -> list[tuple[Source, Source]]:
    return list(zip(sources[::2], sources[1::2], strict=True))
