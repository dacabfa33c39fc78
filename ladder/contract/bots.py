"""Bots, their versions, their ratings, and statistics of their matches."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from engine.game import Game
from engine.games import GAMES
from ladder.contract import Filter, GameSlug, Text, Value, about, one_of, remote
from ladder.contract.accounts import Reader, manages
from sandbox.languages import BY_SUFFIX, LANGUAGES

BotStatus = Literal["active", "retired", "suspended"]
VersionStatus = Literal["checking", "accepted", "rejected"]
LanguageSlug = Annotated[str, one_of([*(language.slug for language in LANGUAGES), remote.LANGUAGE])]
# In which a browser can play a single script.
TAB_LANGUAGES = tuple(language.slug for language in LANGUAGES if language.tab)


class Bot(Value, frozen=True, kw_only=True):
    id: int
    name: str
    game: GameSlug
    owner: str
    status: BotStatus
    seat_counts: list[int]
    is_source_public: bool
    meets_remote: Annotated[bool, about("Its author lets remote bots of the open class play it.")]
    is_house: bool
    description: Annotated[str, about("What its author says about it; plain text.")]
    homepage: Annotated[str, about("An http or https address; empty if there is none.")]
    licence: str
    tags: list[str]
    active_version: int | None
    created_at: datetime
    page: str = ""

    @property
    def rules(self) -> Game:
        return GAMES[self.game]


class BotFilter(Filter, frozen=True, kw_only=True):
    game: GameSlug | None = None
    owner: Text | None = None
    status: BotStatus | None = None
    search: Text | None = None
    tag: Text | None = None
    is_house: bool | None = None
    mine: bool | None = None


class ShownBot(Bot, frozen=True, kw_only=True):
    """A bot with what only its own page needs."""

    owner_id: int
    house_slug: str
    is_public: bool
    playing: int | None  # the id of its active version
    rests_until: datetime | None  # when its author may bring it back; None: now

    @property
    def public(self) -> Bot:
        """What everyone may know of it."""
        return Bot(**{name: getattr(self, name) for name in Bot.__struct_fields__})

    def is_managed_by(self, reader: Reader) -> bool:
        return manages(reader, self.owner_id)

    def shows_source_to(self, reader: Reader) -> bool:
        return self.is_source_public or self.is_managed_by(reader)


class Version(Value, frozen=True, kw_only=True):
    bot: int
    number: int
    language: LanguageSlug
    size: int
    sha256: str
    status: VersionStatus
    is_active: bool
    parent: int | None
    note: str
    authorship: Annotated[
        str, about("Declared by the owner: person, assisted or agent; empty: not declared.")
    ]
    created_at: datetime
    checked_at: datetime | None


class ShownVersion(Version, frozen=True, kw_only=True):
    """A version with what only the site shows of it."""

    id: int
    of: ShownBot
    is_bundle: bool
    benched_at: datetime | None
    bench_reason: str
    discarded_attempts: int
    same_as: int | None  # the id of an earlier version with the same program
    same_as_words: str  # that version, for people

    @property
    def filename(self) -> str:
        return "bot.zip" if self.is_bundle else f"bot.{self.language}"

    @property
    def language_name(self) -> str:
        known = BY_SUFFIX.get(f".{self.language}")
        return known.name if known else self.language

    @property
    def runner(self) -> str:
        """What plays it in a browser's tab; empty where nothing can."""
        known = BY_SUFFIX.get(f".{self.language}")
        return known.tab if known and not self.is_bundle else ""


class Report(Value, frozen=True, kw_only=True):
    """The gate's findings, for the bot's author."""

    status: VersionStatus
    verdict: Annotated[str, about("Empty while it is checked.")]
    rows: list[dict[str, Any]]


class Check(Value, frozen=True, kw_only=True):
    """A version and where its check stands, for its author."""

    version: ShownVersion
    report: Report
    progress: dict[str, Any]  # empty unless it is being checked


class Source(Value, frozen=True, kw_only=True):
    filename: str
    source: str
    encoding: Annotated[Literal["utf-8", "base64"], about("Base64 where the file is no text.")]


class Rating(Value, frozen=True, kw_only=True):
    game: str
    seats: int
    version: int
    rank: Annotated[int | None, about("On the ladder; null while provisional or not listed.")] = (
        None
    )
    elo: float
    low: Annotated[float, about("Of the 95% interval; far off where little is known.")]
    high: float
    band: int | None
    is_provisional: bool
    is_listed: bool
    sets: int
    plays: int
    win_rate: float | None
    last_played_at: datetime | None


class ShownRating(Rating, frozen=True, kw_only=True):
    """A rating with what only a bot's page shows of it."""

    bot: int
    version_id: int
    mean_points: tuple[float, float] | None  # and their error; None before two plays
    sets_until_retested: int  # that a version activated again plays before it may have a rank
    luck: float  # taken off, as its owner tried many versions


class Change(Value, frozen=True, kw_only=True):
    tick: int
    at: datetime | None
    version: int
    elo: Annotated[float, about("After this tick, as it was calculated then.")]
    low: float
    high: float
    is_provisional: bool
    sets: Annotated[int, about("Played in this tick.")]
    plays: int


class Share(Value, frozen=True, kw_only=True):
    """A share of wins with its 95% interval, from 0 to 1."""

    share: float
    low: Annotated[float, about("Of the share's 95% interval.")]
    high: float


class Tally(Share, frozen=True, kw_only=True):
    seats: int
    won: int
    drawn: int
    lost: int


class HeadToHead(Value, frozen=True, kw_only=True):
    """The bot's record against the other in their newest common matches."""

    bot: Bot
    other: Bot
    boards: list[Tally]


class Opponent(Share, frozen=True, kw_only=True):
    bot: int
    name: str
    sets: int


class SeatShare(Share, frozen=True, kw_only=True):
    seat: int
    plays: int


class FaultCount(Value, frozen=True, kw_only=True):
    kind: str
    count: int


class Figures(Value, frozen=True, kw_only=True):
    """Statistics of a bot's newest matches on a board."""

    game: str
    seats: int
    matches: Annotated[int, about("That were looked at.")]
    opponents: list[Opponent]
    by_seat: list[SeatShare]
    faults: list[FaultCount]
    cpu_us: Annotated[
        float | None, about("Per decision, in millionths of a second; null: none was made.")
    ]
    memory_kb: Annotated[int, about("The most in a match.")]


class Record(Value, frozen=True, kw_only=True):
    """How often a version failed on one ladder."""

    seats: int
    matches: int
    faulty: int  # matches with a fault of its own in them
    last_faulty: int | None  # the newest of those


class Rival(Value, frozen=True, kw_only=True):
    """The bot one rank above."""

    bot: int
    name: str
    elo: float
    match: int | None  # its newest match on the board


class OwnBoard(Value, frozen=True, kw_only=True):
    """Where a bot stands on a board, for its author's dashboard."""

    game: str
    seats: int
    version_id: int
    elo: float
    rank: int | None
    is_provisional: bool
    sets: int
    trend: list[int]  # the last ratings in thousandths, oldest first

    @property
    def change(self) -> float | None:
        """In Elo, over the trend."""
        return (self.trend[-1] - self.trend[0]) / 1000 if len(self.trend) > 1 else None
