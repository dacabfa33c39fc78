"""Matches, their plays, and what the referee says of a replay."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

from ladder.contract import Filter, GameSlug, Id, Moment, SeatCount, Text, Value, about
from ladder.contract.accounts import Reader, manages

MatchKind = Literal[
    "ladder", "challenge", "tournament", "trial", "check", "remote", "exhibition", "people"
]
# Checks are for nobody to read.
ShownKind = Literal["ladder", "challenge", "tournament", "trial", "remote", "exhibition"]
MatchStatus = Literal["queued", "running", "finished", "void", "cancelled"]
STRUCK: tuple[MatchStatus, ...] = ("void", "cancelled")  # it does not count


class TableFilter(Filter, frozen=True, kw_only=True):
    """Which matches, by where they were played, what for and by whom."""

    game: GameSlug | None = None
    seats: SeatCount | None = None
    kind: ShownKind | None = None
    trial: Id | None = None
    tournament: Id | None = None
    bot: Id | None = None
    version: Annotated[Id, about("The number of a version that played; needs `bot`.")] | None = None
    owner: Annotated[Text, about("The username of an author whose bot played.")] | None = None
    since: Annotated[Moment, about("Created at that moment or later.")] | None = None
    other: Annotated[Id, about("Another bot at the same table.")] | None = None


class MatchFilter(TableFilter, frozen=True, kw_only=True):
    status: MatchStatus | None = None


class ReplayFilter(TableFilter, frozen=True, kw_only=True):
    day: Annotated[date, about("Finished on that day (UTC).")] | None = None


class Entry(Value, frozen=True, kw_only=True):
    slot: int
    bot: int
    name: str
    version: int
    sha256: str
    rank: Annotated[
        int | None, about("In this match; those level share one. Solo it goes by points.")
    ] = None
    place: Annotated[float | None, about("The mean over its plays; solo everyone is first.")]
    points: float | None
    score: float | None
    rating: Annotated[
        float | None,
        about("When it was seated; null if it was not ranked, or the match is not rated."),
    ]
    faults: int
    decisions: int
    cpu_us: int
    memory_kb: int


class Match(Value, frozen=True, kw_only=True):
    id: int
    kind: MatchKind
    game: str
    seats: int
    status: MatchStatus
    why: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    entries: list[Entry] = []
    page: str = ""

    @property
    def is_drawn(self) -> bool:
        return len(self.entries) > 1 and all(entry.rank == 1 for entry in self.entries)

    @property
    def is_exhibition(self) -> bool:
        return self.kind == "exhibition"

    @property
    def is_over(self) -> bool:
        return self.status not in ("queued", "running")

    @property
    def when(self) -> datetime:
        return self.finished_at or self.created_at


class Fault(Value, frozen=True, kw_only=True):
    seat: int
    kind: str
    sentence: str


class Play(Value, frozen=True, kw_only=True):
    index: int
    seating: Annotated[list[int], about("The entry's slot at each seat.")]
    places: list[int]
    points: list[int]
    reason: str
    faults: list[Fault]
    decisions: int
    digest: str
    is_reproduced: Annotated[
        bool | None,
        about(
            "Whether its WebAssembly bots chose the same when a worker ran them again; null where"
            " none did."
        ),
    ]
    replay: str = ""


class OwnFault(Value, frozen=True, kw_only=True):
    play: int
    seat: int
    kind: str
    sentence: str
    detail: str


class StoredPlay(Play, frozen=True, kw_only=True):
    """A play with what only the site needs of it; the evidence is for the bot's author."""

    id: int
    match: int
    match_kind: MatchKind
    game: str
    match_seats: int
    is_of_tournament: bool
    reproduced_note: str
    file: str
    evidence: list[OwnFault]

    @property
    def public(self) -> Play:
        """What everyone may know of it."""
        return Play(**{name: getattr(self, name) for name in Play.__struct_fields__})


class Attempt(Value, frozen=True, kw_only=True):
    """A failed attempt. Operators see the machine and the file in the admin."""

    attempt: int
    at: datetime


class Receipt(Match, frozen=True, kw_only=True):
    """Everything there is to know about how a match came to be and went."""

    seed: Annotated[int | None, about("Null until the match is finished.")]
    options: dict[str, Any]
    attempt: int
    attempts: Annotated[list[Attempt], about("Failed ones; the failures were ours.")]
    void_reason: str
    tick: int | None
    trial: int | None
    tournament: int | None
    created_by: str | None
    plays: list[Play] = []


class Seated(Entry, frozen=True, kw_only=True):
    """An entry with its author and its log, which is for the author only."""

    owner: str
    owner_id: int
    filename: str
    printed: list[tuple[int, int, int, str]]  # play, seat and decision, counted from 1, and text

    def is_managed_by(self, reader: Reader) -> bool:
        return manages(reader, self.owner_id)

    @property
    def log(self) -> str:
        """What it printed, with a heading for each decision."""
        parts = []
        for play, seat, decision, text in self.printed:
            when = f"decision {decision}" if decision else "loading"
            parts.append(f"[play {play}, seat {seat}, {when}]\n{text}\n")
        return "\n".join(parts)

    def printed_at(self, *, play: int, seat: int) -> dict[int, str]:
        """By decision, counted from one: what a seat printed in a play. Loading is decision 0."""
        found: dict[int, str] = {}
        for its_play, its_seat, decision, text in self.printed:
            if (its_play, its_seat) == (play, seat):
                found[decision] = "\n".join(filter(None, [found.get(decision), text]))
        return found


class ShownMatch(Value, frozen=True, kw_only=True):
    """A match as its own page shows it."""

    receipt: Receipt
    seated: list[Seated]
    plays: list[StoredPlay]
    tick_applied_at: datetime | None
    tournament_name: str | None  # of a public one
    label: str | None  # of its table there
    worker: str
    failures: list[dict[str, Any]]  # attempts with the machine and the reason, for operators


class OpenMatch(Value, frozen=True, kw_only=True):
    """A match that waits or is played, and the slot at each seat of each play due."""

    match: Match
    seatings: list[list[int]]  # none while it waits


class OnAir(Value, frozen=True, kw_only=True):
    """What workers have reported of a play that is not stored yet."""

    match: int
    index: int
    attempt: int
    steps: int
    is_over: bool


class Log(Value, frozen=True, kw_only=True):
    """What your own bot printed in a match, and the evidence of its faults."""

    slot: int
    bot: int
    version: int
    log: str
    faults: list[OwnFault]


class Verdict(Value, frozen=True, kw_only=True):
    """What refereeing a replay again found."""

    ok: bool
    problem: Annotated[str | None, about("The first wrong step, in words.")]
    game: str | None = None
    steps: int | None = None
    is_seed_proven: Annotated[bool, about("The luck is what the seed gives.")] = False
    digest: str | None = None
