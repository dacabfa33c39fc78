"""Tournaments and who takes part in them."""

from __future__ import annotations

from typing import Literal

from ladder.contract import Value

TournamentStatus = Literal["enrolling", "running", "paused", "finished", "cancelled"]


class Entered(Value, frozen=True, kw_only=True):
    """A tournament that a bot entered."""

    tournament_id: int
    name: str
    status: TournamentStatus
    final_rank: int | None
