"""What is played for spectators, and what it costs."""

from __future__ import annotations

from datetime import date

from ladder.contract import Value
from ladder.contract.matches import Match


class ExhibitionUsage(Value, frozen=True, kw_only=True):
    """What exhibitions used of the workers' CPU time within the last hour."""

    cpu_s: float
    matches: int
    processes: int  # that play, of all workers
    share: float  # per cent of these processes' time
    limit: int  # per cent


class DayMatch(Value, frozen=True, kw_only=True):
    """A match of the day that has been played."""

    day: date
    match: Match
