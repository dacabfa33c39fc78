"""`make analysis` in short, and the documentation beside what was measured."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.analysis.analyst import Settings, analyst_for
from engine.games import GAMES
from tests.analysis import lengths, outcomes, validity
from tests.analysis.__main__ import DRAWING, FIGURES, slope
from tests.analysis.plot import drawn
from tests.analysis.positions import STRONG
from tests.analysis.report import table

PAGE = Path(__file__).parents[2] / "docs" / "analysis.md"
BUDGET = Settings(first=12, pairs=96, worlds=16, checks=24)


@pytest.fixture(scope="module")
def figures():
    return json.loads(FIGURES.read_text())


def test_planted_blunders_are_found():
    rows = [validity.plant("ramen_ramen", trial, BUDGET) for trial in (2, 5, 9)]

    confirmed = [row for row in rows if row["confirmed"]]
    assert len(confirmed) == 3
    assert sum(bool(row["mark"]) for row in confirmed) >= len(confirmed) - 1


@pytest.mark.parametrize("slug", GAMES)
def test_strong_play_is_seldom_marked(slug):
    rows = validity.own(slug, 0, BUDGET)

    assert len(rows) == 4
    assert sum(row["strong"] in ("mistake", "blunder") for row in rows) <= 1
    assert sum(row["advised"] in ("mistake", "blunder") for row in rows) <= 1


def test_what_is_expected_says_something_about_what_comes():
    rows = [
        row
        for trial in range(0, 60)
        if trial % 5 != 4
        for row in outcomes.expected("hot_ramen", trial)
    ]

    assert 0.5 < slope(np.array(rows)) < 2.0


@pytest.mark.parametrize("slug", GAMES)
def test_start_luck_and_decisions_are_the_result(slug):
    assert outcomes.largest_gap(slug, 0) == 0


def test_the_page_shows_the_figures_that_were_measured(figures):
    text = PAGE.read_text(encoding="utf-8")

    assert table(figures) in text
    assert DRAWING.read_text(encoding="utf-8") == drawn(figures["calibration"])


def test_every_game_was_measured(figures):
    assert set(STRONG) == set(GAMES)
    for section in ("calibration", "sums"):
        assert set(figures[section]) == set(GAMES)
    judged = {slug for slug in GAMES if analyst_for(GAMES[slug]).trust == "validated"}
    assert set(figures["luck"]) == judged
    for section in ("plants", "own"):
        assert set(figures[section]) >= judged


def test_a_luck_term_that_explains_half_of_the_variance_halves_trials_and_noise_does_not():
    rng = np.random.default_rng(5)
    luck, rest, noise = rng.normal(0, 0.2, (3, 400))

    useful = lengths.measured(np.c_[0.5 + luck + rest, luck], 1.0, trials=400, draws=60)
    useless = lengths.measured(np.c_[0.5 + luck + rest, noise], 0.0, trials=400, draws=60)

    assert 1.6 < useful["ratio"] < 2.4
    assert useful["interval"][0] < useful["ratio"] < useful["interval"][1]
    assert 0.8 < useless["ratio"] < 1.25
    for kind in ("plain", "luck"):
        for truth in ("equal", "better"):
            assert useful[kind][truth]["wrong"] < 0.1
