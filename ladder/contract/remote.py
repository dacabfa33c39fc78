"""Remote bots: what everybody may know of one, and the limits of what it sends."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, NamedTuple

from ladder.contract import Value, about
from ladder.contract.boards import LadderBot

LANGUAGE = "remote"  # stands where the language of an uploaded program would


class Tempo(StrEnum):
    """How much time a bot asks for per play; the seconds are settings of the site."""

    FAST = "fast"
    NORMAL = "normal"
    SLOW = "slow"


@dataclass(frozen=True, slots=True)
class Answering:
    """Bounds of one answer."""

    most_action: int = 400  # characters
    most_note: int = 4096
    most_body: int = 16 * 1024  # bytes


ANSWERING = Answering()


class Holder(NamedTuple):
    """Who holds a seat over the network: a remote bot, or a person at a table of people."""

    id: int
    is_person: bool = False


class Remote(Value, frozen=True, kw_only=True):
    """A remote bot's own facts, beside those that every bot has."""

    bot: int
    name: str
    description: Annotated[str, about("Self-declared by the owner; not verified.")]
    tempo: Tempo
    takes_challenges: bool
    plays_rated: Annotated[bool, about("In the open class, while it is connected.")]
    is_online: bool
    is_draining: Annotated[bool, about("It finishes its plays and takes no new ones.")]
    online_since: datetime | None
    last_seen_at: Annotated[datetime | None, about("When its last stream ended.")]
    absences: Annotated[int, about("Streams that ended without a goodbye from our side.")]
    round_trip_ms: Annotated[int | None, about("From delivery to answer, its last decision.")]
    has_token: bool


class RunningClock(Value, frozen=True, kw_only=True):
    """The clock of a remote bot in a play under way, as it was saved last."""

    seat: int
    name: str
    used_s: int
    budget_s: int
    away_s: int
    grace_s: int
    is_asked: bool
    is_online: bool


class OpenRow(Value, frozen=True, kw_only=True):
    """A bot on a board of the open class."""

    rank: Annotated[int | None, about("Null for bots that mark the scale, and before a rank.")]
    bot: LadderBot
    is_remote: Annotated[bool, about("False for house bots and sandboxed opponents.")]
    is_online: bool
    elo: float
    low: float
    high: float
    plays: int
    is_provisional: bool
    fair_elo: Annotated[float, about("Without plays that ended by someone else's fault.")]
    fair_low: float
    fair_high: float
    fair_plays: int
    last_played_at: datetime | None


class IssuedRemote(Remote, frozen=True, kw_only=True):
    """A remote bot with its new token."""

    secret: Annotated[
        str | None,
        about("Shown once; null when a retry with an Idempotency-Key is answered again."),
    ]


class Asked(Value, frozen=True, kw_only=True):
    """Where a decision stands."""

    line: str
    state: str
    action: str
    delivered_ms: int | None  # ago, by the database's clock; None: not yet


class Attendance(Value, frozen=True, kw_only=True):
    """Whether a bot or a person is there, as far as its stream's process knows."""

    is_gone: bool
    silent_ms: int | None  # since its process was heard of; None: nobody knows that process
    is_any_up: bool  # whether any process takes streams now


class Admission(Value, frozen=True, kw_only=True):
    """Which token, by its digest, and which stream of a holder count now."""

    token: str
    stream: str


class SeatLine(Value, frozen=True, kw_only=True):
    """A line to send to whoever holds a seat."""

    id: str
    holder: Holder
    body: dict[str, Any]


class Seat(Value, frozen=True, kw_only=True):
    """Whose token it is."""

    holder: Holder
    name: str
    token: str  # its digest
