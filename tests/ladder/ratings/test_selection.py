"""What is shown of the best of many versions."""

from random import Random

import pytest

from ladder.ratings.fit import Rated
from ladder.ratings.selection import without_luck


def rated(value, sd=70.0, sets=25):
    return Rated(value, value - 2 * sd, value + 2 * sd, sets, sd**2)


def test_an_only_version_is_shown_as_it_is():
    one = rated(1600)

    assert without_luck({"a": one}, "a", []) == one


def test_the_best_of_twenty_equal_versions_is_drawn_to_their_mean():
    rng = Random(3)
    excess = []
    for _ in range(100):
        family = {i: rated(rng.gauss(1600, 70)) for i in range(20)}
        best = max(family, key=lambda i: family[i].value)
        shown = without_luck(family, best, family)
        assert shown.high == family[best].high
        assert shown.luck == pytest.approx(family[best].value - shown.value)
        excess.append((family[best].value - 1600, shown.value - 1600))

    plain, corrected = (sum(one) / len(one) for one in zip(*excess, strict=True))
    assert plain > 110
    assert abs(corrected) < 45


def test_a_version_that_is_truly_better_stays_where_it_is():
    family = {"old": rated(1400, 40), "older": rated(1390, 40), "new": rated(1800, 40)}

    assert without_luck(family, "new", family) == family["new"]


def test_weaker_kin_help_nobody_and_hurt_nobody():
    family = {"new": rated(1500), "like it": rated(1560), "far off": rated(800)}

    assert without_luck(family, "new", family) == family["new"]
    assert without_luck(family, "like it", family) == without_luck(family, "like it", ["new"])
