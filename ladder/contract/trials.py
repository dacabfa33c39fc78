"""Trials: is a new version better than an old one?"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ladder.contract import Filter, Id, Value, about
from ladder.contract.bots import ShownBot

TrialStatus = Literal["running", "passed", "failed", "capped", "cancelled"]
WORDS: dict[TrialStatus, str] = {
    "running": "running",
    "passed": "better",
    "failed": "not better",
    "capped": "no answer within the cap",
    "cancelled": "cancelled",
}


class TrialFilter(Filter, frozen=True, kw_only=True):
    bot: Id | None = None
    status: TrialStatus | None = None


class Trial(Value, frozen=True, kw_only=True):
    id: int
    bot: int
    old: int
    new: int
    seats: int
    promote: bool
    status: TrialStatus
    counts: Annotated[
        list[int],
        about("Pairs by how they ended for the new version, from lost twice to won twice."),
    ]
    pairs: int
    cap: int
    attempt: Annotated[
        int,
        about(
            "How many trials of these two versions there were, this one included: each passes by"
            " luck one time in twenty."
        ),
    ]
    provable_elo: Annotated[
        float | None,
        about("The smallest advantage that would show within the cap, 19 times out of 20."),
    ]
    llr: float
    elo: Annotated[
        float | None, about("The difference, free of the luck of when the trial stopped.")
    ]
    elo_low: Annotated[float | None, about("Of the difference's 95% interval.")]
    elo_high: float | None
    superiority: float
    created_at: datetime
    ended_at: datetime | None
    page: str = ""

    @property
    def status_words(self) -> str:
        return WORDS[self.status]


class ShownTrial(Trial, frozen=True, kw_only=True):
    """A trial with the bot it is about."""

    of: ShownBot
