"""Which formats a board has, with which options, and what a tournament will cost in time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db.models import Avg, F

from engine.arena import table_sizes
from ladder.boards import Board
from ladder.errors import Code, LadderError
from ladder.models import Match
from ladder.tournaments import FORMATS, Format, FormatPreview, Option

MAX_SETS = 9
RECENT = 50  # finished matches that an estimate looks at
DEFAULT_SECONDS = 2.0  # a set, where none was played yet


@dataclass(frozen=True, slots=True)
class Plan:
    """What an organiser gets for a number of entrants."""

    entrants: int
    preview: FormatPreview
    sets: int
    plays: int
    duration: timedelta
    is_measured: bool  # whether the duration rests on matches of this board


def formats_for(board: Board) -> list[Format]:
    sizes = table_sizes(board.rules, board.seats)
    return [one for one in FORMATS.values() if one.fits(board.sides, sizes)]


def chosen_format(name: str, board: Board) -> Format:
    if name not in FORMATS:
        raise LadderError(f"There is no format “{name}”.", code=Code.UNKNOWN_FORMAT)
    if not FORMATS[name].fits(board.sides, table_sizes(board.rules, board.seats)):
        raise LadderError(
            f"{FORMATS[name].title} is not for tables of {board.sides}, as {board.title} has.",
            code=Code.FORMAT_DOES_NOT_FIT,
        )
    return FORMATS[name]


def free_options(format_: Format, board: Board) -> list[Option]:
    """Options that are an organiser's to choose."""
    sizes = table_sizes(board.rules, board.seats)
    given = format_.given(sides=board.sides, sizes=sizes, sets=1)
    return [option for option in format_.options if option.name not in given]


def format_options(
    *, format_: Format, board: Board, sets: int, chosen: Mapping[str, int]
) -> dict[str, int]:
    """All options of a format, or a LadderError that names the one out of range."""
    sizes = table_sizes(board.rules, board.seats)
    try:
        return format_.full_options(chosen, sides=board.sides, sizes=sizes, sets=sets)
    except ValueError as error:
        raise LadderError(f"{error}.", code=Code.BAD_OPTIONS) from None


def seat_counts_needed(board: Board) -> Sequence[int]:
    """The boards an entrant must play: tables of many may be smaller than the full one."""
    meets_two = board.is_solo or board.sides == 2
    return (board.seats,) if meets_two else table_sizes(board.rules, board.seats)


def plan(
    *, format_: Format, board: Board, sets: int, options: Mapping[str, int], entrants: int
) -> Plan:
    preview = format_.preview(entrants, options)
    seconds, is_measured = _seconds_per_set(board)
    total = preview.matches * sets
    # A round waits for its slowest table, so that not all workers are always busy.
    busy = max(1, min(settings.WORKERS, round(preview.matches / max(1, preview.rounds))))
    return Plan(
        entrants=entrants,
        preview=preview,
        sets=total,
        plays=total * max(2, board.sides),
        duration=timedelta(seconds=total * seconds / busy + preview.rounds),
        is_measured=is_measured,
    )


def _seconds_per_set(board: Board) -> tuple[float, bool]:
    recent = (
        Match.objects.on(board)
        .finished()
        .exclude(started_at=None)
        .exclude(kind=Match.Kind.EXHIBITION)  # which are slowed down for spectators
        .order_by("-id")
        .values("pk")[:RECENT]
    )
    mean = Match.objects.filter(pk__in=list(recent.values_list("pk", flat=True))).aggregate(
        mean=Avg(F("finished_at") - F("started_at"))
    )["mean"]
    return (mean.total_seconds(), True) if mean else (DEFAULT_SECONDS, False)
