"""What stored analyses say about a bot on a board. All of it reads a bounded number of rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from ladder.boards import Board
from ladder.contract.study.analyses import (
    PHASES,
    Balance,
    BotAnalysis,
    Expensive,
    Loss,
    LossRow,
    Mean,
)
from ladder.models import Bot, JudgedDecision, JudgedSeat, PlayAnalysis, Rating
from ladder.models.access import is_hidden_from
from ladder.queries.values import Reading
from ladder.ratings.intervals import Z95

NEWEST = 200  # analysed plays of a bot that are added up
TEN = 10  # expensive decisions, and bots at the top of a board
NEWEST_OF_BEST = 20  # analysed plays of each bot at the top
MOST_OPPONENTS = 12
BEST = "Top 10 of the board"


def _points(hundredths: int) -> float:
    return hundredths / 100


EXPENSIVE = Reading(
    Expensive,
    match="judged__analysis__play__match_id",
    play="judged__analysis__play__index",
    seat="judged__seat",
    version="version__number",
    regret=(_points, "regret"),
    error=(_points, "error"),
)


@dataclass(frozen=True, slots=True)
class _Seat:
    """A row of JudgedSeat."""

    version: int
    number: int
    opponents: Sequence[int]
    is_judged: bool
    result: int
    luck: int
    own: int
    others: int
    phases: Mapping[str, Sequence[int]]
    kinds: Mapping[str, Sequence[int]]


COLUMNS = (
    "version",
    "version__number",
    "opponents",
    "is_judged",
    "result",
    "luck",
    "own",
    "others",
)


def expensive(
    bot: int, seats: int, version: int | None = None, count: int = TEN
) -> list[Expensive]:
    """The decisions that cost a bot, or one version of it, most; the worst first."""
    found = JudgedDecision.objects.filter(
        seats=seats, judged__analysis__in=PlayAnalysis.objects.current()
    )
    found = found.filter(bot=bot) if version is None else found.filter(version=version)
    hidden = is_hidden_from(None, "judged__analysis__play__match__pairing__tournament")
    return EXPENSIVE(found.exclude(hidden).order_by("-regret", "id")[:count])


def of_bot(bot: int, board: Board, versions: Sequence[int] = ()) -> BotAnalysis:
    """All of it; `versions` are two numbers to compare.

    Without them the newest two versions that were analysed are compared.
    """
    rows = _seats(JudgedSeat.objects.filter(bot=bot, seats=board.seats), NEWEST)
    judged = [row for row in rows if row.is_judged]
    numbers = sorted({row.number for row in judged}, reverse=True)
    chosen = [number for number in versions if number in numbers][:2] or numbers[:2]
    compared = {f"v{number}": [row for row in judged if row.number == number] for number in chosen}
    if judged and (best := _best(board, bot)):
        compared[BEST] = best
    kinds = sorted({kind for row in judged for kind in row.kinds})
    return BotAnalysis(
        game=board.game,
        seats=board.seats,
        plays=len(rows),
        is_judged=bool(judged),
        expensive=expensive(bot, board.seats),
        columns=list(compared),
        overall=_row("All decisions", compared.values(), lambda row: _sum(row.phases.values())),
        phases=[
            _row(name.capitalize(), compared.values(), lambda row, name=name: row.phases.get(name))
            for name in PHASES
        ],
        kinds=[
            _row(name.capitalize(), compared.values(), lambda row, name=name: row.kinds.get(name))
            for name in kinds
        ],
        balance=_balances(rows) if rows else [],
    )


def _seats(found: Any, most: int) -> list[_Seat]:
    hidden = is_hidden_from(None, "analysis__play__match__pairing__tournament")
    current = found.filter(analysis__in=PlayAnalysis.objects.current())
    newest = current.exclude(hidden).order_by("-id")
    return [_Seat(*row) for row in newest.values_list(*COLUMNS, "phases", "kinds")[:most]]


def _best(board: Board, bot: int) -> list[_Seat]:
    """Analysed plays of the other bots at the top of a board."""
    top = Rating.objects.on(board).ranked().by_rank().values_list("version", "bot")[: TEN + 1]
    rows: list[_Seat] = []
    for version, its_bot in list(top)[:TEN]:
        if its_bot != bot:
            own = JudgedSeat.objects.filter(version=version, seats=board.seats)
            rows += [row for row in _seats(own, NEWEST_OF_BEST) if row.is_judged]
    return rows


def _row(name: str, compared: Iterable[Sequence[_Seat]], tally: Any) -> LossRow:
    return LossRow(
        name=name,
        losses=[loss([found for row in rows if (found := tally(row))]) for rows in compared],
    )


def _sum(tallies: Iterable[Sequence[int]]) -> list[int]:
    return [sum(column) for column in zip(*tallies, strict=True)]


def loss(tallies: Sequence[Sequence[int]]) -> Loss | None:
    """Points lost per 100 decisions. Each tally is of one play: how many, what they lost.

    The interval takes plays as the unit, since decisions of one play go together.
    """
    count = sum(tally[0] for tally in tallies)
    if not count:
        return None
    rate = sum(tally[1] for tally in tallies) / count  # hundredths of a point per decision
    low = high = None
    if len(tallies) > 1:
        squares = sum((tally[1] - rate * tally[0]) ** 2 for tally in tallies)
        reach = Z95 * sqrt(squares * len(tallies) / (len(tallies) - 1)) / count
        low, high = round(max(0.0, rate - reach), 1), round(rate + reach, 1)
    return Loss(decisions=count, plays=len(tallies), lost=round(rate, 1), low=low, high=high)


def _balances(rows: Sequence[_Seat]) -> list[Balance]:
    found = [_balance(rows, name="All plays")]
    by_version: dict[int, list[_Seat]] = defaultdict(list)
    by_opponent: dict[int, list[_Seat]] = defaultdict(list)
    for row in rows:
        by_version[row.number].append(row)
        for opponent in set(row.opponents):
            by_opponent[opponent].append(row)
    if len(by_version) > 1:
        newest = sorted(by_version.items(), reverse=True)
        found += [_balance(some, name=f"v{number}", version=number) for number, some in newest]
    most = sorted(by_opponent.items(), key=lambda one: (-len(one[1]), one[0]))[:MOST_OPPONENTS]
    names = dict(Bot.objects.filter(pk__in=[pk for pk, _ in most]).values_list("pk", "name"))
    for pk, some in most:
        if pk in names:
            found.append(_balance(some, name=names[pk], bot=pk))
    return found


def _balance(rows: Sequence[_Seat], **of: Any) -> Balance:
    return Balance(
        plays=len(rows),
        result=_mean([row.result - 5000 for row in rows]),
        luck=_mean([row.luck for row in rows]),
        own=_mean([row.own for row in rows]),
        others=_mean([row.others for row in rows]),
        **of,
    )


def _mean(values: Sequence[int]) -> Mean:
    """In points, from hundredths."""
    count, mean = len(values), sum(values) / len(values)
    if count < 2:
        return Mean(mean=round(mean / 100, 1), low=None, high=None)
    error = sqrt(sum((value - mean) ** 2 for value in values) / (count - 1) / count)
    ends = (mean - Z95 * error, mean + Z95 * error)
    return Mean(
        mean=round(mean / 100, 1), low=round(ends[0] / 100, 1), high=round(ends[1] / 100, 1)
    )
