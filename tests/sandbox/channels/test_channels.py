"""What seats of a table and plays of a set could tell each other, in a short form of `measure`."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest

from sandbox import caches, table
from sandbox.pool import Pool
from sandbox.table import Tablemates
from tests.sandbox.channels.measure import ALL, Probe, bits, trial

CLOSED = [probe for probe in ALL if probe.is_closed]
ROUNDS = 60
CHANCE = 0.25  # bits that so few rounds may seem to carry


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool() as jails:
        yield jails


@pytest.mark.jail
@pytest.mark.parametrize("probe", CLOSED, ids=lambda probe: probe.name)
def test_a_closed_channel_carries_nothing(probe: Probe, pool: Pool) -> None:
    assert bits(trial(probe, ROUNDS, pool)) < CHANCE


@pytest.mark.jail
def test_an_open_channel_is_measured(pool: Pool) -> None:
    """Or the test above could not fail."""
    answer_time = next(probe for probe in ALL if probe.name == "answer_time")

    assert bits(trial(answer_time, ROUNDS, pool)) > CHANCE


def test_bits_are_those_of_a_known_channel() -> None:
    symbols = [random.randrange(4) for _ in range(2000)]

    assert 1.9 < bits([(symbol, symbol) for symbol in symbols]) < 2.01
    assert bits([(symbol, random.randrange(10**6)) for symbol in symbols]) < 0.05


class Idle:
    """A player that was waited for."""

    def __init__(self, waited_ns: int) -> None:
        self.waited_ns = waited_ns
        self.has_left = False

    def leave(self) -> None:
        self.has_left = True


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    found: list[float] = []
    monkeypatch.setattr(table.time, "sleep", found.append)
    return found


def test_the_pause_between_plays_covers_what_the_slowest_bot_could_steer(
    slept: list[float],
) -> None:
    for _ in range(400):
        seats = Tablemates()
        for waited_ms in (10, 200):
            seats.seat(Idle(waited_ms * 10**6))
        seats.is_under_way = True
        seats.begin_play()

    assert 0.27 < max(slept) < 0.32
    assert min(slept) < 0.03
    assert 0.12 < sum(slept) / len(slept) < 0.18


def test_caches_are_swept_between_plays_and_the_process_keeps_its_cores(
    slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    swept: list[int] = []
    monkeypatch.setattr(caches, "sweep", lambda: swept.append(1))
    for sweeps in (False, True):
        seats = Tablemates(sweeps=sweeps)
        seats.seat(Idle(1))
        seats.begin_play()
        seats.is_under_way = True
        seats.begin_play()
    assert len(swept) == 1
    monkeypatch.undo()

    own = os.sched_getaffinity(0)
    caches.sweep()
    assert os.sched_getaffinity(0) == own
    plan = dict(caches._plan(frozenset(own)))
    assert set(plan) == own
    assert max(plan.values()) >= max(caches._caches(core)[1] for core in own)


def test_on_many_cores_a_shared_cache_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "_caches", lambda core: (1, 100, f"{core // 8}"))
    plan = caches._plan.__wrapped__(frozenset(range(16)))

    assert [size for _, size in plan] == [200, *[2] * 7] * 2


def test_all_bots_of_a_play_are_gone_before_the_first_of_the_next_is_started(
    slept: list[float],
) -> None:
    seats, players = Tablemates(pauses=False), [Idle(1), Idle(2)]
    for player in players:
        seats.seat(player)

    seats.begin_play()
    assert not any(player.has_left for player in players), "no play was under way"

    seats.is_under_way = True
    seats.begin_play()
    assert all(player.has_left for player in players)
    assert slept == []
