"""Starting, resting, ending, and the step that everything else follows from."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from ladder.contract.matches import STRUCK
from ladder.contract.remote import LANGUAGE
from ladder.errors import Code, LadderError
from ladder.models import Bot, Enrolment, Match, Pairing, Play, Rating, RemoteBot, Tournament, User
from ladder.services import matches
from ladder.services.events import reporting
from ladder.services.remote import tables
from ladder.services.tournaments.planning import seat_counts_needed
from ladder.services.tournaments.rights import locked, require_enrolling, require_organiser
from ladder.services.tournaments.stored import Stored, set_as_json
from ladder.tournaments import FORMATS, Table
from ladder.tournaments.knockout import knockout_winner
from ladder.tournaments.record import set_score
from ladder.tournaments.seeds import lot, match_seed

log = structlog.get_logger(__name__)

Status = Tournament.Status
LONGEST_PAUSE = 60  # seconds before a set that failed for our reasons is tried again


def start(*, tournament: Tournament, by: User) -> Tournament:
    """Freeze the versions, give the seeds and draw the first tables."""
    require_organiser(by, tournament)
    with transaction.atomic():
        row = locked(tournament)
        require_enrolling(row)
        _start(row)
    return row


def pause(*, tournament: Tournament, by: User, why: str = "") -> Tournament:
    """Begin nothing new; what is queued is still played."""
    return _switch(tournament, by, Status.RUNNING, Status.PAUSED, why)


def resume(*, tournament: Tournament, by: User) -> Tournament:
    row = _switch(tournament, by, Status.PAUSED, Status.RUNNING, "")
    advance(row)
    row.refresh_from_db()
    return row


def cancel(*, tournament: Tournament, by: User, why: str = "") -> Tournament:
    """Cancel it; what has been played stays on record, and the secret is published."""
    require_organiser(by, tournament)
    with transaction.atomic():
        row = locked(tournament)
        if row.is_over:
            raise LadderError(f"{row.name} is over already.", code=Code.TOURNAMENT_OVER)
        _call_off(row, why or f"Called off by {by.username}.")
    return row


def advance_all() -> int:
    """Start what is due and move on what has news; how many tournaments changed."""
    live = Tournament.objects.filter(status__in=[Status.ENROLLING, Status.RUNNING])
    kinds = set(live.order_by().values_list("status", flat=True).distinct())
    changed = 0
    if Status.ENROLLING in kinds:
        due = live.filter(status=Status.ENROLLING, start_at__lte=Now())
        changed += sum(_guarded(_start_on_time, tournament) for tournament in due)
        unannounced = live.filter(
            status=Status.ENROLLING, check_in_minutes__gt=0, is_check_in_announced=False
        )
        for tournament in unannounced:
            _guarded(_announce_check_in, tournament)
    if Status.RUNNING in kinds or changed:
        changed += sum(_guarded(advance, tournament) for tournament in _due())
    return changed


def _due() -> QuerySet[Tournament]:
    """An open table all of whose matches are over has news; so has a tournament without any."""
    open_tables = Pairing.objects.open().filter(tournament=OuterRef("pk"))
    awaited = Match.objects.open().filter(pairing=OuterRef("pk"))
    return Tournament.objects.filter(
        Exists(open_tables.filter(~Exists(awaited))) | ~Exists(open_tables), status=Status.RUNNING
    )


def _guarded(step: Callable[[Tournament], bool], tournament: Tournament) -> bool:
    """One tournament that breaks must not stop the others."""
    try:
        return step(tournament)
    except Exception:
        log.exception("tournament cannot go on", tournament=tournament.pk)
        return False


def advance(tournament: Tournament) -> bool:
    """Count what is decided, draw what is due, queue what is missing; whether tables changed."""
    with transaction.atomic():
        row = locked(tournament)
        if row.status != Status.RUNNING:
            return False
        stored, changed = Stored.load(row), False
        known = {pairing.round for pairing in stored.pairings}
        while _step(stored):
            changed = True
        if stored.open:
            _queue_missing(stored)
        else:
            _finish(stored)
            changed = True
        if row.cup_on is None:  # of a cup every day only the champion is news
            reporting.rounds_drawn(row, {pairing.round for pairing in stored.pairings} - known)
        if row.status == Status.FINISHED:
            reporting.tournament_won(row, _champion(stored))
    return changed


def _champion(stored: Stored) -> Bot | None:
    """The winner, where the format crowns one and only one came first."""
    first = [one.bot for one in stored.entrants.values() if one.final_rank == 1]
    is_crowned = stored.format.crowns_champion and len(first) == 1
    return first[0] if is_crowned else None


def _announce_check_in(tournament: Tournament) -> bool:
    """Say once that check-in is open."""
    with transaction.atomic():
        row = locked(tournament)
        if row.status != Status.ENROLLING or row.is_check_in_announced:
            return False
        if not row.has_opened_check_in:
            return False
        row.is_check_in_announced = True
        row.save(update_fields=["is_check_in_announced"])
        reporting.check_in_opened(row)
    return True


def _step(stored: Stored) -> bool:
    """One tick of the tournament's clock; False, and no tick, when nothing is to be changed."""
    tournament = stored.tournament
    step = tournament.steps + 1
    now = timezone.now()
    changed = False

    def close(pairing: Pairing, sets: list[dict[str, object]] | None) -> None:
        nonlocal changed
        pairing.result = None if sets is None else {"sets": sets}
        pairing.finished_at, pairing.finished_at_step = now, step
        pairing.save()
        changed = True

    for pairing, sets in _decided(stored):
        close(pairing, sets)
    due = {(one.round, one.number): one for one in stored.format.tables_due(stored.event())}
    for pairing in stored.open:
        table = due.pop((pairing.round, pairing.table), None)
        if table is None:
            _strike(pairing)
            close(pairing, None)
        elif list(table.entrants) != pairing.entrants:
            _strike(pairing)
            pairing.entrants = list(table.entrants)
            pairing.save(update_fields=["entrants"])
            changed = True
    drawn = [_draw(tournament, table, step) for table in due.values()]
    stored.pairings += Pairing.objects.bulk_create(drawn)
    if changed or drawn:
        tournament.steps = step
        tournament.save(update_fields=["steps"])
    return changed or bool(drawn)


def _draw(tournament: Tournament, table: Table, step: int) -> Pairing:
    return Pairing(
        tournament=tournament,
        round=table.round,
        table=table.number,
        label=table.label,
        drawn=list(table.entrants),
        drawn_at_step=step,
        entrants=list(table.entrants),
    )


def _decided(stored: Stored) -> list[tuple[Pairing, list[dict[str, object]]]]:
    """Open tables that need no further set, with their sets; a bye has none."""
    waiting = stored.open
    played = _finished_sets([one for one in waiting if len(one.entrants) > 1])
    found: list[tuple[Pairing, list[dict[str, object]]]] = []
    for pairing in waiting:
        sets = played.get(pairing.pk, [])
        if len(pairing.entrants) == 1 or not _next_sets(stored, pairing, sets):
            found.append((pairing, sets))
    return found


def _next_sets(stored: Stored, pairing: Pairing, sets: list[dict[str, object]]) -> list[int]:
    """Numbers of the sets still to be played, as far as they are known."""
    planned = stored.tournament.sets
    if len(sets) < planned:
        return list(range(1, planned + 1))
    if not stored.format.is_knockout:
        return []
    scores = [set_score(one) for one in sets]
    needs_set = knockout_winner(pairing.entrants, scores, planned).needs_set
    return [len(sets) + 1] if needs_set else []


def _finished_sets(pairings: list[Pairing]) -> dict[int, list[dict[str, object]]]:
    """By table, its finished sets in order, up to the first that is missing."""
    size = {one.pk: len(one.entrants) for one in pairings}
    finished = Match.objects.finished().filter(pairing__in=size).order_by("pairing", "number")
    found = list(finished)
    plays: dict[int, list[Play]] = defaultdict(list)
    for play in Play.objects.filter(match__in=found).order_by("match", "index"):
        plays[play.match_id].append(play)
    sets: dict[int, list[dict[str, object]]] = defaultdict(list)
    for match in found:
        so_far = sets[match.pairing_id]
        if match.number == len(so_far) + 1:
            so_far.append(set_as_json(match, plays[match.pk], size[match.pairing_id]))
    return sets


def _strike(pairing: Pairing) -> None:
    """Somebody left before the table was decided: what was played of it does not count."""
    for match in pairing.matches.exclude(status__in=STRUCK):
        why = "An entrant of its table withdrew before it was decided."
        matches.void(match, why, cause=Match.VoidCause.LEFT)


def _queue_missing(stored: Stored) -> None:
    """Queue each open table's next sets that have no match, on the seeds of the secret."""
    pairings = stored.open
    known = Match.objects.filter(pairing__in=pairings).order_by("pk")
    by_set: dict[tuple[int, int], list[Match]] = defaultdict(list)
    for match in known:
        by_set[match.pairing_id, match.number].append(match)
    played = _finished_sets(pairings)
    for pairing in pairings:
        for number in _next_sets(stored, pairing, played.get(pairing.pk, [])):
            if _may_queue(by_set[pairing.pk, number]):
                _queue(stored, pairing, number)


def _may_queue(earlier: list[Match]) -> bool:
    """Not beside a live match of the same set, and not at once after a failed one."""
    if any(match.status not in STRUCK for match in earlier):
        return False
    failed = [match for match in earlier if match.void_cause != Match.VoidCause.LEFT]
    if not failed or failed[-1].finished_at is None:
        return True
    pause = timedelta(seconds=min(LONGEST_PAUSE, 2 ** min(len(failed), 10)))
    rested = Match.all_objects.filter(pk=failed[-1].pk, finished_at__lte=Now() - pause)
    return rested.exists()


def _queue(stored: Stored, pairing: Pairing, number: int) -> None:
    tournament, board = stored.tournament, stored.tournament.board
    entrants = [stored.entrants[seed] for seed in pairing.entrants]
    is_fixed = board.is_solo or board.sides == 2
    extra = number - tournament.sets
    why = f"{tournament.name}, {pairing.label}"
    why += f", set {number} of {tournament.sets}" if tournament.sets > 1 and extra <= 0 else ""
    why += f", extra set {extra}, as it was drawn" if extra > 0 else ""
    asked: dict[str, Any] = {
        "game": board.game,
        "seats": board.seats if is_fixed else len(entrants),
        "versions": [one.fixed_version for one in entrants],
        "why": f"{why}.",
        "seed": match_seed(tournament.secret, pairing.label, number),
        "pairing": pairing,
        "number": number,
    }
    if any(one.fixed_version.language == LANGUAGE for one in entrants):
        tables.queue(**asked)  # a keeper plays it
    else:
        matches.queue(kind=Match.Kind.TOURNAMENT, **asked)


def _start_on_time(tournament: Tournament) -> bool:
    with transaction.atomic():
        row = locked(tournament)
        if row.status != Status.ENROLLING or row.start_at is None:
            return False
        try:
            with transaction.atomic():
                _start(row)
        except LadderError as error:
            _call_off(locked(tournament), f"It could not start: {error}")
    return True


def _start(row: Tournament) -> None:
    row.note = ""
    if row.entry == Tournament.Entry.TOP:
        _enter_top(row)
    if row.has_opened_check_in:
        _leave_out_absent(row)
    ready: list[Enrolment] = []
    unable: list[Enrolment] = []
    entered = row.enrolments.taking_part().select_related("bot__owner", "bot__remote")
    connected = set(
        RemoteBot.objects.takes_plays()
        .filter(bot__in=[one.bot_id for one in entered])
        .values_list("pk", flat=True)
    )
    for one in entered:
        is_ready = (
            one.bot.status == Bot.Status.ACTIVE
            and one.bot.seated_version is not None
            and not one.bot.owner.is_suspended
            and (not one.bot.is_remote or one.bot_id in connected)
        )
        (ready if is_ready else unable).append(one)
    fewest = FORMATS[row.format].fewest(row.format_options)
    if len(ready) < fewest:
        raise LadderError(
            f"{row.name} needs {fewest} bots that play"
            f"{' and have checked in' if row.has_opened_check_in else ''}; it has {len(ready)}.",
            code=Code.TOO_FEW_ENTRANTS,
        )
    row.enrolments.update(seed=None)
    Enrolment.objects.filter(pk__in=[one.pk for one in unable]).update(
        status=Enrolment.Status.WITHDRAWN
    )
    for seed, one in enumerate(_seeded(row, ready), 1):
        one.seed, one.version_id = seed, one.bot.seated_version
    Enrolment.objects.bulk_update(ready, ["seed", "version", "rating", "rating_error"])
    row.status, row.started_at = Status.RUNNING, timezone.now()
    row.save()
    log.info("tournament started", tournament=row.pk, entrants=len(ready))
    advance(row)
    row.refresh_from_db()


def _leave_out_absent(row: Tournament) -> None:
    entrants = row.enrolments.taking_part().select_related("bot__owner")
    absent = [one.pk for one in entrants if not one.has_checked_in]
    Enrolment.objects.filter(pk__in=absent).update(status=Enrolment.Status.ABSENT)


def _enter_top(row: Tournament) -> None:
    listed = Rating.objects.on(row.board).listed().filter(is_anchor=False)
    best = listed.order_by("is_provisional", "-milli", "version_id")
    needed = set(seat_counts_needed(row.board))
    able: dict[int, int] = {}
    for bot, owner, seats in best.values_list("bot", "bot__owner", "bot__seat_counts"):
        if needed <= set(seats):
            able.setdefault(owner, bot)  # an author's best alone
    for bot in list(able.values())[: row.top_count]:
        Enrolment.objects.get_or_create(tournament=row, bot_id=bot)
    if row.top_count and len(able) < row.top_count and row.cup_on is None:
        row.note = (
            f"{len(able)} of {row.top_count} places are taken: no other author has a bot on the"
            " board that can enter."
        )


def _seeded(row: Tournament, ready: list[Enrolment]) -> list[Enrolment]:
    """The entrants from the top seed on, each with its rating of this moment noted."""
    on_board = Rating.objects.on(row.board)
    entered = on_board.filter(version__in=[one.bot.seated_version for one in ready])
    ratings: dict[int | None, tuple[float, float]] = {
        version: (milli / 1000, math.sqrt(variance))
        for version, milli, variance in entered.values_list("version", "milli", "variance")
    }
    for one in ready:
        rating = ratings.get(one.bot.seated_version)
        one.rating, one.rating_error = rating or (None, None)
    if row.seeding == Tournament.Seeding.RANDOM:
        return sorted(ready, key=lambda one: lot(row.secret, one.bot_id))
    by_rating = sorted(ready, key=lambda one: (-(one.rating or 0), one.bot_id))
    if row.seeding == Tournament.Seeding.MANUAL:
        return sorted(by_rating, key=lambda one: (one.seed is None, one.seed or 0))
    return by_rating


def _switch(tournament: Tournament, by: User, before: str, after: str, note: str) -> Tournament:
    require_organiser(by, tournament)
    with transaction.atomic():
        row = locked(tournament)
        if row.status != before:
            code = Code.NOT_PAUSED if before == Status.PAUSED else Code.NOT_RUNNING
            raise LadderError(f"{row.name} is {row.status}, not {before}.", code=code)
        row.status, row.note = after, note[:200]
        row.save(update_fields=["status", "note"])
    return row


def _finish(stored: Stored) -> None:
    row = stored.tournament
    for one in stored.standings():
        stored.entrants[one.entrant].final_rank = one.place
    Enrolment.objects.bulk_update(stored.entrants.values(), ["final_rank"])
    row.status, row.ended_at = Status.FINISHED, timezone.now()
    row.save(update_fields=["status", "ended_at"])
    log.info("tournament finished", tournament=row.pk, steps=row.steps)


def _call_off(row: Tournament, why: str) -> None:
    row.status, row.ended_at, row.note = Status.CANCELLED, timezone.now(), why[:200]
    row.save(update_fields=["status", "ended_at", "note"])
    for match in Match.objects.open().filter(pairing__tournament=row):
        matches.cancel(match, "The tournament was called off.")
