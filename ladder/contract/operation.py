"""What operators look at, and plays that people keep."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from ladder.contract import Value
from ladder.contract.accounts import Reader, manages


class WorkerState(Value, frozen=True, kw_only=True):
    """A worker that was heard of lately, and why it cannot play if it cannot."""

    name: str
    problem: str
    failing: str
    notice: str


class HalfHour(Value, frozen=True, kw_only=True):
    """What ended in half an hour: figures of operation."""

    at: datetime
    matches_per_minute: float
    median_wait_s: float
    faults: int
    workers: int


class Day(Value, frozen=True, kw_only=True):
    """The newest half hours, oldest first; cut where there were more matches than are read."""

    slots: list[HalfHour]
    is_cut: bool


class FoundBot(Value, frozen=True, kw_only=True):
    """A bot in a finding, with its owner."""

    id: int
    name: str
    owner: str


class Finding(Value, frozen=True, kw_only=True):
    """Results that honest play would hardly give."""

    game: str
    seats: int
    kind: Literal["pair", "owners", "linked", "later", "team"]
    bot: FoundBot | None
    other_bot: FoundBot | None
    user: str | None
    other_user: str | None
    version: int | None
    sets: int
    scored: float
    expected: float
    z: float
    q: float


class KeptSeat(Value, frozen=True, kw_only=True):
    """What a replay says of a seat, and whether that is known to be so."""

    name: str
    who: Literal["person", "house bot", "program"]
    is_verified: bool  # the owner's own seat or bot, or a house bot by its source
    place: int
    points: int


class KeptPlay(Value, frozen=True, kw_only=True):
    """A play of people that its owner keeps; a guest's has no owner."""

    id: int
    owner: str | None
    owner_id: int | None
    game: str
    seats: int
    digest: str
    file: str
    created_at: datetime
    seated: list[KeptSeat]

    def is_managed_by(self, reader: Reader) -> bool:
        return self.owner_id is not None and manages(reader, self.owner_id)
