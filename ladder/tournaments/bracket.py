"""Brackets: which match feeds which, and how far the results have filled them."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from ladder.tournaments.format import Event, Format, Option, Row, Score, Sheet, Table
from ladder.tournaments.knockout import winner_of


class Take(StrEnum):
    """What a source takes from where it points."""

    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"


class Part(StrEnum):
    """Where a match is drawn, and what it is called."""

    WINNERS = "winners"
    LOSERS = "losers"
    THIRD_PLACE = "third place"
    FINAL = "final"
    RESET = "reset"


@dataclass(frozen=True, slots=True)
class Source:
    """Where one side of a match comes from: a seed, or another match's winner or loser."""

    take: Take
    seed: int = 0
    label: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """One match of a bracket before anything is played."""

    label: str
    round: int
    number: int
    part: Part
    sources: tuple[Source, Source]
    stage: int = 0  # its column, counted from 1; 0: the one after what feeds it


class State(StrEnum):
    """How far one match of a bracket is."""

    WAITING = "waiting"  # for the matches that feed it
    DUE = "due"
    FINISHED = "finished"
    WALKOVER = "walkover"  # a bye, or the other side withdrew
    EMPTY = "empty"  # nobody is left to play it
    NOT_NEEDED = "not needed"  # a reset after the unbeaten side won


@dataclass(frozen=True, slots=True)
class Filled:
    """One match of a bracket as the results have it; 0 stands for nobody, None for not known."""

    node: Node
    state: State
    entrants: tuple[int | None, int | None]
    winner: int | None = None
    loser: int | None = None
    score: Score | None = None


NOBODY = 0


def bracket_order(size: int) -> list[int]:
    """Seeds from top to bottom so that the best meet last; size is a power of two."""
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [seed for one in order for seed in (one, total - one)]
    return order


def bracket_size(entrants: int) -> int:
    """The smallest power of two that holds everybody."""
    return 1 << max(1, (entrants - 1).bit_length())


def first_round(entrants: int) -> list[tuple[Source, Source]]:
    """The opening pairs, top seeds against nobody where entrants are missing."""
    order = [seed if seed <= entrants else NOBODY for seed in bracket_order(bracket_size(entrants))]
    sides = [Source(Take.SEED, seed=seed) for seed in order]
    return list(zip(sides[::2], sides[1::2], strict=True))


def winner_of_match(node: Node) -> Source:
    """The source that takes a match's winner."""
    return Source(Take.WINNER, label=node.label)


def loser_of_match(node: Node) -> Source:
    """The source that takes a match's loser."""
    return Source(Take.LOSER, label=node.label)


def fill(nodes: Sequence[Node], event: Event, planned_sets: int) -> dict[str, Filled]:
    """Follow the results through the bracket; `nodes` must list feeders before what they feed."""
    scores = event.score_at()
    filled: dict[str, Filled] = {}
    for node in nodes:
        score = scores.get((node.round, node.number))
        filled[node.label] = _fill_one(node, filled, event, score, planned_sets)
    return filled


def tables_of(filled: Mapping[str, Filled]) -> list[Table]:
    """The matches both sides of which are known and which are not decided."""
    return [
        Table(one.node.round, one.node.number, one.node.label, tuple(filter(None, one.entrants)))
        for one in filled.values()
        if one.state is State.DUE
    ]


def champion_of(filled: Mapping[str, Filled]) -> int | None:
    """The winner of the last match that is needed."""
    last = [
        one
        for one in filled.values()
        if one.node.part in (Part.FINAL, Part.RESET) and one.state is not State.NOT_NEEDED
    ][-1]
    return last.winner or None


def bracket_standings(filled: Mapping[str, Filled], event: Event) -> list[Row]:
    """Everybody by how far they came; those who left at the same stage share a place."""
    exits = {seed: _exit(seed, filled) for seed in event.seeds}
    wins = dict.fromkeys(event.seeds, 0)
    for one in filled.values():
        if one.state is State.FINISHED and one.winner:
            wins[one.winner] += 1
    order = sorted(event.seeds, key=lambda seed: (tuple(-part for part in exits[seed][0]), seed))
    rows: list[Row] = []
    for i, seed in enumerate(order):
        reached, why = exits[seed]
        shares = rows and exits[rows[-1].entrant][0] == reached
        rows.append(
            Row(
                place=rows[-1].place if shares else i + 1,
                entrant=seed,
                points=Fraction(wins[seed]),
                tie_breaks={"stage": reached[0]},
                explanation=f"{wins[seed]} won; {why}",
                is_withdrawn=seed in event.withdrawn,
            )
        )
    return rows


PARTS = {
    Part.WINNERS: "Winners",
    Part.LOSERS: "Losers",
    Part.THIRD_PLACE: "Third place",
    Part.FINAL: "Final",
    Part.RESET: "Second final",
}
STILL_IN = 1_000_000


def is_drawn(one: Filled) -> bool:
    """Byes stay out of the picture, and a second final unless it is needed."""
    if one.node.part == Part.RESET and one.state in (State.WAITING, State.NOT_NEEDED):
        return False
    return one.state not in (State.WALKOVER, State.EMPTY) or NOBODY not in one.entrants


def stage_name(one: Filled, filled: Mapping[str, Filled]) -> str:
    """What people call a stage; rounds that hold nothing but byes are not counted."""
    part = one.node.part
    if part not in (Part.WINNERS, Part.LOSERS):
        return PARTS[part]
    drawn = {
        other.node.round for other in filled.values() if other.node.part == part and is_drawn(other)
    }
    number = len([stage for stage in drawn if stage <= one.node.round]) or 1
    return f"{'Losers’ round' if part is Part.LOSERS else 'Round'} {number}"


def _spoken(one: Filled, filled: Mapping[str, Filled]) -> str:
    """A stage within a sentence: `the final`, `losers’ round 2`."""
    if one.node.part == Part.THIRD_PLACE:
        return "the match for third place"
    name = stage_name(one, filled)
    name = f"{name[:1].lower()}{name[1:]}"
    return name if one.node.part in (Part.WINNERS, Part.LOSERS) else f"the {name}"


def _exit(seed: int, filled: Mapping[str, Filled]) -> tuple[tuple[int, int, int], str]:
    """The stage at which an entrant left, later is better, and in words."""
    routes = {
        (source.take, source.label)
        for one in filled.values()
        if one.state is not State.NOT_NEEDED
        for source in one.node.sources
    }
    for one in reversed(list(filled.values())):
        main = int(one.node.part != Part.THIRD_PLACE)
        if one.state is State.EMPTY and seed in one.entrants:
            return (one.node.round, main, 0), f"withdrew before {_spoken(one, filled)}"
        if seed not in (one.winner, one.loser):
            continue
        won = seed == one.winner
        if (Take.WINNER if won else Take.LOSER, one.node.label) in routes:
            break
        verb = "won" if won else "lost"
        if one.state is State.WALKOVER:
            verb = "walked over in" if won else "withdrew before"
        if verb == "lost" and one.node.part in (Part.WINNERS, Part.LOSERS):
            verb = "out in"
        return (one.node.round, main, int(won)), f"{verb} {_spoken(one, filled)}"
    return (STILL_IN, 0, 0), "still in"


def _fill_one(
    node: Node,
    filled: Mapping[str, Filled],
    event: Event,
    score: Score | None,
    planned_sets: int,
) -> Filled:
    if node.part == Part.RESET:
        final = filled[node.sources[0].label]
        if final.winner is None:
            return Filled(node, State.WAITING, (None, None))
        if final.winner == final.entrants[0] or NOBODY in final.entrants:
            return Filled(node, State.NOT_NEEDED, (None, None))
    sides = tuple(_follow(source, filled) for source in node.sources)
    a, b = sides
    if score is not None:
        winner = winner_of(score, planned_sets)
        if winner is not None:
            # Who played stands, even if a walkover that led here would go another way by now.
            played = score.table.entrants if not score.table.is_bye else (a, b)
            return _decided(node, State.FINISHED, (played[0], played[1]), winner, score)
    if a is None or b is None:
        return Filled(node, State.WAITING, (a, b))
    left = [seed for seed in (a, b) if seed != NOBODY and seed not in event.withdrawn]
    if len(left) == 2:
        return Filled(node, State.DUE, (a, b), score=score)
    if left:
        return _decided(node, State.WALKOVER, (a, b), left[0])
    return Filled(node, State.EMPTY, (a, b), winner=NOBODY, loser=NOBODY)


def _decided(
    node: Node,
    state: State,
    sides: tuple[int | None, int | None],
    winner: int,
    score: Score | None = None,
) -> Filled:
    loser = next((seed for seed in sides if seed != winner), NOBODY)
    return Filled(node, state, sides, winner, loser, score)


def _follow(source: Source, filled: Mapping[str, Filled]) -> int | None:
    if source.take is Take.SEED:
        return source.seed
    match = filled[source.label]
    return match.winner if source.take is Take.WINNER else match.loser


@dataclass(frozen=True, slots=True)
class Bracket(Sheet):
    """Every match by label, in order, with its feeders and what is known of it."""

    filled: Mapping[str, Filled]


class Bracketed(Format):
    """A knockout: who meets whom follows from a bracket."""

    is_knockout = True

    def sheet(self, event: Event) -> Bracket:
        return Bracket(self.bracket(event))

    @abstractmethod
    def bracket(self, event: Event) -> dict[str, Filled]:
        """Every match by label, in order, with its feeders and what is known of it."""

    def given(self, *, sides: int, sizes: range, sets: int) -> dict[str, int]:
        return {"sets": sets}

    def tables_due(self, event: Event) -> list[Table]:
        return tables_of(self.bracket(event))

    def standings(self, event: Event) -> list[Row]:
        return bracket_standings(self.bracket(event), event)

    def champion(self, event: Event) -> int | None:
        return champion_of(self.bracket(event))


SETS = Option("sets", 1, 1, 9, "duplicate sets in a match", is_shown=False)
