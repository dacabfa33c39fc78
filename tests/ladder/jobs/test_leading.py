"""Two schedulers and a step that takes longer than a lead lasts."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db.models import F

from ladder.boards import Board
from ladder.jobs import scheduler
from ladder.jobs.scheduler import LEAD, Scheduler
from ladder.models import Lock, Tick
from ladder.services.rating import fitting

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def one_connection(monkeypatch):
    """Both schedulers share the test's, which is not theirs to close."""
    monkeypatch.setattr(scheduler, "close_old_connections", lambda: None)


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

    def slow_fit(board: Board, ticks: object) -> None:
        pass_time(0.7 * LEAD)
        assert not second.turn()
        fitted.append(board)

    monkeypatch.setattr(fitting, "rate", slow_fit)

    assert first.turn()

    assert [board.seats for board in fitted] == [2, 3, 4]
