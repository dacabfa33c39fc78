"""What a badge shows."""

from __future__ import annotations

from ladder.contract import Value


class Badge(Value, frozen=True, kw_only=True):
    """A bot on a board; no rank while it is provisional, no rating before it is listed."""

    name: str
    board: str
    rank: int | None
    elo: float | None
