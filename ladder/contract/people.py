"""People who play: their tables over the network, and the daily deals."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any

from ladder.contract import Filter, GameSlug, Value, about


class RoomState(StrEnum):
    WAITING = "waiting"  # for people
    PLAYING = "playing"
    OVER = "over"
    CALLED_OFF = "called off"


class RoomSeat(Value, frozen=True, kw_only=True):
    """A seat at a table of people; a free one has no name."""

    name: str
    is_bot: bool
    is_online: bool


class Room(Value, frozen=True, kw_only=True):
    """A table of people, before, during and after its play."""

    key: str
    game: str
    state: RoomState
    seats: list[RoomSeat]
    play: int | None  # the saved play, once it is over

    @property
    def free(self) -> int:
        return sum(not seat.name for seat in self.seats)


class Chair(Value, frozen=True, kw_only=True):
    """Whose a seat's secret is."""

    person: int
    table: int
    key: str
    seat: int
    name: str


class Place(Value, frozen=True, kw_only=True):
    """Who sits on a seat of a table of people."""

    name: str
    bot: str = ""  # a house bot's slug; empty for a person
    sha256: str = ""  # of the house bot's file
    person: int = 0


class PeopleSitting(Value, frozen=True, kw_only=True):
    """A play of people under way, as its keeper stores it."""

    match: int
    game: str
    seed: int
    seats: list[Place]
    given: list[Any]  # the answers so far


class HouseResult(Value, frozen=True, kw_only=True):
    """What a house bot made of a daily deal in a person's place."""

    bot: str
    place: int
    points: int
    lead: Annotated[int, about("Points ahead of the best other seat; negative if behind.")]


class DailyDeal(Value, frozen=True, kw_only=True):
    """One deal of a game for a day. Everyone plays it from the first seat."""

    id: int
    day: Annotated[date, about("In UTC.")]
    game: GameSlug
    seats: int
    seed: Annotated[int, about("Drawn after the day began.")]
    rival: Annotated[str, about("The house bot at the other seats.")]
    house: list[HouseResult]
    page: str = ""


class DailyFilter(Filter, frozen=True, kw_only=True):
    game: GameSlug | None = None


class DailyResult(Value, frozen=True, kw_only=True):
    """A counted try that is over, as the referee found it."""

    user: str
    place: int
    points: int
    lead: Annotated[int, about("Points ahead of the best other seat; negative if behind.")]
    finished_at: datetime


class DailyDealDetail(DailyDeal, frozen=True, kw_only=True):
    """A daily deal with its table."""

    results: Annotated[list[DailyResult], about("Counted tries, best first, at most 100.")]


class DailyTry(Value, frozen=True, kw_only=True):
    """A user's own try at a deal; without a place it is not over."""

    deal: int
    place: int | None
    points: int | None
    lead: int | None
    rank: int | None = None


class DailyStart(Value, frozen=True, kw_only=True):
    """Whether the play that begins now counts; a ticket comes with one that does."""

    is_counted: bool
    ticket: str


class DailyVerdict(Value, frozen=True, kw_only=True):
    """What the referee says of a play of a daily deal."""

    is_counted: bool
    place: int
    points: int
    lead: int
    rank: int | None
    tries: int
    streak: int
    house: list[HouseResult]
