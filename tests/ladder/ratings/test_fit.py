from random import Random

import pytest

from ladder.ratings.elo import Outcome, expected
from ladder.ratings.fit import fit


def wins(winner, loser, times):
    return [Outcome.from_places((winner, loser), [(1, 2)])] * times


WORKED = [
    *wins("A", "B", 3), *wins("B", "A", 1),
    *wins("B", "C", 3), *wins("C", "B", 1),
    *wins("A", "C", 2),
]  # fmt: skip


def played(rng, strength, sets, seats):
    """Sets of `seats` random versions, each round decided by Elo against a shared luck."""
    outcomes = []
    for _ in range(sets):
        table = rng.sample(sorted(strength), seats)
        rounds = []
        for _ in range(seats):
            # Ordering by exponential waiting times makes every pair follow the Elo curve.
            wait = [rng.expovariate(10 ** (strength[key] / 400)) for key in table]
            rounds.append([sorted(wait).index(one) + 1 for one in wait])
        outcomes.append(Outcome.from_places(table, rounds))
    return outcomes


def test_the_worked_fit_has_the_known_values_errors_and_superiority():
    result = fit(WORKED)

    assert [result.value[key] for key in "ABC"] == pytest.approx(
        [1656.864, 1500, 1343.136], abs=5e-4
    )
    assert [result.error[key] for key in "ABC"] == pytest.approx(
        [176.002, 166.322, 176.002], abs=5e-4
    )
    assert result.superiority("A", "B") == pytest.approx(0.8454, abs=5e-5)


def test_superiority_of_the_two_sides_adds_up_to_one():
    result = fit(WORKED)

    assert result.superiority("A", "C") + result.superiority("C", "A") == pytest.approx(1)


def test_the_order_of_results_does_not_matter():
    shuffled = WORKED[:]
    Random(1).shuffle(shuffled)

    assert fit(shuffled).value == pytest.approx(fit(WORKED).value)


def test_an_anchor_keeps_its_rating_without_error_and_pulls_the_others():
    result = fit(WORKED, anchors={"B": 1800.0})

    assert result.value["B"] == 1800.0
    assert result.error["B"] == 0.0
    assert result.value["A"] > 1800.0
    assert result.covariance("A", "B") == 0.0
    assert result.superiority("B", "C") > 0.5


def test_a_child_without_results_stands_at_its_parent_with_the_family_spread_added():
    result = fit(WORKED, parents={"A2": "A"}, versions=["A2"])

    assert result.value["A2"] == pytest.approx(result.value["A"])
    assert result.error["A2"] ** 2 == pytest.approx(result.error["A"] ** 2 + 70**2)


def test_a_version_without_results_or_parent_stands_at_the_prior():
    result = fit(WORKED, versions=["D"])

    assert result.value["D"] == pytest.approx(1500)
    assert result.error["D"] == pytest.approx(250)


def test_groups_that_never_met_are_fitted_apart():
    alone, together = fit(WORKED), fit([*WORKED, *wins("X", "Y", 5)])

    assert [together.value[key] for key in "ABC"] == pytest.approx(
        [alone.value[key] for key in "ABC"]
    )
    assert together.value["X"] + together.value["Y"] == pytest.approx(3000)
    assert together.covariance("A", "X") == pytest.approx(0)


def test_a_version_that_won_everything_keeps_a_finite_rating():
    result = fit(wins("A", "B", 5000))

    assert 1500 < result.value["A"] < 3500


def test_no_results_at_all_fit_nothing():
    assert fit([]).value == {}
    assert fit([]).bands() == []


def test_sets_of_four_recover_the_true_ratings_within_their_errors():
    strength = {f"v{i}": 1500 + 60 * (i - 3.5) for i in range(8)}

    result = fit(played(Random(5), strength, 400, 4))

    centre = sum(result.value.values()) / 8
    for key, true in strength.items():
        assert abs(result.value[key] - centre - (true - 1500)) < 4 * result.error[key]


def test_thirty_sets_switch_to_the_sandwich_error():
    # The second round repeats the first, so a set tells only half of what the model believes.
    outcomes = []
    rng = Random(2)
    for _ in range(200):
        places = rng.choice(((1, 2), (2, 1)))
        outcomes.append(Outcome.from_places("AB", [places, places]))
    anchors = {"B": 1500.0}

    few, many = fit(outcomes[:29], anchors=anchors), fit(outcomes, anchors=anchors)
    honest = fit([Outcome(("A", "B"), ((0.0, o.beats[0][1] / 2), (o.beats[1][0] / 2, 0.0)), 1)
                  for o in outcomes], anchors=anchors)  # fmt: skip

    curve = (expected(few.value["A"] - 1500) * expected(1500 - few.value["A"])) * 58
    slope = 2.302585 / 400
    assert few.error["A"] == pytest.approx((curve * slope**2 + 250**-2) ** -0.5, rel=1e-4)
    assert many.error["A"] == pytest.approx(honest.error["A"], rel=0.05)


def test_bands_hold_versions_that_cannot_be_told_apart_from_the_first():
    outcomes = wins("A", "C", 60) + wins("C", "A", 2) + wins("B", "C", 60) + wins("C", "B", 2)
    outcomes += wins("A", "B", 11) + wins("B", "A", 10)

    assert fit(outcomes).bands() == [["A", "B"], ["C"]]


def test_mixed_teams_share_the_credit_of_a_win():
    outcomes = [Outcome.from_teams("ABCD", (0, 1, 0, 1), [(1, 2, 1, 2)])] * 6

    result = fit(outcomes)

    assert result.value["A"] == pytest.approx(result.value["C"])
    assert result.value["A"] > 1500 > result.value["B"]


def test_the_iterative_fit_agrees_with_the_dense_one():
    rng = Random(9)
    strength = {i: rng.gauss(1500, 150) for i in range(120)}
    outcomes = played(rng, strength, 1500, 3)
    parents = {i: i - 1 for i in range(60, 80)}
    anchors = {0: 1400.0, 1: 1600.0}

    dense = fit(outcomes, parents=parents, anchors=anchors)
    sparse = fit(outcomes, parents=parents, anchors=anchors, dense_limit=10)

    assert sparse.value == pytest.approx(dense.value, abs=1e-3)
    assert sparse.covariance(7, 7) == pytest.approx(dense.covariance(7, 7), rel=1e-2)
    assert sparse.superiority(7, 8) == pytest.approx(dense.superiority(7, 8), abs=0.05)
    assert sparse.error == pytest.approx(dense.error, rel=0.35)
    assert sum(sparse.error.values()) == pytest.approx(sum(dense.error.values()), rel=0.05)
