import math

import pytest

from ladder.ratings.intervals import interval_in_words, mean_and_error, wilson


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(60, 100, 0.502, 0.691), (0, 10, 0, 0.278), (7, 10, 0.397, 0.892)],
)
def test_wilson_gives_the_known_intervals(successes, n, low, high):
    assert wilson(successes, n) == pytest.approx((low, high), abs=5e-4)


def test_wilson_knows_nothing_before_the_first_try():
    assert wilson(0, 0) == (0.0, 1.0)


def test_the_standard_error_is_the_deviation_over_the_root_of_the_count():
    mean, error = mean_and_error([2.0, 4.0, 4.0, 6.0])

    assert mean == 4.0
    assert error == pytest.approx(math.sqrt(8 / 3) / 2)


def test_one_value_has_no_standard_error():
    assert mean_and_error([3.0]) == (3.0, None)


def test_no_values_have_no_mean():
    with pytest.raises(ValueError, match="no values"):
        mean_and_error([])


def test_the_bot_that_others_are_measured_by_has_no_interval():
    assert interval_in_words(1400, 1400, 1400) == "fixed"
    assert interval_in_words(1400, 1300, 1500) == "1300 to 1500"
