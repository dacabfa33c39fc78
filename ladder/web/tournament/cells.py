"""The cells of a tournament's tables: one meeting each, leading to its match."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from django.urls import reverse

from ladder.contract.tournaments import Drawn
from ladder.queries.tournaments import Begun
from ladder.tournaments import Table
from ladder.tournaments.format import Outcome
from ladder.tournaments.standings import shown
from ladder.tournaments.stored import outcome_of, score_of

LETTER = {"won": "W", "drawn": "D", "lost": "L", "open": "·"}
WORD = {Fraction(1): ("1", "won"), Fraction(1, 2): ("½", "drawn"), Fraction(0): ("0", "lost")}


@dataclass(frozen=True, slots=True)
class Cell:
    """One meeting as a short text, and where it leads."""

    text: str
    href: str = ""
    way: str = ""  # "won", "lost", "drawn", "open", "self"
    title: str = ""


Cells = dict[int, list[list[Cell]]]  # by entrant: for each column the meetings
Live = dict[int, list[tuple[int, int, str]]]  # by table: number of the set, match, status


def sets_of(pairing: Drawn, live: Live) -> list[tuple[int, str, str]]:
    """Number, address and status of each set of a table."""
    if pairing.result is not None:
        found = [(one["number"], one["match"], "finished") for one in pairing.result["sets"]]
    else:
        found = live.get(pairing.id, [])
    return [(number, reverse("match", args=[pk]), status) for number, pk, status in found]


def address(pairing: Drawn, live: Live) -> str:
    sets = sets_of(pairing, live)
    return sets[-1][1] if sets else ""


def cross_table(stored: Begun, order: list[int], tables: Iterable[Table], live: Live) -> Cells:
    """Each against each, over those of the planned tables of two that were drawn."""
    drawn = {(one.round, one.table): one for one in stored.pairings}
    met: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    for table in tables:
        pairing = drawn.get((table.round, table.number))
        if pairing is None or outcome_of(pairing) is Outcome.CALLED_OFF:
            continue
        if len(pairing.entrants) == 1:
            for own, other in (table.entrants, table.entrants[::-1]):
                text, way = ("+", "won") if own in pairing.entrants else ("–", "lost")
                title = f"{_title(stored, pairing, own, other)}, walkover"
                met[own, other].append(Cell(text, way=way, title=title))
            continue
        for own, other, cell in _meeting(stored, pairing, live):
            met[own, other].append(cell)
    return {
        own: [[Cell("×", way="self")] if own == other else met[own, other] for other in order]
        for own in order
    }


def wall_chart(stored: Begun, order: list[int], rounds: list[int], live: Live) -> Cells:
    """Round by round: how it ended, and the opponent's seed."""
    by_round: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    for pairing in stored.pairings:
        if len(pairing.entrants) == 1:
            (seed,) = pairing.entrants
            by_round[seed, pairing.round].append(Cell("bye", way="won", title="a free point"))
        elif outcome_of(pairing) is not Outcome.CALLED_OFF:
            for own, other, cell in _meeting(stored, pairing, live):
                text = f"{LETTER[cell.way]}{other}"
                by_round[own, pairing.round].append(Cell(text, cell.href, cell.way, cell.title))
    return {seed: [by_round[seed, number] for number in rounds] for seed in order}


def shared_tables(stored: Begun, order: list[int], tables: Iterable[Table], live: Live) -> Cells:
    """Where all sit at one table: what each scored there, table by table."""
    drawn = {(one.round, one.table): one for one in stored.pairings}
    cells: Cells = {seed: [] for seed in order}
    for table in tables:
        pairing = drawn.get((table.round, table.number))
        own = _at_table(pairing, live) if pairing is not None else {}
        for seed in order:
            cells[seed].append([own[seed]] if seed in own else [])
    return cells


def _at_table(pairing: Drawn, live: Live) -> dict[int, Cell]:
    if outcome_of(pairing) is Outcome.CALLED_OFF:
        return {}
    href = address(pairing, live)
    if pairing.result is None:
        return dict.fromkeys(pairing.entrants, Cell("·", href, "open", pairing.label))
    points = score_of(pairing).points()
    best = max(points)
    is_won = points.count(best) == 1
    return {
        seed: Cell(shown(own), href, "won" if is_won and own == best else "", pairing.label)
        for seed, own in zip(pairing.entrants, points, strict=True)
    }


def _meeting(stored: Begun, pairing: Drawn, live: Live) -> Iterator[tuple[int, int, Cell]]:
    """A table of two from both sides: the one, the other, the cell."""
    href = address(pairing, live)
    points = score_of(pairing).points() if pairing.result is not None else (None, None)
    for own, other, scored in zip(pairing.entrants, pairing.entrants[::-1], points, strict=True):
        text, way = WORD[scored] if scored is not None else ("·", "open")
        yield own, other, Cell(text, href, way, _title(stored, pairing, own, other))


def _title(stored: Begun, pairing: Drawn, own: int, other: int) -> str:
    return f"{pairing.label}: {stored.entrants[own].name} – {stored.entrants[other].name}"
