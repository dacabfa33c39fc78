"""The simulation of many workers gives what can be reckoned by hand."""

from __future__ import annotations

import pytest

from tests.programs.scale.simulation import Site, simulate


def test_a_few_workers_play_all_the_time():
    found = simulate(Site(10, play=2.0, cores=8, database=0.008, scheduler=0.003))

    assert found.rate == pytest.approx(5, rel=0.1)
    assert found.workers > 0.9
    assert found.fullest == "the workers"


def test_a_database_of_two_cores_carries_what_its_cores_allow():
    found = simulate(Site(1000, play=1.0, cores=2, database=0.010, scheduler=0.001), seconds=60)

    assert found.rate == pytest.approx(200, rel=0.1)
    assert found.fullest == "the database"


def test_one_scheduler_carries_no_more_than_its_core():
    found = simulate(Site(2000, play=1.0, cores=64, database=0.005, scheduler=0.004), seconds=60)

    assert found.rate == pytest.approx(250, rel=0.15)
    assert found.fullest == "the scheduler"
