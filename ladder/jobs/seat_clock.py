"""The clock of one seat: who is charged for a second of waiting. Pure.

A bot that is there is charged from its budget, from the delivery of the question on. One that is
away is charged from its grace, a single pool for the whole play. Nobody is charged while our own
server is away, nor for a short while afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ladder.contract.remote import Attendance

SILENT_MS = 5_000  # a stream process that says nothing for this long is away
AMNESTY_MS = 30_000  # for bots whose stream process vanished, to find another one
LONGEST_STEP_MS = 2_500  # the keeper's own absence is nobody's time


class Payer(Enum):
    BUDGET = "budget"
    GRACE = "grace"
    NOBODY = "nobody"


@dataclass(slots=True)
class SeatClock:
    """Milliseconds used in this play, and allowed."""

    budget_ms: int
    grace_ms: int
    budget_used_ms: int = 0
    grace_used_ms: int = 0

    @property
    def budget_left_ms(self) -> int:
        return max(0, self.budget_ms - self.budget_used_ms)

    @property
    def grace_left_ms(self) -> int:
        return max(0, self.grace_ms - self.grace_used_ms)

    @property
    def is_used_up(self) -> bool:
        return not (self.budget_left_ms and self.grace_left_ms)

    def charge(self, here: Attendance, *, step_ms: int, delivered_ms: int | None) -> Payer:
        """Count a step of waiting, which ends now."""
        step_ms = min(max(0, step_ms), LONGEST_STEP_MS)
        paid_by = payer(here, is_delivered=delivered_ms is not None)
        if paid_by is Payer.BUDGET:
            # By the database's clock, which may jump: within the step it can do no harm.
            self.budget_used_ms += min(step_ms, max(0, delivered_ms or 0))
        elif paid_by is Payer.GRACE:
            self.grace_used_ms += step_ms
        return paid_by


def payer(here: Attendance, *, is_delivered: bool) -> Payer:
    """Who pays for waiting now."""
    if here.is_gone:
        return Payer.GRACE if here.is_any_up else Payer.NOBODY
    if here.silent_ms is None or here.silent_ms >= SILENT_MS:
        is_over = here.silent_ms is None or here.silent_ms >= AMNESTY_MS
        return Payer.GRACE if here.is_any_up and is_over else Payer.NOBODY
    return Payer.BUDGET if is_delivered else Payer.NOBODY
