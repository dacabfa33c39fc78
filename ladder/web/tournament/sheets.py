"""A tournament as its page shows it: standings, cross table, wall chart, rounds, bracket."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ladder.contract.tournaments import Drawn, ShownEntrant
from ladder.queries.matches import live_sets
from ladder.queries.tournaments import Begun
from ladder.tournaments.bracket import Bracket, stage_name
from ladder.tournaments.format import CrossTable, Outcome, WallChart
from ladder.tournaments.format import Sheet as Shows
from ladder.tournaments.formats.groups import Group, GroupStages
from ladder.tournaments.knockout import knockout_winner
from ladder.tournaments.standings import meaning, shown
from ladder.tournaments.stored import outcome_of, score_of
from ladder.web.tournament import brackets
from ladder.web.tournament.brackets import Drawing
from ladder.web.tournament.cells import (
    Cell,
    Cells,
    Live,
    address,
    cross_table,
    sets_of,
    shared_tables,
    wall_chart,
)

WIDEST_CROSS_TABLE = 40
MOST_PRINTED = 400  # tables; a page on paper has all rounds


@dataclass(frozen=True, slots=True)
class Line:
    """One entrant in the standings."""

    place: int
    seed: int
    entrant: ShownEntrant
    points: str
    tie_breaks: list[str]
    why: str
    cells: list[list[Cell]]


@dataclass(frozen=True, slots=True)
class Seat:
    entrant: ShownEntrant
    points: str
    way: str


@dataclass(frozen=True, slots=True)
class TableLine:
    """One table of a round."""

    label: str
    seats: list[Seat]
    sets: list[tuple[int, str, str]]  # number, address, status
    state: str  # "played", "bye", "called off", "queued", "running"
    why: str = ""


@dataclass(frozen=True, slots=True)
class GroupLine:
    """One entrant in its group."""

    place: int
    seed: int
    entrant: ShownEntrant
    points: str
    cells: list[list[Cell]]
    goes_on: bool


@dataclass(frozen=True, slots=True)
class GroupTable:
    """One group: who met whom there, or what each scored at its tables."""

    title: str
    is_cross: bool  # otherwise a column is a table that all share
    columns: list[tuple[str, str]]  # short text, and what it stands for
    lines: list[GroupLine]


@dataclass(slots=True)
class Sheet:
    """Everything below the headline of a tournament that has begun."""

    lines: list[Line] = field(default_factory=list)
    tie_breaks: list[tuple[str, str]] = field(default_factory=list)  # name, meaning
    columns: list[str] = field(default_factory=list)  # of the cells
    kind: str = "plain"  # "cross", "wall", "bracket" or "plain": what the cells are
    brackets: list[tuple[str, str, Drawing]] = field(default_factory=list)  # where, title
    groups: list[GroupTable] = field(default_factory=list)  # the newest stage first
    rounds: dict[int, str] = field(default_factory=dict)  # what to call each on its tab
    round: int = 0
    tables: list[TableLine] = field(default_factory=list)
    printed: list[tuple[str, list[TableLine]]] = field(default_factory=list)  # the other rounds
    played: int = 0
    drawn: int = 0
    champion: ShownEntrant | None = None

    @property
    def round_title(self) -> str:
        return self.rounds[self.round] if self.kind == "bracket" else f"Round {self.round}"


def sheet_of(stored: Begun, wanted_round: int | None) -> Sheet:
    """The whole sheet in one query besides the stored rows."""
    live = live_sets(one.id for one in stored.open)
    sheet = Sheet(
        rounds={number: str(number) for number in sorted({one.round for one in stored.pairings})},
        drawn=len(stored.pairings),
        played=len(stored.pairings) - len(stored.open),
    )
    sheet.round = wanted_round if wanted_round in sheet.rounds else _current_round(stored)
    sheet.tables = [
        _table_line(stored, one, live) for one in stored.pairings if one.round == sheet.round
    ]
    if len(stored.pairings) <= MOST_PRINTED:
        others: dict[int, list[TableLine]] = {}
        for one in stored.pairings:
            if one.round != sheet.round:
                others.setdefault(one.round, []).append(_table_line(stored, one, live))
        sheet.printed = [(f"Round {number}", others[number]) for number in sorted(others)]
    shows = stored.format.sheet(stored.event())
    _fill_lines(sheet, stored, shows, live)
    if isinstance(shows, Bracket):
        sheet.kind = "bracket"
        by_label = {one.label: one for one in stored.pairings}
        filled = shows.filled
        # As the drawing calls them: the losers' rounds have numbers of their own.
        for number in sheet.rounds:
            stages = [
                stage_name(one, filled) for one in filled.values() if one.node.round == number
            ]
            sheet.rounds[number] = ", ".join(dict.fromkeys(stages))

        def name(seed: int) -> str:
            return stored.entrants[seed].name

        def link(label: str) -> str:
            return address(by_label[label], live) if label in by_label else ""

        sheet.brackets = [
            ("wide", "Bracket", brackets.wide(filled, name, link)),
            *(("side", title, side) for title, side in brackets.sides(filled, name, link)),
        ]
    if isinstance(shows, GroupStages):
        sheet.groups = _group_tables(stored, shows.groups, live)
    champion = stored.champion()
    sheet.champion = stored.entrants[champion] if champion else None
    return sheet


def _current_round(stored: Begun) -> int:
    under_way = [one.round for one in stored.open]
    return min(under_way, default=max((one.round for one in stored.pairings), default=0))


def _table_line(stored: Begun, pairing: Drawn, live: Live) -> TableLine:
    state: str | None = outcome_of(pairing)
    sets = sets_of(pairing, live)
    points: tuple[Fraction, ...] = ()
    why = ""
    if pairing.result is not None:
        score = score_of(pairing)
        points = score.points()
        if stored.format.is_knockout and state is Outcome.PLAYED:
            decision = knockout_winner(pairing.entrants, score.sets, stored.tournament.sets)
            points = tuple(Fraction(seed == decision.winner) for seed in pairing.entrants)
            why = decision.reason
    best = max(points, default=Fraction(0))
    is_won = len(points) > 1 and points.count(best) == 1
    seats = [
        Seat(
            stored.entrants[seed],
            shown(points[i]) if points else "",
            "won" if is_won and points[i] == best else "",
        )
        for i, seed in enumerate(pairing.entrants)
    ]
    if state is None:
        state = "running" if any(status == "running" for _, _, status in sets) else "queued"
    return TableLine(pairing.label, seats, sets, state, why)


def _fill_lines(sheet: Sheet, stored: Begun, shows: Shows, live: Live) -> None:
    rows = stored.standings()
    is_bracket = stored.format.is_knockout
    names = list(rows[0].tie_breaks) if rows and not is_bracket else []
    sheet.tie_breaks = [(name, meaning(name)) for name in names]
    order = [row.entrant for row in rows]
    cells: Cells = {seed: [] for seed in order}
    if isinstance(shows, CrossTable) and len(order) <= WIDEST_CROSS_TABLE:
        sheet.kind = "cross"
        sheet.columns = [str(seed) for seed in order]
        cells = cross_table(stored, order, shows.tables, live)
    elif isinstance(shows, WallChart):
        sheet.kind = "wall"
        sheet.columns = [f"R{number}" for number in sheet.rounds]
        cells = wall_chart(stored, order, list(sheet.rounds), live)
    sheet.lines = [
        Line(
            place=row.place,
            seed=row.entrant,
            entrant=stored.entrants[row.entrant],
            points=shown(row.points),
            tie_breaks=[shown(row.tie_breaks[name]) for name in names],
            why=row.explanation,
            cells=cells[row.entrant],
        )
        for row in rows
    ]


def _group_tables(stored: Begun, groups: Sequence[Group], live: Live) -> list[GroupTable]:
    stages = groups[-1].stage
    newest_first = sorted(groups, key=lambda one: -one.stage)
    return [_group_table(stored, one, live, stages=stages) for one in newest_first]


def _group_table(stored: Begun, group: Group, live: Live, *, stages: int) -> GroupTable:
    order = [row.entrant for row in group.rows]
    is_cross = all(len(table.entrants) <= 2 for table in group.tables)
    if is_cross:
        columns = [(str(seed), stored.entrants[seed].name) for seed in order]
        cells = cross_table(stored, order, group.tables, live)
    else:
        columns = [(f"T{n}", table.label) for n, table in enumerate(group.tables, 1)]
        cells = shared_tables(stored, order, group.tables, live)
    # With one stage before the final, its number would mean nothing.
    is_plain = group.is_final or stages <= 2
    return GroupTable(
        title=group.name if is_plain else f"Stage {group.stage}, {group.name}",
        is_cross=is_cross,
        columns=columns,
        lines=[
            GroupLine(
                place=row.place,
                seed=row.entrant,
                entrant=stored.entrants[row.entrant],
                points=shown(row.points),
                cells=cells[row.entrant],
                goes_on=row.entrant in group.gone_on,
            )
            for row in group.rows
        ],
    )
