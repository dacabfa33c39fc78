"""A tournament as its page shows it: standings, cross table, wall chart, rounds, bracket."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

from django.urls import reverse

from ladder.models import Enrolment, Match, Pairing
from ladder.services.tournaments import Stored
from ladder.services.tournaments.export import outcome
from ladder.services.tournaments.stored import score_of
from ladder.tournaments.double_elimination import DoubleElimination
from ladder.tournaments.knockout import knockout_winner
from ladder.tournaments.single_elimination import SingleElimination
from ladder.tournaments.standings import meaning, shown
from ladder.views import tournament_brackets
from ladder.views.tournament_brackets import Drawing

WIDEST_CROSS_TABLE = 40
STRUCK = [Match.Status.VOID, Match.Status.CANCELLED]


@dataclass(frozen=True, slots=True)
class Cell:
    """One meeting as a short text, and where it leads."""

    text: str
    href: str = ""
    way: str = ""  # "won", "lost", "drawn", "open", "self"
    title: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One entrant in the standings."""

    place: int
    seed: int
    entrant: Enrolment
    points: str
    tie_breaks: list[str]
    why: str
    cells: list[list[Cell]]


@dataclass(frozen=True, slots=True)
class Seat:
    entrant: Enrolment
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


@dataclass(slots=True)
class Sheet:
    """Everything below the headline of a tournament that has begun."""

    lines: list[Line] = field(default_factory=list)
    tie_breaks: list[tuple[str, str]] = field(default_factory=list)  # name, meaning
    columns: list[str] = field(default_factory=list)  # of the cells
    kind: str = "plain"  # "cross", "wall", "bracket" or "plain": what the cells are
    brackets: list[tuple[str, Drawing]] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    round: int = 0
    tables: list[TableLine] = field(default_factory=list)
    played: int = 0
    drawn: int = 0
    champion: Enrolment | None = None


def sheet_of(stored: Stored, wanted_round: int | None) -> Sheet:
    """The whole sheet in one query besides the stored rows."""
    live = _live_matches(stored.open)
    sheet = Sheet(
        rounds=sorted({one.round for one in stored.pairings}),
        drawn=len(stored.pairings),
        played=len(stored.pairings) - len(stored.open),
    )
    sheet.round = wanted_round if wanted_round in sheet.rounds else _current_round(stored)
    sheet.tables = [
        _table_line(stored, one, live) for one in stored.pairings if one.round == sheet.round
    ]
    _fill_lines(sheet, stored, live)
    format_ = stored.format
    if isinstance(format_, SingleElimination | DoubleElimination):
        sheet.kind = "bracket"
        by_label = {one.label: one for one in stored.pairings}
        filled = format_.bracket(stored.event())

        def name(seed: int) -> str:
            return stored.entrants[seed].bot.name

        def link(label: str) -> str:
            return _address(by_label[label], live) if label in by_label else ""

        sheet.brackets = [
            ("wide", tournament_brackets.wide(filled, name, link)),
            ("tall", tournament_brackets.tall(filled, name, link)),
        ]
    champion = stored.champion()
    sheet.champion = stored.entrants[champion] if champion else None
    return sheet


Live = dict[int, list[tuple[int, int, str]]]  # by table: number of the set, match, status


def _live_matches(pairings: list[Pairing]) -> Live:
    live: Live = defaultdict(list)
    rows = Match.objects.filter(pairing__in=pairings).exclude(status__in=STRUCK)
    for pairing, number, pk, status in rows.order_by("number").values_list(
        "pairing", "number", "pk", "status"
    ):
        live[pairing].append((number, pk, status))
    return live


def _current_round(stored: Stored) -> int:
    under_way = [one.round for one in stored.open]
    return min(under_way, default=max((one.round for one in stored.pairings), default=0))


def _sets(pairing: Pairing, live: Live) -> list[tuple[int, str, str]]:
    if pairing.result is not None:
        found = [(one["number"], one["match"], "finished") for one in pairing.result["sets"]]
    else:
        found = live.get(pairing.pk, [])
    return [(number, reverse("match", args=[pk]), status) for number, pk, status in found]


def _address(pairing: Pairing, live: Live) -> str:
    sets = _sets(pairing, live)
    return sets[-1][1] if sets else ""


def _table_line(stored: Stored, pairing: Pairing, live: Live) -> TableLine:
    state = outcome(pairing)
    sets = _sets(pairing, live)
    points: tuple[Fraction, ...] = ()
    why = ""
    if pairing.result is not None:
        score = score_of(pairing)
        points = score.points()
        if stored.format.is_knockout and state == "played":
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


def _fill_lines(sheet: Sheet, stored: Stored, live: Live) -> None:
    rows = stored.standings()
    is_bracket = stored.format.is_knockout
    names = list(rows[0].tie_breaks) if rows and not is_bracket else []
    sheet.tie_breaks = [(name, meaning(name)) for name in names]
    order = [row.entrant for row in rows]
    cells: dict[int, list[list[Cell]]] = {seed: [] for seed in order}
    if stored.tournament.format == "round_robin" and len(order) <= WIDEST_CROSS_TABLE:
        sheet.kind = "cross"
        sheet.columns = [str(seed) for seed in order]
        cells = _cross_table(stored, order, live)
    elif stored.tournament.format == "swiss":
        sheet.kind = "wall"
        sheet.columns = [f"R{number}" for number in sheet.rounds]
        cells = _wall_chart(stored, order, sheet.rounds, live)
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


LETTER = {"won": "W", "drawn": "D", "lost": "L", "open": "·"}
WORD = {Fraction(1): ("1", "won"), Fraction(1, 2): ("½", "drawn"), Fraction(0): ("0", "lost")}


def _meetings(stored: Stored, live: Live) -> dict[tuple[int, int], list[tuple[int, Cell]]]:
    """By entrant and opponent: the round of each meeting and its cell."""
    found: dict[tuple[int, int], list[tuple[int, Cell]]] = defaultdict(list)
    for pairing in stored.pairings:
        if len(pairing.entrants) != 2 or outcome(pairing) == "called off":
            continue
        href = _address(pairing, live)
        points = score_of(pairing).points() if pairing.result is not None else (None, None)
        for own, other, scored in zip(
            pairing.entrants, pairing.entrants[::-1], points, strict=True
        ):
            text, way = WORD[scored] if scored is not None else ("·", "open")
            title = f"{pairing.label}: {stored.entrants[own].bot.name} – "
            title += stored.entrants[other].bot.name
            found[own, other].append((pairing.round, Cell(text, href, way, title)))
    return found


def _cross_table(stored: Stored, order: list[int], live: Live) -> dict[int, list[list[Cell]]]:
    met = _meetings(stored, live)
    return {
        own: [
            [Cell("×", way="self")] if own == other else [cell for _, cell in met[own, other]]
            for other in order
        ]
        for own in order
    }


def _wall_chart(
    stored: Stored, order: list[int], rounds: list[int], live: Live
) -> dict[int, list[list[Cell]]]:
    """Round by round: how it ended, and the opponent's seed."""
    by_round: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    for (own, other), cells in _meetings(stored, live).items():
        for number, cell in cells:
            text = f"{LETTER[cell.way]}{other}"
            by_round[own, number].append(Cell(text, cell.href, cell.way, cell.title))
    for pairing in stored.pairings:
        if len(pairing.entrants) == 1:
            (seed,) = pairing.entrants
            by_round[seed, pairing.round].append(Cell("bye", way="won", title="a free point"))
    return {seed: [by_round[seed, number] for number in rounds] for seed in order}
