"""Hosts whose clocks disagree: what is timed between them goes by the database's clock alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from ladder.jobs import worker
from ladder.models import Lock, Match, Tournament, Worker
from ladder.operation import backups
from ladder.queries import operation
from ladder.services import housekeeping, matches, tournaments
from tests.factories import DUEL, make_match, make_user

pytestmark = pytest.mark.django_db

true_now = timezone.now
SOON = timedelta(seconds=30)


@pytest.fixture
def go_ahead(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From when it is called this host's clock is two hours ahead."""

    def ahead() -> datetime:
        return true_now() + timedelta(hours=2)

    return lambda: monkeypatch.setattr(timezone, "now", ahead)


def test_a_failed_match_rests_for_seconds_whatever_the_workers_clock_says(go_ahead):
    match = make_match()
    claimed = Match.all_objects.filter(pk=match.pk).claim_next("ahead")

    go_ahead()
    matches.fail(claimed, "a failure")

    match.refresh_from_db()
    assert match.retry_at < true_now() + SOON


def test_a_match_that_is_over_ends_after_it_began(go_ahead):
    played, void = make_match(), make_match()
    go_ahead()
    for match in (played, void):
        match.attempt = Match.all_objects.filter(pk=match.pk).claim_next("ahead").attempt

    assert matches.close(played)
    matches.void(void, "a test")

    for match in (played, void):
        match.refresh_from_db()
        assert timedelta(0) <= match.finished_at - match.started_at < SOON


def test_a_worker_whose_clock_is_ahead_is_missed_as_soon_as_others(go_ahead):
    go_ahead()
    worker.send_heartbeat("")

    assert Worker.objects.get().seen_at < true_now() + SOON


def test_a_web_host_whose_clock_is_ahead_hears_workers_and_the_scheduler(go_ahead):
    worker.send_heartbeat("")
    assert Lock.objects.take("scheduler", "one", timedelta(seconds=15))

    go_ahead()
    housekeeping.clean()

    assert operation.workers_alive()
    assert operation.scheduler_is_heard()
    with pytest.raises(backups.BackupError, match="is running"):
        backups._require_rest()


def test_a_match_asked_for_on_a_host_that_is_ahead_is_not_overlooked(go_ahead, monkeypatch):
    woken: list[int] = []
    go_ahead()
    match = make_match()
    monkeypatch.setattr(matches, "nudge", lambda priority, times: woken.append(priority))

    matches.sweep()

    assert woken == [match.priority]


def test_a_tournament_does_not_start_early_on_a_scheduler_that_is_ahead(go_ahead):
    start = true_now() + timedelta(hours=1)
    cup = tournaments.create(by=make_user(), board=DUEL, name="Cup", format="swiss", start_at=start)
    go_ahead()

    tournaments.advance_all()

    cup.refresh_from_db()
    assert cup.status == Tournament.Status.ENROLLING and not cup.note
