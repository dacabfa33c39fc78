"""Matches: rows for a list, one with its receipt, and what a reader may open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.urls import reverse

from ladder.boards import Board
from ladder.models import Entry, Match, Pairing, Play
from ladder.models.match import MatchQuerySet
from ladder.queries.keyset import Cursor, Order, Page, cut

ORDER = Order("", "-id")
FIELDS = ("id", "kind", "game", "seats", "status", "created_at", "finished_at")
SEATED = ("match_id", "bot_id", "bot__name", "version__number", "place", "points", "faults")
STRUCK = (Match.Status.VOID, Match.Status.CANCELLED)


@dataclass(frozen=True, slots=True)
class Seated:
    """A version at the table of a match."""

    bot_id: int
    name: str
    version: int
    place: float | None  # mean over the plays
    points: float | None  # likewise
    faults: int  # plays in which it failed
    rank: int | None  # in the match; those level share one
    is_level: bool  # with everyone: the match is drawn

    @property
    def won(self) -> bool:
        return self.rank == 1 and not self.is_level

    @property
    def way(self) -> str:
        """What the match was for it, in a word."""
        if self.rank is None:
            return ""
        return "drawn" if self.is_level else "won" if self.won else "lost"


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match and who played it, as a list shows it."""

    id: int
    kind: str
    game: str
    seats: int
    status: str
    created_at: datetime
    finished_at: datetime | None
    entries: list[Seated]

    @property
    def board(self) -> Board:
        return Board(self.game, self.seats)

    @property
    def when(self) -> datetime:
        return self.finished_at or self.created_at

    @property
    def is_drawn(self) -> bool:
        return any(entry.is_level for entry in self.entries)


def page(filters: dict[str, Any], bot: int | None, at: Cursor | None, size: int) -> Page[MatchRow]:
    """A page of the matches that everyone may come across, newest first."""
    if bot is None:
        plain = {name: value for name, value in filters.items() if name != "status"}
        found = Match.objects.visible_to(None).filter(**plain)
        if "status" in filters:
            found = found.in_status(filters["status"])
        ids = list(ORDER.apply(found, at).values_list("id", flat=True)[: size + 1])
    else:
        ids = _ids_of_bot(bot, at, size + 1, **filters)
    part = cut(ids, at, size, keys=lambda pk: (None, pk))
    return Page(rows(part.rows), part.next, part.previous)


def of_bot(bot: int, count: int, **filters: Any) -> list[MatchRow]:
    return rows(_ids_of_bot(bot, None, count, **filters))


def latest(count: int, **filters: Any) -> list[MatchRow]:
    """The newest finished matches that everyone may come across."""
    found = Match.objects.visible_to(None).finished().filter(**filters).order_by("-id")
    return rows(list(found.values_list("id", flat=True)[:count]))


def featured(**filters: Any) -> MatchRow | None:
    """A match worth a look: the newest one at which bots of all kinds sat against each other."""
    # Not `seats__gt`: a range would be looked up by board, and then sorted.
    shown = Match.objects.visible_to(None).finished().filter(**filters).exclude(seats=1)
    newest = [
        shown.filter(kind=kind).order_by("-id").values_list("id", flat=True).first()
        for kind in (Match.Kind.LADDER, Match.Kind.CHALLENGE)
    ]
    found = max((pk for pk in newest if pk is not None), default=None)
    return rows([found])[0] if found is not None else None


def rows(ids: Sequence[int]) -> list[MatchRow]:
    """These matches, newest first, with who played them: two queries for all."""
    seated = defaultdict(list)
    entries = Entry.objects.filter(match__in=ids).order_by("match_id", "slot")
    for match, *entry in entries.values_list(*SEATED):
        seated[match].append(entry)
    found: Any = Match.objects.filter(pk__in=ids).order_by("-id").values_list(*FIELDS)
    return [
        MatchRow(*(*match, _ranked(Board(match[2], match[3]), seated[match[0]]))) for match in found
    ]


def visible(user: Any) -> MatchQuerySet:
    """The matches a reader may open."""
    return Match.objects.visible_to(user)


def with_entries(user: Any) -> MatchQuerySet:
    """The same, each with who sat at its table."""
    entries = Entry.objects.select_related("bot", "version").defer("printed").order_by("slot")
    return visible(user).prefetch_related(Prefetch("entries", entries))


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """A version at the table of a listed match."""

    slot: int
    bot: int
    name: str
    version: int
    sha256: str
    rank: int | None  # in the match; those level share one
    place: float | None
    points: float | None
    score: float | None
    rating: float | None  # when it was seated
    faults: int
    decisions: int
    cpu_us: int
    memory_kb: int


@dataclass(frozen=True, slots=True)
class Listed:
    """A match with all that a list for programs tells."""

    id: int
    kind: str
    game: str
    seats: int
    status: str
    why: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    entries: list[ListedEntry]
    page: str


LISTED = ("id", "kind", "game", "seats", "status", "why", "created_at", "started_at", "finished_at")
LISTED_ENTRY = (
    *("slot", "bot_id", "bot__name", "version__number", "version__sha256", "place", "points"),
    *("score", "rating_milli", "faults", "decisions", "cpu_us", "memory_kb"),
)
PLACE, MILLI = LISTED_ENTRY.index("place"), LISTED_ENTRY.index("rating_milli")


def listed(found: QuerySet[Match]) -> list[Listed]:
    """These matches in their order, by two queries and without a model for each."""
    rows: list[Any] = list(found.values_list(*LISTED))
    seated: dict[int, list[list[Any]]] = {row[0]: [] for row in rows}
    entries = Entry.objects.filter(match__in=seated).order_by("match_id", "slot")
    for match, *entry in entries.values_list("match_id", *LISTED_ENTRY):
        if entry[MILLI] is not None:
            entry[MILLI] /= 1000
        seated[match].append(entry)
    ranked = {row[0]: _listed(Board(row[2], row[3]), seated[row[0]]) for row in rows}
    return [Listed(*(*row, ranked[row[0]], reverse("match", args=row[:1]))) for row in rows]


def _listed(board: Board, entries: Sequence[Sequence[Any]]) -> list[ListedEntry]:
    ranks = board.ranks([(entry[PLACE], entry[PLACE + 1]) for entry in entries])
    return [
        ListedEntry(*(*entry[:PLACE], rank, *entry[PLACE:]))
        for entry, rank in zip(entries, ranks, strict=True)
    ]


def receipt(user: Any) -> MatchQuerySet:
    """The same with all that a receipt tells."""
    entries = Entry.objects.select_related("bot__owner", "version").order_by("slot")
    return (
        Match.objects.visible_to(user)
        .select_related("tick", "trial", "pairing__tournament", "created_by")
        .prefetch_related(Prefetch("entries", entries), "plays")
    )


def of_tournament(matches: QuerySet[Match], tournament: int) -> QuerySet[Match]:
    # Their ids first: SQLite would walk through all matches in the order asked for.
    own = Match.objects.filter(pairing__tournament=tournament).order_by()
    return matches.filter(pk__in=own.values("pk"))


def with_bot(matches: QuerySet[Match], bot: int) -> QuerySet[Match]:
    # Not a join: a bot may sit at a table twice, in a trial of its versions.
    return matches.filter(pk__in=Entry.objects.filter(bot=bot).values("match"))


def entries_by_slot(match: Match) -> dict[int, Entry]:
    return {entry.slot: entry for entry in match.entries.select_related("bot")}


def plays_of(match: Match) -> list[Play]:
    return list(match.plays.order_by("index"))


def play(user: Any, match: int, index: int) -> Play | None:
    """A play that the user may see, with its match."""
    # The keys stand beside the rule: asked for "in" the visible matches, those were all read.
    found = Play.objects.visible_to(user).filter(match=match, index=index)
    return found.select_related("match").order_by().first()


def own_entries(user: Any, match: int) -> list[Entry]:
    """The user's own entries in a match, with their logs; all of them for an operator."""
    seated = Entry.objects.visible_to(user).filter(match=match)
    seated = seated.select_related("bot", "version").order_by("slot")
    return [entry for entry in seated if entry.bot.is_managed_by(user)]


def own_seats(user: Any, play: Play) -> dict[int, Entry]:
    """By seat, the entries of a play whose inside the user may see: author's and operators'."""
    own = {entry.slot: entry for entry in own_entries(user, play.match_id)}
    return {seat: own[slot] for seat, slot in enumerate(play.seating) if slot in own}


def live_sets(pairings: Iterable[Pairing]) -> dict[int, list[tuple[int, int, str]]]:
    """By table of a tournament: number, match and status of each set that is not struck."""
    live = defaultdict(list)
    found = Match.objects.filter(pairing__in=pairings).exclude(status__in=STRUCK)
    for pairing, *one in found.order_by("number").values_list("pairing", "number", "pk", "status"):
        live[pairing].append(tuple(one))
    return live


def _ids_of_bot(bot: int, at: Cursor | None, count: int, **filters: Any) -> list[int]:
    """From the bot's own entries, in match order: a bot has few of all matches."""
    named = {f"match__{name}": value for name, value in filters.items()}
    seated = Entry.objects.visible_to(None).filter(bot=bot, **named)
    ids = Order("", "-match_id").apply(seated, at).values_list("match_id", flat=True)
    # A bot may sit at a table twice, in a trial of its versions.
    return list(dict.fromkeys(ids[: 2 * count]))[:count]


def _ranked(board: Board, entries: Sequence[Sequence[Any]]) -> list[Seated]:
    """Who sat there, each with its rank; solo goes by points, as everyone is alone at a table."""
    ranks = board.ranks([(place, points) for *_, place, points, _ in entries])
    is_level = len(ranks) > 1 and set(ranks) == {1}
    return [Seated(*(*entry, rank, is_level)) for entry, rank in zip(entries, ranks, strict=True)]
