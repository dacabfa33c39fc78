import math
from random import Random

import pytest

from ladder.ratings.outcome import expected
from ladder.ratings.trial import (
    BOUND,
    Trial,
    TrialVerdict,
    count_pairs,
    elo_of,
    log_likelihood_ratio,
)

WORKED = Trial((5, 20, 55, 30, 10))


def test_the_worked_trial_has_the_known_figures():
    assert WORKED.mean == pytest.approx(0.541667, abs=5e-7)
    assert elo_of(WORKED.mean) == pytest.approx(29.0, abs=0.05)
    assert WORKED.elo == pytest.approx(27.5, abs=0.05)  # somewhat lucky, as it is ahead
    assert WORKED.superiority == pytest.approx(0.958, abs=5e-4)
    assert WORKED.llr == pytest.approx(1.5756, abs=5e-5)
    assert WORKED.verdict is TrialVerdict.CONTINUE


def test_the_exact_ratio_has_the_known_figures():
    assert log_likelihood_ratio(WORKED.counts, 0.5, expected(20)) == pytest.approx(1.6602, abs=5e-5)
    assert Trial((0, 0, 20, 0, 0)).llr == pytest.approx(-2.4269, abs=5e-5)


def test_the_bounds_are_those_of_five_percent_errors():
    assert pytest.approx(2.944, abs=5e-4) == BOUND


def test_the_same_shares_on_twice_the_pairs_prove_the_new_version_better():
    assert Trial((10, 40, 110, 60, 20)).verdict is TrialVerdict.BETTER


def test_a_losing_version_is_found_not_better():
    assert Trial((10, 30, 55, 20, 5)).verdict is TrialVerdict.NOT_BETTER


def test_what_is_unproven_at_the_cap_stays_unproven():
    assert Trial(WORKED.counts, cap=120).verdict is TrialVerdict.NOT_PROVEN
    assert Trial(WORKED.counts, cap=121).verdict is TrialVerdict.CONTINUE


def test_a_short_run_of_luck_proves_nothing():
    assert Trial((0, 0, 0, 0, 5)).verdict is TrialVerdict.CONTINUE


def test_an_identical_version_is_found_not_better_without_any_spread():
    assert Trial((0, 0, 300, 0, 0)).verdict is TrialVerdict.NOT_BETTER


def test_an_unplayed_trial_continues_and_claims_nothing():
    trial = Trial((0, 0, 0, 0, 0))

    assert trial.verdict is TrialVerdict.CONTINUE
    assert trial.superiority == 0.5
    assert trial.elo == 0.0
    assert trial.elo_interval == (-math.inf, math.inf)


def test_the_elo_interval_holds_the_estimate():
    low, high = WORKED.elo_interval

    assert low < WORKED.elo < high
    assert elo_of(0.0) == -math.inf
    assert elo_of(1.0) == math.inf


def test_a_one_sided_trial_claims_what_its_pairs_show():
    won, lost = Trial((0, 1, 0, 2, 26)), Trial((26, 2, 0, 1, 0))

    assert (won.verdict, lost.verdict) == (TrialVerdict.BETTER, TrialVerdict.NOT_BETTER)
    assert won.elo == pytest.approx(elo_of(won.mean))
    assert won.elo_interval[0] > 200
    assert won.superiority > 0.999
    assert lost.elo_interval[1] < -200
    assert lost.superiority < 0.001


def test_a_clean_sweep_has_a_least_advantage():
    low, high = Trial((0, 0, 0, 0, 30)).elo_interval

    assert 250 < low < 400
    assert high == math.inf


def test_scores_are_evenly_spaced_at_any_table():
    pairs, fine = Trial((10, 0, 20, 0, 30)), Trial((10, 20, 30))

    assert fine.mean == pairs.mean
    assert fine.llr == pytest.approx(pairs.llr, abs=0.001)


def test_a_trial_says_what_it_could_prove_within_its_cap():
    assert 30 < Trial((0, 0, 0, 0, 0)).provable_elo < 40
    assert Trial((0, 0, 0, 0, 0), cap=100).provable_elo > 90
    assert Trial(WORKED.counts).provable_elo < Trial((30, 0, 60, 0, 30)).provable_elo


def test_pairs_are_counted_by_score():
    assert count_pairs([0, 0.25, 0.5, 0.5, 0.75, 1, 1]) == (1, 1, 2, 1, 2)


def run_trial(rng, chances):
    scores = []
    while True:
        scores.append(rng.choices((0, 0.25, 0.5, 0.75, 1), chances)[0])
        verdict = Trial(count_pairs(scores), cap=1500).verdict
        if verdict is not TrialVerdict.CONTINUE:
            return verdict


def test_equal_versions_rarely_pass_and_much_better_ones_rarely_fail():
    rng = Random(7)

    lucky = sum(run_trial(rng, (2, 1, 4, 1, 2)) is TrialVerdict.BETTER for _ in range(60))
    failed = sum(run_trial(rng, (1, 1, 4, 2, 3)) is not TrialVerdict.BETTER for _ in range(60))

    assert lucky <= 9  # 5% of 60 is 3; 9 or more has a chance below one in 300
    assert failed <= 9
