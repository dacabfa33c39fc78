"""Analyses on the server: asked for within a quota, done when no match waits."""

from __future__ import annotations

import structlog
from django.db import transaction
from django.db.models.functions import Now

from engine.analysis.values import Analysis
from engine.replay import packed
from ladder.errors import Code, LadderError
from ladder.models import JudgedSeat, Match, Play, PlayAnalysis, User
from ladder.models.study.analysis import LEASE, MAX_ATTEMPTS
from ladder.operation import nudges
from ladder.queries import analyses, limits
from ladder.services import matches, quotas

log = structlog.get_logger(__name__)

FIRST_MATCHES = 2  # of a version, which are analysed without being asked
MOST_WAITING = 200  # more are only queued for people who ask
LONGEST_PROBLEM = 200


def request(*, user: User, play: int) -> None:
    """Queue the analysis of a play; one that is there already costs nothing."""
    row = Play.objects.select_related("match").get(pk=play)
    if not row.replay:
        raise LadderError("This replay is no longer stored.", code=Code.REPLAY_DROPPED)
    if row.match.seats == 1:
        raise LadderError("A solo play has no opponents, so it cannot be analysed.")
    with transaction.atomic():
        quotas.hold(user.pk)
        if PlayAnalysis.objects.filter(play=play).exists():
            return
        quotas.check(user.pk, limits.analyses(user.pk))
        PlayAnalysis.objects.create(play=row, requested_by=user, why="on request")
        nudges.nudge(Match.PRIORITY[Match.Kind.LADDER])  # a worker may be asleep


def sweep() -> None:
    """Wake a worker for analyses that have waited: no match may come to do it.

    Otherwise a site without matches would keep them for ever after a restart, and exhibitions,
    which give way to analyses, would wait as long.
    """
    if PlayAnalysis.objects.waiting().values_list("pk")[:1]:
        nudges.nudge(Match.PRIORITY[Match.Kind.LADDER], min(1, matches.idle_processes()))


def queue_for(match: Match) -> None:
    """Queue what is analysed without being asked.

    Finals, the first matches of a version, and the match of the day.
    """
    if match.seats == 1 or (why := analyses.reason_for(match.pk, FIRST_MATCHES)) is None:
        return
    if analyses.count_waiting(MOST_WAITING) < MOST_WAITING:
        play = match.plays.order_by("index").first()
        if play is not None:
            PlayAnalysis.objects.get_or_create(play=play, defaults={"why": why})


def finish(row: PlayAnalysis, found: Analysis) -> bool:
    """Store it; False when another process has taken over meanwhile."""
    with transaction.atomic():
        is_ours = _close(
            row,
            status=PlayAnalysis.Status.DONE,
            edition=found.edition,
            content=packed(found.to_json()),
            finished_at=Now(),
            is_studied=False,
        )
        if is_ours:
            JudgedSeat.objects.filter(analysis=row).delete()  # by an earlier analyst
    return is_ours


def renew_one() -> bool:
    """Queue the newest stale analysis again, if its replay is still stored; False if none is left.

    Until it is done again, its content is served with a note and left out of all sums.
    """
    while (row := PlayAnalysis.objects.stale().exclude(play__replay="").first()) is not None:
        stale = PlayAnalysis.objects.stale().filter(pk=row.pk)
        if stale.order_by().update(status=PlayAnalysis.Status.QUEUED, attempt=0):
            return True
    return False


def prolong(row: PlayAnalysis) -> bool:
    """It is still under way; False when another process has taken over meanwhile."""
    running = PlayAnalysis.objects.filter(pk=row.pk, status=PlayAnalysis.Status.RUNNING)
    return bool(running.filter(attempt=row.attempt).update(lease_until=Now() + LEASE))


def give_back(row: PlayAnalysis) -> None:
    """Matches wait: the analysis starts over later, and this attempt is not counted."""
    _close(row, status=PlayAnalysis.Status.QUEUED, attempt=row.attempt - 1)


def fail(row: PlayAnalysis, problem: str) -> None:
    """Try again, or give it up after too many times."""
    given_up = row.attempt >= MAX_ATTEMPTS
    log.error("analysis failed", play=row.play_id, attempt=row.attempt, problem=problem)
    _close(
        row,
        status=PlayAnalysis.Status.FAILED if given_up else PlayAnalysis.Status.QUEUED,
        problem=problem[:LONGEST_PROBLEM],
    )


def _close(row: PlayAnalysis, **fields: object) -> bool:
    """Fenced by the attempt, as matches are."""
    running = PlayAnalysis.objects.filter(pk=row.pk, status=PlayAnalysis.Status.RUNNING)
    return bool(running.filter(attempt=row.attempt).update(lease_until=None, **fields))
