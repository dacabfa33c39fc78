"""Matches: rows for a list, one with its receipt, and what a reader may open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any, TypeVar

import msgspec
from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce
from django.db.models.lookups import Exact, GreaterThanOrEqual

from ladder.boards import Board
from ladder.contract import matches as contract
from ladder.contract.accounts import Reader
from ladder.contract.matches import (
    STRUCK,
    Attempt,
    Fault,
    Log,
    MatchFilter,
    OwnFault,
    Receipt,
    ReplayFilter,
    Seated,
    ShownMatch,
    StoredPlay,
    TableFilter,
)
from ladder.models import Entry, Match, Play
from ladder.models.match import MatchQuerySet
from ladder.queries.keyset import Cursor, Order, Page, cut
from ladder.queries.values import Reading, midnight, thousandths

ORDER = Order("", "-id")
M = TypeVar("M", bound=contract.Match)


def _faults(stored: list[dict[str, Any]]) -> list[Fault]:
    return [Fault(seat=one["seat"], kind=one["kind"], sentence=one["sentence"]) for one in stored]


def _evidence(index: int, stored: list[dict[str, Any]]) -> list[OwnFault]:
    return [
        OwnFault(
            play=index,
            seat=one["seat"],
            kind=one["kind"],
            sentence=one["sentence"],
            detail=one.get("detail", ""),
        )
        for one in stored
    ]


def _attempts(stored: list[dict[str, Any]]) -> list[Attempt]:
    return msgspec.convert(stored, list[Attempt])


SEATED_AS: dict[str, Any] = {
    "bot": "bot_id",
    "name": "bot__name",
    "version": "version__number",
    "sha256": "version__sha256",
    "rating": (thousandths, "rating_milli"),
}
ENTRY = Reading(contract.Entry, **SEATED_AS)
SEATED = Reading(
    Seated,
    **SEATED_AS,
    owner="bot__owner__username",
    owner_id="bot__owner_id",
    filename=(
        lambda is_bundle, language: "bot.zip" if is_bundle else f"bot.{language}",
        *("version__is_bundle", "version__language"),
    ),
)
MATCH = Reading(contract.Match)
RECEIPT = Reading(
    Receipt,
    seed=(lambda seed, status: seed if status == Match.Status.FINISHED else None, "seed", "status"),
    attempts=(_attempts, "attempts"),
    tick="tick__number",
    trial="trial_id",
    tournament="pairing__tournament_id",
    created_by="created_by__username",
)
PLAY = Reading(contract.Play, faults=(_faults, "faults"))
STORED = Reading(
    StoredPlay,
    faults=(_faults, "faults"),
    match="match_id",
    match_kind="match__kind",
    game="match__game",
    match_seats="match__seats",
    is_of_tournament=(lambda pairing: pairing is not None, "match__pairing_id"),
    file="replay",
    evidence=(_evidence, "index", "faults"),
)


LOOKED_AT = 500  # the newest matches, for one worth a look
OUT_OF_ORDER = 1000  # ids, by which moments of creation may disagree with them


def page(
    asked: MatchFilter, reader: Reader | None, order: Order, at: Cursor | None, size: int
) -> Page[contract.Match]:
    """A page of the matches that a reader may open; for None, that are listed for everyone."""
    if asked.bot is not None and reader is None and _names_no_more(asked):
        board = {name: getattr(asked, name) for name in ("game", "seats", "kind")}
        board = {name: value for name, value in board.items() if value is not None}
        ids = _ids_of_bot(asked.bot, at, size + 1, board, asked.status)
        part = cut(ids, at, size, keys=lambda pk: (None, pk))
        return Page(rows(part.rows), part.next, part.previous)
    found = _narrowed(Match.objects.visible_to(reader), asked)
    if asked.status is not None:
        found = found.in_status(asked.status)
    page = MATCH.page(found, order, at, size)
    return Page(with_entries(page.rows), page.next, page.previous)


def finished(asked: ReplayFilter, reader: Reader, most: int) -> list[int]:
    """The ids of the finished matches that a reader may open, in no order; at most `most`."""
    done = Match.objects.visible_to(reader).finished()
    found = _narrowed(done, asked, has_better_index=asked.day is not None).order_by()
    if asked.day is not None:
        begin = midnight(asked.day)
        found = found.filter(finished_at__gte=begin, finished_at__lt=begin + timedelta(days=1))
    return list(found.values_list("id", flat=True)[:most])


def stored_plays(ids: Sequence[int]) -> list[StoredPlay]:
    """The plays of these matches, match by match."""
    return STORED(Play.objects.filter(match__in=ids).order_by("match_id", "index"))


def _narrowed(
    found: MatchQuerySet, asked: TableFilter, *, has_better_index: bool = False
) -> MatchQuerySet:
    """The matches that a filter names. SQLite would read all of a game rather than all of a day."""
    for name in ("game", "seats", "kind"):
        value = getattr(asked, name)
        if value is not None:
            column = Coalesce(name, name) if has_better_index else F(name)  # it uses no index
            found = found.filter(Exact(column, value))
    if asked.trial is not None:
        found = found.filter(trial=asked.trial)
    if asked.tournament is not None:
        # Their ids first: SQLite would walk through all matches in the order asked for.
        own = Match.objects.filter(pairing__tournament=asked.tournament).order_by()
        found = found.filter(pk__in=own.values("pk"))
    if asked.since is not None:
        # As a bound on ids, in whose order the list is: SQLite would not use an index for both.
        # Several hosts' clocks do not agree, so it is a little lower, and the moment decides.
        later = Match.all_objects.filter(created_at__gte=asked.since)
        first = later.order_by("created_at", "id").values_list("id", flat=True).first()
        found = found.none() if first is None else found.filter(pk__gte=first - OUT_OF_ORDER)
        made = Coalesce("created_at", "created_at")  # it uses no index
        found = found.filter(GreaterThanOrEqual(made, asked.since))
    seated: dict[str, Any] = {"bot": asked.bot}
    if asked.version is not None:
        seated = {"version__bot": asked.bot, "version__number": asked.version}
    for named in (seated, {"bot": asked.other}, {"bot__owner__username": asked.owner}):
        if None not in named.values():
            # Not a join: a bot may sit at a table twice, in a trial of its versions.
            found = found.filter(pk__in=Entry.objects.filter(**named).values("match"))
    return found


def _names_no_more(asked: MatchFilter) -> bool:
    return not (asked.trial or asked.tournament or asked.other or asked.version) and (
        asked.owner is None and asked.since is None
    )


def of_bot(bot: int, count: int, board: Board) -> list[contract.Match]:
    on = {"game": board.game, "seats": board.seats}
    return rows(_ids_of_bot(bot, None, count, on, None))


def latest(count: int, **filters: Any) -> list[contract.Match]:
    """The newest finished matches that are listed for everyone."""
    found = Match.objects.visible_to(None).finished().filter(**filters).order_by("-id")
    return rows(list(found.values_list("id", flat=True)[:count]))


def featured(**filters: Any) -> contract.Match | None:
    """A match worth a look: the newest one at which bots of all kinds sat against each other.

    Only among the newest: in a game whose bots meet in tournaments alone, say, there is none.
    """
    newest = Match.objects.filter(**filters).order_by("-id").values_list("id", flat=True)
    oldest = next(iter(newest[LOOKED_AT - 1 : LOOKED_AT]), 0)
    shown = Match.objects.visible_to(None).finished().filter(**filters, pk__gte=oldest)
    among_kinds = shown.alias(kind_of=Coalesce("kind", "kind"))  # it uses no index
    met = among_kinds.filter(kind_of__in=[Match.Kind.LADDER, Match.Kind.CHALLENGE])
    met = met.exclude(seats=1)
    found = list(met.order_by("-id").values_list("id", flat=True)[:1])
    return rows(found)[0] if found else None


def rows(ids: Sequence[int]) -> list[contract.Match]:
    """These matches in their order, with who played them: two queries for all."""
    found = MATCH.by("id", Match.objects.filter(pk__in=ids).order_by())
    return with_entries([found[pk] for pk in ids])


def with_entries(found: list[M]) -> list[M]:
    """The same matches with who played them."""
    seated: dict[int, list[contract.Entry]] = {match.id: [] for match in found}
    entries = Entry.objects.filter(match__in=seated).order_by("match_id", "slot")
    for match, *entry in entries.values_list("match_id", *ENTRY.columns):
        seated[match].append(ENTRY.made(tuple(entry)))
    return [
        msgspec.structs.replace(match, entries=_ranked(match, seated[match.id])) for match in found
    ]


def _ranked(match: contract.Match, entries: Sequence[Any]) -> list[Any]:
    """Who sat there, each with its rank; solo goes by points, as everyone is alone at a table."""
    ranks = Board(match.game, match.seats).ranks([(one.place, one.points) for one in entries])
    return [
        msgspec.structs.replace(one, rank=rank) for one, rank in zip(entries, ranks, strict=True)
    ]


def is_visible(reader: Reader, pk: int) -> bool:
    """Whether there is such a match, and this reader may open it."""
    return bool(Match.objects.visible_to(reader).filter(pk=pk).exists())


def receipt(reader: Reader, pk: int) -> Receipt | None:
    """A match with all that its receipt shows."""
    found = RECEIPT.first(Match.objects.visible_to(reader).filter(pk=pk))
    if found is None:
        return None
    entries = ENTRY(Entry.objects.filter(match=pk).order_by("slot"))
    plays = PLAY(Play.objects.filter(match=pk).order_by("index"))
    return msgspec.structs.replace(found, entries=_ranked(found, entries), plays=plays)


def show(reader: Reader, pk: int) -> ShownMatch | None:
    """A match as its own page shows it."""
    found = Match.objects.visible_to(reader).filter(pk=pk)
    told = RECEIPT.first(found)
    if told is None:
        return None
    private: Any = found.values_list(
        *("tick__applied_at", "pairing__tournament__name", "pairing__tournament__is_public"),
        *("pairing__label", "worker", "attempts"),
    )[0]
    applied_at, name, is_public, label, worker, attempts = private
    seated = _ranked(told, SEATED(Entry.objects.filter(match=pk).order_by("slot")))
    return ShownMatch(
        receipt=msgspec.structs.replace(told, entries=seated),
        seated=seated,
        plays=plays_of(pk),
        tick_applied_at=applied_at,
        tournament_name=name if is_public else None,
        label=label,
        worker=worker,
        failures=attempts,
    )


def seated_at(match: int) -> dict[int, contract.Entry]:
    """By slot, who sat at the table of a match."""
    return ENTRY.by("slot", Entry.objects.filter(match=match))


def plays_of(match: int) -> list[StoredPlay]:
    return STORED(Play.objects.filter(match=match).order_by("index"))


def play(reader: Reader, match: int, index: int) -> StoredPlay | None:
    """A play that the reader may see."""
    # The keys stand beside the rule: asked for "in" the visible matches, those were all read.
    found = Play.objects.visible_to(reader).filter(match=match, index=index)
    return STORED.first(found.order_by())


def own_entries(reader: Reader, match: int) -> list[Seated]:
    """The reader's own entries in a match, with their logs; all of them for an operator."""
    seated = SEATED(Entry.objects.visible_to(reader).filter(match=match).order_by("slot"))
    return [entry for entry in seated if entry.is_managed_by(reader)]


def logs(reader: Reader, match: int) -> list[Log]:
    """What the reader's own bots printed, with the evidence of their faults."""
    own = own_entries(reader, match)
    plays = plays_of(match) if own else []
    return [
        Log(
            slot=entry.slot,
            bot=entry.bot,
            version=entry.version,
            log=entry.log,
            faults=[
                fault
                for play in plays
                for fault in play.evidence
                if play.seating[fault.seat] == entry.slot
            ],
        )
        for entry in own
    ]


def own_seats(reader: Reader, play: StoredPlay) -> dict[int, Seated]:
    """By seat, the entries of a play whose inside the reader may see: author's and operators'."""
    own = {entry.slot: entry for entry in own_entries(reader, play.match)}
    return {seat: own[slot] for seat, slot in enumerate(play.seating) if slot in own}


def live_sets(pairings: Iterable[int]) -> dict[int, list[tuple[int, int, str]]]:
    """By table of a tournament: number, match and status of each set that is not struck."""
    live = defaultdict(list)
    found = Match.objects.filter(pairing__in=pairings).exclude(status__in=STRUCK)
    for pairing, *one in found.order_by("number").values_list("pairing", "number", "pk", "status"):
        live[pairing].append(tuple(one))
    return live


def _ids_of_bot(
    bot: int, at: Cursor | None, count: int, board: dict[str, Any], status: str | None
) -> list[int]:
    """From the bot's own entries, in match order: a bot has few of all matches."""
    named = {f"match__{name}": value for name, value in board.items()}
    if status is not None:
        named["match__status"] = status
    seated: QuerySet[Entry] = Entry.objects.visible_to(None).filter(bot=bot, **named)
    ids = Order("", "-match_id").apply(seated, at).values_list("match_id", flat=True)
    # A bot may sit at a table twice, in a trial of its versions.
    return list(dict.fromkeys(ids[: 2 * count]))[:count]
