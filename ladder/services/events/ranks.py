"""Who was ranked and who was overtaken when a board was rated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ladder.boards import Board
from ladder.contract.events import EventBot, Kind
from ladder.services.events import reporting
from ladder.services.rating.standing import Standing

Rows = Mapping[int, Standing]  # by version


def places(rows: Rows) -> dict[int, int]:
    """The rank of each bot on the ladder of these rows, by version."""
    shown = [row for row in rows.values() if row.is_listed and not row.is_provisional]
    shown.sort(key=lambda row: (-row.milli, row.version))
    return {row.version: place for place, row in enumerate(shown, 1)}


def report(board: Board, rows: Rows, before: Mapping[int, int]) -> None:
    """Record what changed since the places before; house bots are scenery and get no event."""
    reporting.ranks_moved(board, _moves(rows, before, places(rows)))


def _moves(
    rows: Rows, before: Mapping[int, int], after: Mapping[int, int]
) -> Iterator[tuple[Kind, int, Sequence[EventBot], int, float]]:
    by_place = sorted(after, key=after.__getitem__)
    for version, place in after.items():
        row = rows[version]
        if row.is_house:
            continue
        owner = row.owner
        if version not in before:
            yield Kind.BOT_RANKED, owner, [_bot(row)], place, row.elo
        elif place > before[version]:
            # Of those now ahead, the best that was not ahead before.
            passed = (one for one in by_place[: place - 1] if not _led(one, version, before))
            by = next(passed, None)
            if by is not None:
                yield Kind.BOT_OVERTAKEN, owner, [_bot(row), _bot(rows[by])], place, row.elo


def _led(one: int, other: int, before: Mapping[int, int]) -> bool:
    return one in before and before[one] < before[other]


def _bot(row: Standing) -> EventBot:
    return EventBot(id=row.bot, name=row.bot_name, version=row.number)
