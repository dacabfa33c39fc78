"""The open class: rated matches of connected remote bots, and their ratings.

It has boards and ratings of its own. The scale is that of the ladder, since house bots stand in
both where they were measured; nothing else of one class counts in the other.
"""

from __future__ import annotations

import math
import random
import time
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Max, Q
from django.db.models.functions import Now
from django.utils import timezone

from ladder.boards import BOARDS, Board
from ladder.contract.remote import LANGUAGE
from ladder.models import Bot, Entry, Match, OpenRating, Play, RemoteBot, Sitting, Version
from ladder.queries import limits
from ladder.ratings.fit import Fit, Rated, fit
from ladder.ratings.outcome import Outcome
from ladder.services import quotas
from ladder.services.rating.ratings import anchor_of
from ladder.services.remote import seats, tables

log = structlog.get_logger(__name__)

OPEN = (Match.Status.QUEUED, Match.Status.RUNNING)
MOST_PLAYS = 20_000  # of a board, the newest: what its fit reads
REST_S = 20.0  # between two fits of a board
NEAR_ELO = 200.0  # opponents are drawn by how near they are
MOST_GUESTS = 50  # sandboxed bots that one draw looks at
_next_fit: dict[Board, float] = {}  # by the monotonic clock


@dataclass(frozen=True, slots=True)
class _Guest:
    """A bot that may sit down now."""

    bot: int
    owner: int
    version: int
    is_house: bool


def fill() -> int:
    """Queue a match for connected remote bots that have none; how many were queued.

    Half of the tables are for them, whatever challenges and tournaments wait or are played.
    """
    rated = Match.all_objects.open().filter(kind=Match.Kind.REMOTE, sitting__is_rated=True)
    room = settings.MAX_TABLES // 2 - rated.count()
    if room <= 0 or not settings.MAX_OPEN_CLASS_PER_DAY:
        return 0
    idle = _idle()
    random.shuffle(idle)
    queued = 0
    seated: set[int] = set()
    for remote in idle:
        if queued >= room:
            break
        if remote.pk not in seated and (table := _draw(remote, idle, seated)):
            board, guests = table
            if _queue(board, [*guests, _guest(remote)]):
                seated |= {remote.pk, *(guest.bot for guest in guests)}
                queued += 1
    return queued


def _idle() -> list[RemoteBot]:
    """Connected remote bots that may play one more today.

    Those with an open match wait for its end, unless somebody else asked for it: challenges of
    strangers must not keep a bot from rated play.
    """
    online = RemoteBot.objects.may_play().takes_plays().filter(plays_rated=True)
    found = {remote.pk: remote for remote in online.select_related("bot", "version")}
    if not found:
        return []
    entries = Entry.objects.filter(bot__in=found, match__kind=Match.Kind.REMOTE)
    expected = Q(match__created_by=None) | Q(match__created_by=F("bot__owner"))
    busy = set(entries.filter(expected, match__status__in=OPEN).values_list("bot", flat=True))
    today = entries.filter(
        match__sitting__is_rated=True, match__created_at__gte=timezone.now() - timedelta(days=1)
    )
    played = dict(today.values_list("bot").annotate(count=Count("pk")))
    free = [
        remote
        for pk, remote in found.items()
        if pk not in busy and played.get(pk, 0) < settings.MAX_OPEN_CLASS_PER_DAY
    ]
    owners = {remote.bot.owner_id for remote in free}
    done = {owner for owner in owners if limits.remote_matches_of_owner(owner).is_reached}
    return [remote for remote in free if remote.bot.owner_id not in done]


def _draw(
    remote: RemoteBot, idle: Collection[RemoteBot], seated: Collection[int]
) -> tuple[Board, list[_Guest]] | None:
    """The board that a bot knows least, and opponents near it; None if nobody is there."""
    known = dict(OpenRating.objects.filter(version=remote.version).values_list("seats", "plays"))
    boards = [
        board
        for board in BOARDS
        if board.game == remote.bot.game and board.seats in remote.bot.seat_counts
        if board.sides > 1
    ]
    random.shuffle(boards)
    for board in sorted(boards, key=lambda one: known.get(one.seats, 0)):
        others = [
            _guest(other)
            for other in idle
            if other.pk not in seated and other.bot.game == board.game
            if board.seats in other.bot.seat_counts and other.pk != remote.pk
        ]
        chosen = _choose(board, remote, [*others, *_sandboxed(board)])
        if chosen is not None:
            return board, chosen
    return None


def _sandboxed(board: Board) -> list[_Guest]:
    """House bots, and bots whose authors let them meet remote ones."""
    bots = Bot.objects.filter(
        game=board.game, status=Bot.Status.ACTIVE, active_version__isnull=False
    ).select_related("active_version")
    house = [bot for bot in bots.filter(is_house=True) if board.seats in bot.seat_counts]
    willing = bots.filter(
        is_house=False, meets_remote=True, owner__is_active=True, owner__is_suspended=False
    )
    drawn = willing.order_by("?")[:MOST_GUESTS]
    guests = [bot for bot in drawn if board.seats in bot.seat_counts]
    return [
        _Guest(bot.pk, bot.owner_id, bot.active_version_id or 0, bot.is_house)
        for bot in (*house, *guests)
    ]


def _choose(board: Board, remote: RemoteBot, guests: list[_Guest]) -> list[_Guest] | None:
    """Opponents drawn by how near their ratings are, one of an owner and not too often."""
    rows = OpenRating.objects.on(board).filter(
        version__in=[remote.version_id, *(guest.version for guest in guests)]
    )
    elo = {version: milli / 1000 for version, milli in rows.values_list("version", "milli")}
    own = elo.get(remote.version_id)
    owners = {remote.bot.owner_id}
    chosen: list[_Guest] = []
    while len(chosen) < board.sides - 1:
        free = [guest for guest in guests if guest.is_house or guest.owner not in owners]
        free = [guest for guest in free if guest not in chosen]
        if not free:
            return None
        gaps = [0.0 if own is None else elo.get(guest.version, own) - own for guest in free]
        weights = [0.02 + math.exp(-abs(gap) / NEAR_ELO) for gap in gaps]
        guest = random.choices(free, weights)[0]
        if limits.remote_matches_of_pair(remote.pk, guest.bot, rated=True).is_reached:
            guests = [other for other in guests if other is not guest]
            continue
        chosen.append(guest)
        owners.add(guest.owner)
    return chosen


def _guest(remote: RemoteBot) -> _Guest:
    return _Guest(remote.pk, remote.bot.owner_id, remote.version_id, is_house=False)


def _queue(board: Board, guests: list[_Guest]) -> bool:
    """Queue the match, unless a remote bot has left or its owner reached the limit meanwhile."""
    random.shuffle(guests)  # nobody chooses a seat
    versions = Version.objects.select_related("bot").in_bulk([guest.version for guest in guests])
    remote = [guest for guest in guests if versions[guest.version].language == LANGUAGE]
    with transaction.atomic():
        for owner in sorted({guest.owner for guest in remote}):
            quotas.hold(owner)
            if limits.remote_matches_of_owner(owner).is_reached:
                return False
        bots = {guest.bot for guest in remote}
        if seats.hold(bots) != bots:
            return False
        tables.queue(
            game=board.game,
            seats=board.seats,
            versions=[versions[guest.version] for guest in guests],
            why="The open class: opponents near in rating, as far as they are known.",
            is_rated=True,
        )
    return True


def rate_ready() -> list[Board]:
    """Fit the boards with results that are not counted yet, each now and then; which they were."""
    ended = Sitting.objects.filter(is_rated=True, counted_at=None).exclude(match__status__in=OPEN)
    places = ended.order_by().values_list("match__game", "match__seats").distinct()
    now = time.monotonic()
    boards = [
        board
        for place in sorted(places)
        if _next_fit.get(board := Board(*place), 0.0) <= now
    ]  # fmt: skip
    for board in boards:
        _next_fit[board] = now + REST_S
        rate(board)
    return boards


def rate(board: Board) -> None:
    """Fit all results of a board of the open class."""
    with transaction.atomic():
        sittings = Sitting.objects.filter(
            is_rated=True, match__game=board.game, match__seats=board.seats
        ).exclude(match__status__in=OPEN)
        uncounted = sittings.filter(counted_at=None)
        news = set(
            Entry.objects.filter(match__sitting__in=uncounted).values_list("version", flat=True)
        )
        uncounted.update(counted_at=Now())
        results = _results(board)
        versions = {
            version.pk: version
            for version in Version.objects.filter(
                pk__in={key for one in results for key in one.outcome.entrants}
            ).select_related("bot")
        }
        fitted = _fit(board, results, versions.values())
        known = {row.version_id: row for row in OpenRating.objects.on(board)}
        last = _last_played(board)
        for pk, version in versions.items():
            row = known.get(pk) or OpenRating(
                game=board.game, seats=board.seats, version=version, bot_id=version.bot_id
            )
            row.is_remote = version.language == LANGUAGE
            row.last_played_at = last.get(pk)
            _put(row, "", fitted.rated[pk])
            row.is_provisional = not fitted.rated[pk].is_ranked
            if pk in news or row.pk is None or not row.is_remote:
                _put(row, "fair_", _fair(board, pk, results, versions.values(), fitted))
            row.save()
        OpenRating.objects.on(board).exclude(version__in=versions).delete()
    log.info("open class rated", board=str(board), plays=len(results))


@dataclass(frozen=True, slots=True)
class _Result:
    outcome: Outcome
    at_fault: frozenset[int]  # versions


def _results(board: Board) -> list[_Result]:
    """The newest plays of a board, each a result of its own."""
    finished = Match.all_objects.finished().filter(
        sitting__is_rated=True, game=board.game, seats=board.seats
    )
    newest = list(finished.order_by("-pk").values_list("pk", flat=True)[:MOST_PLAYS])
    versions: dict[int, list[int]] = defaultdict(list)
    entries = Entry.objects.filter(match__in=newest).order_by("match_id", "slot")
    for match, version in entries.values_list("match_id", "version_id"):
        versions[match].append(version)
    found = []
    plays = Play.objects.filter(match__in=newest).order_by("match_id", "index")
    for match, seating, places, faults in plays.values_list(
        "match_id", "seating", "places", "faults"
    ):
        entrants = versions[match]
        by_slot = dict(zip(seating, places, strict=True))
        outcome = Outcome.from_places(entrants, [[by_slot[slot] for slot in range(len(entrants))]])
        at_fault = frozenset(entrants[seating[fault["seat"]]] for fault in faults)
        found.append(_Result(outcome, at_fault))
    return found


def _fit(board: Board, results: Iterable[_Result], versions: Iterable[Version]) -> Fit:
    anchors = {
        version.pk: (anchor.value, math.sqrt(anchor.variance))
        for version in versions
        if version.bot.is_house
        if (anchor := anchor_of(board, version.bot)) is not None
    }
    return fit(
        [one.outcome for one in results],
        fixed={key: value for key, (value, error) in anchors.items() if not error},
        measured={key: both for key, both in anchors.items() if both[1]},
        versions=[version.pk for version in versions],
    )


def _fair(
    board: Board, own: int, results: list[_Result], versions: Iterable[Version], fitted: Fit
) -> Rated:
    """What a bot would be rated without plays of its own that ended by someone else's fault."""
    kept = [
        one
        for one in results
        if own not in one.outcome.entrants or not one.at_fault - {own}
    ]  # fmt: skip
    return (
        fitted.rated[own] if len(kept) == len(results) else _fit(board, kept, versions).rated[own]
    )


def _put(row: OpenRating, which: str, rated: Rated) -> None:
    for name, value in (
        ("milli", rated.value),
        ("low_milli", rated.low),
        ("high_milli", rated.high),
    ):
        setattr(row, which + name, round(1000 * value))
    setattr(row, which + "plays", rated.sets)


def _last_played(board: Board) -> dict[int, datetime | None]:
    rated = Entry.objects.filter(
        match__sitting__is_rated=True, match__game=board.game, match__seats=board.seats
    )
    return dict(rated.order_by().values_list("version").annotate(last=Max("match__finished_at")))
