"""Two schedulers and a step that takes longer than a lead lasts."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from types import SimpleNamespace

import pytest
from django.db import connection
from django.db.models import F

from ladder.boards import Board
from ladder.jobs import scheduler
from ladder.jobs.scheduler import LEAD, Scheduler
from ladder.models import BoardFit, Lock, ResultSegment, Tick
from ladder.services import scheduling
from ladder.services.rating import fitting, segments
from tests.factories import DUEL
from tests.ladder.services.test_ratings import make_board, play_tick
from tests.local_play import play_and_finish
from tests.servers import wait_until

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def one_connection(monkeypatch, request):
    """Both schedulers share the test's, which is not theirs to close; a thread has no other."""
    monkeypatch.setattr(scheduler, "close_old_connections", lambda: None)
    if not request.node.get_closest_marker("django_db").kwargs:
        monkeypatch.setattr(Scheduler, "_prolong", lambda *_: None)


@pytest.fixture
def pass_time(monkeypatch):
    """Let time pass for the database and for this host alike."""
    passed = timedelta()

    def go_on(duration: timedelta) -> None:
        nonlocal passed
        passed += duration
        Lock.objects.update(until=F("until") - duration)

    clock = SimpleNamespace(monotonic=lambda: passed.total_seconds())
    monkeypatch.setattr(scheduler, "time", clock)
    return go_on


def named(name: str) -> Scheduler:
    made = Scheduler()
    made.name = name
    return made


def test_a_scheduler_that_lost_its_lead_in_a_step_does_nothing_more(monkeypatch, pass_time):
    first, second = named("first"), named("second")
    done: list[str] = []

    def slow_sweep() -> None:
        pass_time(2 * LEAD)
        monkeypatch.setattr(scheduler.matches, "sweep", lambda: done.append("sweep"))
        assert second.turn()

    monkeypatch.setattr(scheduler.matches, "sweep", slow_sweep)
    monkeypatch.setattr(scheduler.scheduling, "fill_queue", lambda: done.append("fill"))

    assert not first.turn()

    assert done == ["sweep", "fill"]  # once, by the second
    assert Lock.objects.get(name="scheduler").holder == "second"


def test_a_scheduler_that_fits_many_boards_keeps_its_lead(monkeypatch, pass_time):
    first, second = named("first"), named("second")
    for seats in (2, 3, 4):
        Tick.objects.create(game="ramen_ramen", seats=seats, number=1)
    fitted: list[Board] = []

    def slow_fit(board: Board, ticks: object, **_: object) -> None:
        pass_time(0.7 * LEAD)
        assert not second.turn()
        fitted.append(board)

    monkeypatch.setattr(fitting, "rate", slow_fit)

    assert first.turn()

    assert [board.seats for board in fitted] == [2, 3, 4]


@pytest.mark.django_db(transaction=True)
def test_one_step_that_lasts_longer_than_a_lead_keeps_it(monkeypatch):
    monkeypatch.setattr(scheduler, "LEAD", timedelta(seconds=1))
    ends: set[datetime] = set()

    def slow_sweep() -> None:
        def is_prolonged() -> bool:
            ends.add(Lock.objects.get(name="scheduler").until)
            return max(ends) - min(ends) > 2 * scheduler.LEAD

        wait_until(is_prolonged, 60, "the lead is prolonged during the step")
        assert not named("second").turn()

    monkeypatch.setattr(scheduler.matches, "sweep", slow_sweep)

    assert named("first").turn()

    assert Lock.objects.get(name="scheduler").holder == "first"
    assert max(ends) - min(ends) > 2 * scheduler.LEAD


def test_a_fit_prolongs_the_lead_before_it_is_committed():
    pending: list[str] = []  # what beats find done and not committed
    make_board(DUEL)
    tick = scheduling.create_tick(DUEL, Random(0))
    for match in tick.matches.all():
        play_and_finish(match)
    outside = len(connection.savepoint_ids)  # of the test itself

    def beat() -> None:
        if len(connection.savepoint_ids) > outside:
            pending.extend(str(one) for one in Tick.objects.exclude(applied_at=None))

    assert fitting.rate_ready_ticks(beat) == [tick]

    assert pending == [str(tick)]


def test_so_does_every_segment_that_is_sealed_also_for_a_fit_from_scratch(monkeypatch):
    pending: list[str] = []
    monkeypatch.setattr(segments, "TICKS", 2)
    make_board(DUEL)
    for seed in range(4):
        play_tick(DUEL, seed)
    BoardFit.objects.all().delete()
    outside = len(connection.savepoint_ids)

    def beat() -> None:
        if len(connection.savepoint_ids) > outside:
            pending.append(f"{ResultSegment.objects.count()} segments")

    assert DUEL in fitting.rate_unfitted(beat)

    assert "1 segments" in pending
    assert pending.count("2 segments") >= 2  # that of the second, and that of the fit itself
