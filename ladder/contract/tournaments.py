"""Tournaments and who takes part in them."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Annotated, Any, Literal

from ladder.contract import Filter, GameSlug, Id, SeatCount, Text, Value, about, one_of
from ladder.contract.accounts import Reader, manages
from ladder.tournaments import FORMATS

TournamentStatus = Literal["enrolling", "running", "paused", "finished", "cancelled"]
EntrantStatus = Literal["invited", "enrolled", "withdrawn", "disqualified", "absent"]
FormatName = Annotated[str, one_of(FORMATS)]
EntryRule = Literal["open", "invitation", "top"]
Seeding = Literal["fitted", "random", "manual"]
ENTRY_WORDS: dict[EntryRule, str] = {
    "open": "anyone may enrol",
    "invitation": "by invitation",
    "top": "the top of the board",
}
SEEDING_WORDS: dict[Seeding, str] = {
    "fitted": "by rating",
    "random": "at random",
    "manual": "by hand",
}


class TournamentFilter(Filter, frozen=True, kw_only=True):
    game: GameSlug | None = None
    seats: SeatCount | None = None
    status: TournamentStatus | None = None
    format: FormatName | None = None
    organiser: Text | None = None
    search: Text | None = None
    bot: Id | None = None


class Tournament(Value, frozen=True, kw_only=True):
    id: int
    name: str
    organiser: str
    game: str
    seats: int
    format: str
    sets: int
    entry: EntryRule
    top_count: int | None
    max_entrants: int
    seeding: Seeding
    is_public: bool
    is_open_class: Annotated[bool, about("Remote bots may take part.")]
    status: TournamentStatus
    enrol_from: datetime | None
    enrol_until: datetime | None
    start_at: datetime | None
    check_in_minutes: int
    cup_on: Annotated[date | None, about("The day of a daily cup; null for others.")] = None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    page: str = ""

    @property
    def is_over(self) -> bool:
        return self.status in ("finished", "cancelled")

    @property
    def has_begun(self) -> bool:
        return self.started_at is not None

    @property
    def check_in_from(self) -> datetime | None:
        """When entrants may begin to check in; None where nobody has to."""
        if self.start_at is None or not self.check_in_minutes:
            return None
        return self.start_at - timedelta(minutes=self.check_in_minutes)


class Entrant(Value, frozen=True, kw_only=True):
    bot: int
    name: str
    owner: str
    version: Annotated[int | None, about("Fixed at the start.")]
    seed: int | None
    status: EntrantStatus
    has_checked_in: Annotated[bool, about("Where the tournament asks for it.")]
    final_rank: int | None


class ShownEntrant(Entrant, frozen=True, kw_only=True):
    """An entrant with what its page and its format read."""

    owner_id: int
    rating: float | None
    rating_error: float | None
    left_at_step: int | None


class TournamentDetail(Tournament, frozen=True, kw_only=True):
    description: str
    format_options: dict[str, int]
    commitment: str
    secret: Annotated[str | None, about("The source of its luck, once it is over.")]
    note: str
    entrants: list[Entrant] = []


class ShownTournament(TournamentDetail, frozen=True, kw_only=True):
    """A tournament with what only its page needs."""

    organiser_id: int
    steps: int

    def is_managed_by(self, reader: Reader) -> bool:
        return manages(reader, self.organiser_id)

    @property
    def entry_words(self) -> str:
        return ENTRY_WORDS[self.entry]

    @property
    def seeding_words(self) -> str:
        return SEEDING_WORDS[self.seeding]


class Card(Tournament, frozen=True, kw_only=True):
    """A tournament in the site's list."""

    entrants: int
    champion: str | None


class Drawn(Value, frozen=True, kw_only=True):
    """A table of a tournament's round."""

    id: int
    round: int
    table: int
    label: str
    entrants: list[int]  # seeds
    result: dict[str, Any] | None
    finished_at: datetime | None


class Entered(Value, frozen=True, kw_only=True):
    """A tournament that a bot entered."""

    tournament_id: int
    name: str
    status: TournamentStatus
    final_rank: int | None


class Waiting(Value, frozen=True, kw_only=True):
    """A tournament that waits for a word from a bot's owner."""

    tournament: int
    tournament_name: str
    organiser: str
    start_at: datetime | None
    bot: int
    bot_name: str


class Preview(Value, frozen=True, kw_only=True):
    """What a tournament will be if all its places are taken and nobody withdraws."""

    game: str
    seats: int
    format: FormatName
    entrants: int
    rounds: int
    matches: int
    sets: Annotated[int, about("Of all matches together.")]
    plays: int
    duration_s: Annotated[float, about("About how long it takes, in seconds.")]
    is_measured: Annotated[bool, about("Whether the duration follows from matches of this board.")]
    note: Annotated[str, about("The format's own words on it.")]


class FormatOption(Value, frozen=True, kw_only=True):
    name: str
    description: str
    default: int
    lowest: int
    highest: int


class Format(Value, frozen=True, kw_only=True):
    name: str
    title: str
    fewest_entrants: int
    options: list[FormatOption]
