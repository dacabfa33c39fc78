"""`make calibration` in short: the same simulations, few of each, with wide margins."""

from collections import defaultdict

import numpy as np
import pytest

from tests.calibration import coverage, drift, queueing, trials
from tests.calibration.__main__ import at_least, house_lines


@pytest.mark.parametrize(("seats", "sd"), [(2, 200), (4, 400)])
def test_intervals_hold_the_truth_about_nineteen_times_out_of_twenty(seats, sd):
    hits, taus = defaultdict(list), defaultdict(list)
    for seed in range(12):
        for sets, found, tau in coverage.run(seats, sd, coverage.independent, seed, (10, 25)):
            hits[sets] += found["all"]
            taus[sets].append(tau)

    for sets in (10, 25):  # 300 bots, those of a board not independent of each other
        assert 0.88 < np.mean(hits[sets]) <= 1.0
    assert np.mean(taus[25]) > np.mean(taus[10]) > 0.6


def test_a_bot_far_above_all_others_is_covered():
    hits = [hit for seed in range(6) for sets, hit in coverage.far_above(2, 2300.0, seed)]

    assert np.mean(hits) > 0.8


def test_strong_newcomers_do_not_pull_the_scale_down():
    moved = [drift.drift(seed, 300.0, generations=4) for seed in range(3)]

    assert abs(np.mean(moved)) < 60


@pytest.mark.parametrize("simulate", [queueing.uploads, queueing.fresh_site])
def test_nobody_waits_more_than_two_and_a_half_times_the_mean(simulate):
    found = simulate(0)

    for what in ("first game", "ranked"):
        assert found[f"{what}, longest"] < 2.5 * found[f"{what}, mean"]
    assert found["matches"] < 0.95 * simulate(0, "by the rule before, ")["matches"]
    if simulate is queueing.fresh_site:  # it comes to rest, as docs/ratings.md has it
        assert found["matches"] < found["matches until it rests"] < 4000


@pytest.mark.parametrize(("elo", "verdict"), [(0.0, "not better"), (40.0, "better")])
def test_trials_are_wrong_in_about_one_case_of_twenty(elo, verdict):
    assert trials.measure(elo, 0.125, runs=60)[verdict] > 0.84


def test_the_house_bots_score_what_their_anchors_say():
    *outside, last = list(house_lines(0))[1:]
    inside, total, near = [int(word) for word in last.split() if word.isdigit()]

    assert total >= 35
    # As many pairs outside of their 95% interval as that, or more, by chance alone.
    assert at_least(total - inside - near, total, 0.05) > 0.05, outside
