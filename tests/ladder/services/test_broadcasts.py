"""What is told of a play under way, when, and what is not."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.db import OperationalError

from engine.arena import Entry, play_set
from engine.replay import read
from ladder.models import Broadcast, Match
from ladder.services import broadcasts, matches
from ladder.services.broadcasts import Camera
from tests.factories import make_match
from tests.local_play import Dice

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that cameras see."""
    now = [100.0]
    monkeypatch.setattr(broadcasts.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def match() -> Match:
    make_match()
    claimed = Match.all_objects.claim_next("test")
    assert claimed is not None
    return claimed


def film(match: Match, clock: list[float], seconds: float) -> list[int]:
    """Play the match with a camera; each answer takes so long. The steps told of each play."""
    camera = Camera(match)

    class Slow(Dice):
        def decide(self, question):
            clock[0] += seconds
            camera.look()
            return super().decide(question)

    told = []
    entries = [Entry([Slow(seed)]) for seed in range(2)]
    for one in play_set(match.board.rules, 2, entries, seed=match.seed, watch=camera.turn_to):
        camera.end(one.played.replay)
        told.append(len(one.played.replay.log))
    return told


def test_a_play_shorter_than_the_period_is_never_told(match, clock, django_assert_num_queries):
    with django_assert_num_queries(0):
        film(match, clock, 0.001)

    assert not Broadcast.objects.exists()


def test_a_long_play_is_told_to_its_end(match, clock):
    steps = film(match, clock, 1.0)

    rows = Broadcast.objects.order_by("index")
    assert [(row.index, row.steps, row.is_over) for row in rows] == [
        (0, steps[0], True),
        (1, steps[1], True),
    ]
    assert [read(bytes(row.replay)).result is not None for row in rows] == [True, True]


def test_it_is_told_once_in_a_period_at_most(match, clock, monkeypatch):
    told = []
    monkeypatch.setattr(Camera, "_tell", lambda camera, replay: told.append(clock[0]))

    film(match, clock, 0.3)

    gaps = [after - before for before, after in pairwise(told)]
    assert gaps
    assert min(gaps) >= broadcasts.PERIOD_SECONDS


def test_trouble_with_the_database_does_not_disturb_the_play(match, clock, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(type(Broadcast.objects), "bulk_create", refuse)

    assert film(match, clock, 1.0)
    assert not Broadcast.objects.exists()


def test_only_the_attempt_under_way_is_on_air(match, clock):
    film(match, clock, 1.0)
    assert Broadcast.objects.on_air().count() == 2

    matches.fail(match, "the worker was lost")
    assert not Broadcast.objects.on_air().exists()
    Match.all_objects.update(retry_at=None)
    again = Match.all_objects.claim_next("another")
    assert again is not None
    assert not Broadcast.objects.on_air().exists()

    film(again, clock, 1.0)
    assert Broadcast.objects.on_air().count() == Broadcast.objects.count() == 2


def test_what_was_told_of_a_match_is_dropped_when_it_is_over(match, clock):
    film(match, clock, 1.0)
    broadcasts.sweep()
    assert Broadcast.objects.count() == 2

    matches.void(match, "an operator said so")
    broadcasts.sweep()

    assert not Broadcast.objects.exists()
