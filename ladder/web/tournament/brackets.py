"""Where the boxes and lines of a bracket go; templates only put them into SVG."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ladder.tournaments.bracket import (
    NOBODY,
    Filled,
    Part,
    Source,
    State,
    Take,
    is_drawn,
    stage_name,
)
from ladder.tournaments.standings import shown

BOX_WIDTH, BOX_HEIGHT = 200, 50
GAP_X, GAP_Y = 24, 16
HEADING = 28
NAME_LETTERS = 17
FITS_A_PAGE = 1500  # units; a wider bracket is scrolled rather than made illegible


@dataclass(frozen=True, slots=True)
class Side:
    """One line of a box."""

    seed: str
    name: str
    score: str
    way: str  # "won", "lost" or nothing
    y: int


@dataclass(frozen=True, slots=True)
class Box:
    x: int
    y: int
    label: str
    title: str
    href: str
    sides: list[Side]

    width: int = BOX_WIDTH
    height: int = BOX_HEIGHT

    @property
    def edge(self) -> int:
        return self.x + BOX_WIDTH

    @property
    def right(self) -> int:
        return self.edge - 8

    @property
    def middle(self) -> int:
        return self.y + BOX_HEIGHT // 2

    @property
    def seed_x(self) -> int:
        return self.x + 22

    @property
    def name_x(self) -> int:
        return self.x + 30


@dataclass(slots=True)
class Drawing:
    """A bracket in a box of `width` by `height`."""

    width: int = 0
    height: int = 0
    boxes: list[Box] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    headings: list[tuple[int, int, str]] = field(default_factory=list)  # x, y, words

    @property
    def is_huge(self) -> bool:
        return self.width > FITS_A_PAGE


Name = Callable[[int], str]
Link = Callable[[str], str]


def wide(filled: Mapping[str, Filled], name: Name, link: Link) -> Drawing:
    """Rounds from left to right, the losers' bracket below the winners'."""
    return _drawing(filled, list(filled), name, link)


def sides(filled: Mapping[str, Filled], name: Name, link: Link) -> list[tuple[str, Drawing]]:
    """The same, the losers' bracket apart: a phone shows one at a time, as large."""
    lower = [label for label, one in filled.items() if one.node.part == Part.LOSERS]
    upper = [label for label in filled if label not in lower]
    found = [("Winners’ bracket" if lower else "Bracket", _drawing(filled, upper, name, link))]
    return [*found, ("Losers’ bracket", _drawing(filled, lower, name, link))] if lower else found


def _drawing(filled: Mapping[str, Filled], labels: list[str], name: Name, link: Link) -> Drawing:
    """These boxes where the whole bracket has them, moved to the corner."""
    columns, rows = _columns(filled), _rows(filled)
    shown_ones = [label for label in labels if is_drawn(filled[label])]
    left = min((columns[label] for label in shown_ones), default=0)
    top = min((rows[label] for label in shown_ones), default=0)
    drawing = Drawing()
    boxes: dict[str, Box] = {}
    for label in shown_ones:
        x = (columns[label] - left) * (BOX_WIDTH + GAP_X)
        y = HEADING + round((rows[label] - top) * (BOX_HEIGHT + GAP_Y))
        boxes[label] = _box(filled[label], x, y, name, link)
    drawing.boxes = list(boxes.values())
    drawing.width = max((box.x for box in drawing.boxes), default=0) + BOX_WIDTH
    drawing.height = max((box.y for box in drawing.boxes), default=0) + BOX_HEIGHT + 2
    for label, box in boxes.items():
        for source in filled[label].node.sources:
            feeder = boxes.get(source.label)
            if source.take is Take.WINNER and feeder is not None and feeder.x < box.x:
                bend = box.x - GAP_X // 2
                start = feeder.x + BOX_WIDTH
                drawing.lines.append(f"M{start} {feeder.middle}H{bend}V{box.middle}H{box.x}")
    drawing.headings = _headings(filled, boxes)
    return drawing


def _headings(filled: Mapping[str, Filled], boxes: Mapping[str, Box]) -> list[tuple[int, int, str]]:
    """Over the first box of each stage."""
    headings = []
    seen = set()
    for label, box in boxes.items():
        node = filled[label].node
        stage = (node.part, node.round)
        if stage not in seen:
            seen.add(stage)
            top = min(
                other.y
                for name, other in boxes.items()
                if (filled[name].node.part, filled[name].node.round) == stage
            )
            headings.append((box.x, top - 8, stage_name(filled[label], filled)))
    return headings


def _columns(filled: Mapping[str, Filled]) -> dict[str, int]:
    columns: dict[str, int] = {}
    for label, one in filled.items():
        if one.node.stage:
            columns[label] = one.node.stage - 1
        else:
            feeders = [columns[source.label] for source in one.node.sources if source.label]
            columns[label] = max(feeders, default=-1) + 1
    return columns


def _rows(filled: Mapping[str, Filled]) -> dict[str, float]:
    """The height of each box in rows: openings one below another, the rest between feeders."""
    rows: dict[str, float] = {}
    free = {Part.WINNERS: 0.0, Part.LOSERS: 0.0}
    openings = [one for one in filled.values() if one.node.sources[0].take is Take.SEED]
    free[Part.LOSERS] = len(openings) + 0.6
    for label, one in filled.items():
        part = one.node.part
        feeders = [
            rows[source.label]
            for source in one.node.sources
            if source.take is Take.WINNER
            and (part != Part.LOSERS or filled[source.label].node.part == Part.LOSERS)
        ]
        if part == Part.THIRD_PLACE:
            rows[label] = len(openings) / 2 + 0.9
        elif part == Part.RESET:
            rows[label] = rows[one.node.sources[0].label]
        elif feeders:
            rows[label] = sum(feeders) / len(feeders)
        else:
            key = Part.LOSERS if part == Part.LOSERS else Part.WINNERS
            rows[label] = free[key]
            free[key] += 1
    return rows


def _box(one: Filled, x: int, y: int, name: Name, link: Link) -> Box:
    totals = [shown(total) for total in one.score.totals()] if one.score else []
    sides = []
    for i, (entrant, source) in enumerate(zip(one.entrants, one.node.sources, strict=True)):
        is_decided = one.state in (State.FINISHED, State.WALKOVER)
        way = ("won" if entrant == one.winner else "lost") if is_decided else ""
        sides.append(
            Side(
                seed=str(entrant) if entrant else "",
                name=_short(name(entrant)) if entrant else _awaited(source, entrant),
                score=totals[i] if i < len(totals) else "",
                way=way if entrant else "awaited",
                y=y + 19 + 21 * i,
            )
        )
    who = " – ".join(name(seed) if seed else "?" for seed in one.entrants)
    return Box(x, y, one.node.label, f"{one.node.label}: {who}", link(one.node.label), sides)


def _short(name: str) -> str:
    return name if len(name) <= NAME_LETTERS else f"{name[: NAME_LETTERS - 1]}…"


def _awaited(source: Source, entrant: int | None) -> str:
    if entrant == NOBODY or source.take is Take.SEED:
        return "–"
    return f"{source.take} of {source.label}"
