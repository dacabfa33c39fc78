"""`make calibration` in short: the same simulations, few of each, with wide margins."""

import json
from collections import defaultdict

import numpy as np
import pytest

from engine.games import GAMES
from tests.calibration import coverage, drift, fairness, queueing, robustness, selection, trials
from tests.calibration.__main__ import house_lines
from tests.calibration.anchor_source import digest, origin


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


@pytest.mark.parametrize("elo", [0.0, 40.0])
def test_the_elo_of_a_trial_is_free_of_when_it_stopped(elo):
    found = trials.measure(elo, 0.125, runs=150)

    assert abs(found["elo, median"] - elo) < abs(found["elo by the mean, median"] - elo)
    assert found["covered"] > max(0.92, found["covered by the mean"])


def test_sixty_copies_of_the_starter_do_not_narrow_the_intervals_of_others():
    shares = [robustness.copies(2, 60, seed) for seed in range(4)]

    assert np.mean(shares) > 0.93  # 0.98 in the long run


def test_results_that_no_rating_explains_are_covered_in_the_long_run():
    found = [robustness.misfits(4, 200, seed, style_elo=150.0)["long run"] for seed in range(2)]

    assert np.mean(found) > 0.9


def test_keeping_the_luckiest_of_twenty_versions_does_not_pay():
    picked = [selection.best_of(20, 2, seed) for seed in range(6)]

    assert np.mean([one.gain for one in picked]) < 60  # 11 in the long run; it was 101
    assert sum(one.is_covered for one in picked) >= 5
    assert all(one.best_place <= one.true_place for one in picked if one.is_covered)


@pytest.mark.parametrize("is_crowning", [False, True])
def test_colluders_at_four_seats_are_found_within_300_sets(is_crowning):
    looked = [fairness.collusion(4, seed, puppets=3, is_crowning=is_crowning) for seed in range(2)]

    assert all(one.sets is not None for one in looked)
    assert sum(one.false_alarms for one in looked) <= sum(one.pairs for one in looked) / 1000


def test_a_bot_that_remembers_is_found_and_an_honest_one_is_not():
    assert fairness.memory(2, 0, gain=400.0) is not None
    assert fairness.memory(2, 0, gain=0.0, most=150) is None


def test_house_bots_score_on_fresh_seeds_what_their_anchors_say():
    *pairs, last = list(house_lines(0))[1:]
    within, total = [int(word) for word in last.split() if word.isdigit()]

    assert total == 60
    assert within >= 0.95 * total, [line for line in pairs if "OUTSIDE" in line]


@pytest.mark.parametrize("slug", GAMES)
def test_anchors_were_measured_with_these_bots_rules_and_this_command(slug):
    game = GAMES[slug]
    told = json.loads((game.folder / "anchors.json").read_text(encoding="utf-8"))

    assert told["origin"] == origin(game), "stale: run `make anchors`"
    assert set(told["boards"]) == {str(seats) for seats in game.seats}
    for board in told["boards"].values():
        for pair in board["pairs"]:
            assert pair["sets"] >= 20
        assert board["bots"]["random"]["error"] >= 100  # nobody is near it
        assert all(one["error"] >= one["sampling"] for one in board["bots"].values())


def test_the_origin_of_anchors_changes_with_a_program_and_not_with_its_comments(tmp_path):
    texts = {"a": "x = 1\n", "b": "# why\nx = 1\n", "c": "x = 2\n", "d": "if y:\n    x = 1\n"}
    digests = {}
    for name, text in texts.items():
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        digests[name] = digest(path)

    assert digests["a"] == digests["b"]
    assert len(set(digests.values())) == 3
