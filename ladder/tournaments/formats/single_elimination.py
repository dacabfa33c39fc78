"""Single elimination: who loses is out."""

from collections.abc import Mapping

from ladder.tournaments.bracket import (
    SETS,
    Bracketed,
    Filled,
    Node,
    Part,
    bracket_size,
    fill,
    first_round,
    loser_of_match,
    winner_of_match,
)
from ladder.tournaments.format import Event, FormatPreview, Option


class SingleElimination(Bracketed):
    """A knockout bracket; byes go to the top seeds."""

    name = "single_elimination"
    title = "Single elimination"
    description = (
        "A knockout: the loser of a match is out. The best seeds can only meet late, and have "
        "the byes. A drawn match goes on until a set is won."
    )
    options = (
        SETS,
        Option("third_place", 0, 0, 1, "a match for third place"),
    )

    def preview(self, entrants: int, options: Mapping[str, int] | None = None) -> FormatPreview:
        byes = bracket_size(entrants) - entrants
        third = self.option(options, "third_place") and entrants > 3
        return FormatPreview(
            rounds=bracket_size(entrants).bit_length() - 1,
            matches=entrants - 1 + bool(third),
            note=_byes(byes),
        )

    def bracket(self, event: Event) -> dict[str, Filled]:
        """Every match by label, in order, with its feeders and what is known of it."""
        nodes = single_elimination_nodes(
            event.entrants, third_place=bool(self.option(event.options, "third_place"))
        )
        return fill(nodes, event, self.option(event.options, "sets"))


def _byes(count: int) -> str:
    if count == 1:
        return "a bye for the best seed"
    return f"byes for the best {count} seeds" if count else "no byes"


def single_elimination_nodes(entrants: int, *, third_place: bool) -> list[Node]:
    """The matches of a bracket, round by round."""
    nodes: list[Node] = []
    pairs, number = first_round(entrants), 1
    while True:
        is_final = len(pairs) == 1
        current = [
            Node(
                label="Final" if is_final else f"R{number}-{place}",
                round=number,
                number=place,
                part=Part.FINAL if is_final else Part.WINNERS,
                sources=pair,
                stage=0 if is_final else number,
            )
            for place, pair in enumerate(pairs, 1)
        ]
        if is_final and third_place and nodes:
            losers = (loser_of_match(nodes[-2]), loser_of_match(nodes[-1]))
            nodes.append(Node("Third place", number, 2, Part.THIRD_PLACE, losers))
        nodes += current
        if is_final:
            return nodes
        sides = [winner_of_match(node) for node in current]
        pairs, number = list(zip(sides[::2], sides[1::2], strict=True)), number + 1
