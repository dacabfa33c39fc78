"""The fit: worked numbers, intervals that hold where they are hard, and that nothing breaks it."""

import math
import os
import subprocess
import sys
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.ratings.fit import RANKED_AT_LAST, Rated, fit
from ladder.ratings.intervals import interval_in_words
from ladder.ratings.outcome import Outcome, expected
from ladder.ratings.results import Results
from tests.ladder.ratings.by_hand import by_hand

SWEEP, SPLIT = [[1, 2], [1, 2]], [[1, 2], [2, 1]]


def near(value):
    return pytest.approx(value, abs=1e-3)


def told(one):
    return one.value, one.low, one.high


def duels(a, b, places, times):
    return rated([((a, b), places)] * times)


def rated(sets):
    return [Outcome.from_places(who, places) for who, places in sets]


def table(names, *rounds):
    return list(names), [[int(place) for place in row] for row in rounds]


FAMILY = [
    table("ABGH", "1234", "2134", "1324", "1243"),
    table("ACGH", "1234", "2134", "3124", "1134"),
    table("CB", "12", "12"),
    table("CG", "12", "21"),
    table("CB", "12", "21"),
]


def test_a_clean_sweep_is_far_above_and_open_at_the_top():
    anchors = {"a": 1000, "b": 1400, "c": 1770}

    found = fit([one for key in anchors for one in duels("X", key, SWEEP, 10)], fixed=anchors)

    assert interval_in_words(*told(found.rated["X"])) == "at least 2069"


def test_a_copy_that_always_splits_is_not_thought_superior():
    found = fit(duels("X", "house", SPLIT, 40), fixed={"house": 1400})

    assert interval_in_words(*told(found.rated["X"])) == "1346 to 1455"
    assert found.dispersion == pytest.approx(0.428574, abs=1e-6)
    assert found.superiority("X", "house") == pytest.approx(0.506, abs=1e-3)


@pytest.mark.parametrize(
    ("sets", "told_of"),
    [
        ([(("A", "house"), SWEEP)] * 3 + [(("A", "house"), SPLIT)] * 2, {"fixed": {"house": 1400}}),
        (
            [(("X", key), SWEEP) for key in "abc" for _ in range(10)],
            {"fixed": {"a": 1000, "b": 1400, "c": 1770}},
        ),
        ([(("X", "house"), SPLIT)] * 40, {"fixed": {"house": 1400}}),
        (FAMILY, {"fixed": {"G": 1400}, "measured": {"H": (1000, 50)}, "parents": {"C": "B"}}),
    ],
    ids=["the example of the docs", "a sweep", "a copy", "a family at tables of four"],
)
def test_the_fit_is_what_its_definition_gives_by_hand(sets, told_of):
    found = fit(rated(sets), **told_of)

    by_name = by_hand(sets, **told_of)
    assert by_name
    for name, values in by_name.items():
        assert told(found.rated[name]) == near(values)


@pytest.mark.parametrize("seed", range(12))
def test_random_boards_are_rated_as_the_formulas_of_the_docs_have_it(seed):
    rng = Random(seed)
    names = "ABCDEFGH"[: rng.randint(4, 8)]
    sets = []
    for _ in range(rng.randint(5, 40)):
        who = rng.sample(names, rng.choice([2, 2, 3, 4]))
        places = range(1, len(who) + 1)
        sets.append((who, [rng.choices(places, k=len(who)) for _ in who]))
    told_of = {
        "fixed": {"A": 1400.0},
        "measured": rng.choice([{}, {"B": (1100.0, 100.0), "C": (1700.0, 40.0)}]),
        "parents": rng.choice([{}, {"D": "C", "C": "A"}]),
        "programs": rng.choice([{}, {"A": "starter", "B": "starter", "D": "starter"}]),
    }
    found = fit(rated(sets), versions=names, **told_of)

    for name, values in by_hand(sets, **told_of).items():
        assert told(found.rated[name]) == near(values)


def test_copies_of_one_program_do_not_make_others_look_steadier():
    honest = duels("A", "B", SWEEP, 5) + duels("B", "A", SWEEP, 4) + duels("A", "C", SPLIT, 1)
    copies = duels("C", "D", SPLIT, 200)

    alone, beside, unknown = (
        fit(sets, fixed={"C": 1400}, versions="ABCD", programs=programs)
        for sets, programs in (
            (honest, {}),
            (honest + copies, {"C": "starter", "D": "starter"}),
            (honest + copies, {}),
        )
    )

    assert unknown.dispersion < 0.5
    assert alone.dispersion > 1
    assert beside.dispersion == pytest.approx(alone.dispersion, abs=0.01)


def test_where_results_speak_a_rating_expects_what_was_scored():
    found = fit(
        duels("A", "house", SWEEP, 300) + duels("A", "house", SPLIT, 200), fixed={"house": 1400}
    )

    assert expected(found.rated["A"].value - 1400) == pytest.approx(800 / 1000, abs=0.001)


def test_winning_once_more_never_lowers_a_rating():
    before = fit(duels("A", "B", SPLIT, 5), fixed={"B": 1500}).rated["A"].value
    after = fit(duels("A", "B", SPLIT, 5) + duels("A", "B", [[1, 2]], 1), fixed={"B": 1500})

    assert after.rated["A"].value > before


def test_an_unplayed_version_is_known_to_be_anything():
    found = fit([], versions=["new"])

    assert found.rated["new"].value == pytest.approx(1500)
    assert interval_in_words(*told(found.rated["new"])) == "anything yet"
    assert not found.rated["new"].is_ranked


def test_a_rank_needs_a_narrow_interval_or_forty_sets_and_one_known_end():
    def rated(below, sets, above=None):
        return Rated(1500, 1500 - below, 1500 + (above or below), sets, 1.0)

    assert rated(150, 6).is_ranked
    assert not rated(151, 39).is_ranked
    assert not rated(10, 5).is_ranked
    assert rated(300, RANKED_AT_LAST, above=900).is_ranked
    assert not rated(900, 10 * RANKED_AT_LAST).is_ranked  # "anything yet" is no place


def test_a_rank_is_lost_at_a_wider_interval_than_it_is_gained_at():
    at_the_edge, beyond = (Rated(1500, 1500 - w, 1500 + w, 20, 1.0) for w in (180, 181))

    assert at_the_edge.keeps_rank and not at_the_edge.is_ranked
    assert not beyond.keeps_rank


def test_two_bots_that_only_drew_with_each_other_have_no_rank():
    found = fit(duels("A", "B", SPLIT, 100))

    assert not found.rated["A"].is_ranked


def test_bands_hold_those_asked_for_only_and_cut_where_two_are_told_apart():
    strong = duels("A", "C", SWEEP, 60) + duels("A", "C", SPLIT, 20)
    found = fit(strong + duels("A", "B", SPLIT, 60) + duels("B", "C", SWEEP, 40), fixed={"C": 1400})

    assert found.bands("ABC") == [["B", "A"], ["C"]] or found.bands("ABC") == [["A", "B"], ["C"]]
    assert found.bands("AC") == [["A"], ["C"]]


versions = st.integers(0, 5)
rounds = st.lists(st.permutations([1, 2, 3]) | st.just([1, 1, 1]), min_size=1, max_size=3)
tables = st.tuples(st.lists(versions, min_size=3, max_size=3, unique=True), rounds)


@given(played=st.lists(tables, max_size=30), anchors=st.booleans())
@settings(deadline=None)
def test_no_results_at_all_break_it(played, anchors):
    outcomes = [Outcome.from_places(who, places) for who, places in played]

    found = fit(
        outcomes,
        fixed={0: 1400} if anchors else {},
        measured={1: (1000, 30)} if anchors else {},
        parents={3: 2, 4: 3},
        versions=range(6),
    )

    for one in found.rated.values():
        assert all(map(math.isfinite, (*told(one), one.variance)))
        assert one.low <= one.value <= one.high
    for a in range(6):
        assert 0 <= found.superiority(a, (a + 1) % 6) <= 1


def random_board(count=40, sets=400, seed=1):
    rng = Random(seed)
    truth = {key: rng.gauss(1500, 200) for key in range(count)}
    outcomes = []
    for _ in range(sets):
        a, b = rng.sample(range(count), 2)
        chance = expected(truth[a] - truth[b])
        places = [[1, 2] if rng.random() < chance else [2, 1] for _ in range(2)]
        outcomes.append(Outcome.from_places([a, b], places))
    return outcomes


def test_neither_order_nor_an_earlier_fit_changes_the_answer():
    outcomes = random_board()
    cold = fit(outcomes, fixed={0: 1500})
    earlier = fit(outcomes[:300], fixed={0: 1500})

    warm = fit(outcomes[::-1], fixed={0: 1500}, start=earlier.rated)

    for key, one in cold.rated.items():
        assert told(warm.rated[key]) == pytest.approx(told(one), abs=1e-6)


def test_the_worst_of_beginnings_changes_nothing_either():
    outcomes, rng = random_board(400, 6000), Random(2)
    wrong = {key: Rated(rng.gauss(1500, 600), 0, 3000, 9, 2500.0) for key in range(400)}

    found = fit(outcomes, fixed={0: 1500}, start=wrong)

    for key, one in fit(outcomes, fixed={0: 1500}).rated.items():
        assert told(found.rated[key]) == pytest.approx(told(one), abs=0.05)


def test_results_added_bit_by_bit_are_the_same_results():
    outcomes = random_board(sets=60)
    grown = Results()
    for outcome in outcomes:
        grown.add([outcome])

    one, other = fit(grown, fixed={0: 1500}), fit(outcomes, fixed={0: 1500})
    for key in other.rated:
        assert told(one.rated[key]) == pytest.approx(told(other.rated[key]), abs=1e-6)


def test_a_large_board_without_covariances_says_nearly_the_same():
    outcomes = random_board(60, 1500)
    whole = fit(outcomes, fixed={0: 1500}, measured={1: (1500, 30)})
    part = fit(outcomes, fixed={0: 1500}, measured={1: (1500, 30)}, dense_limit=0)

    for key, one in whole.rated.items():
        assert part.rated[key].value == pytest.approx(one.value, abs=0.01)
        assert math.sqrt(part.rated[key].variance) == pytest.approx(
            math.sqrt(one.variance), rel=0.15, abs=1e-6
        )


def test_a_large_board_renews_the_variance_of_those_who_played():
    outcomes = random_board(60, 1500)
    anchors = {"fixed": {0: 1500}, "measured": {1: (1500, 30)}}
    earlier = fit(outcomes[:-20], dense_limit=0, **anchors)
    due = {key for one in outcomes[-20:] for key in one.entrants}
    whole = fit(outcomes, **anchors)

    part = fit(outcomes, start=earlier.rated, due=due, dense_limit=0, **anchors)

    for key in due - {0}:
        assert part.rated[key].variance == pytest.approx(whole.rated[key].variance, rel=0.02)
    for key in part.rated.keys() - due - {0}:
        assert part.rated[key].variance == earlier.rated[key].variance


def test_the_inverse_to_seven_digits_serves(monkeypatch):
    outcomes = random_board(60, 1500)
    exact = fit(outcomes, fixed={0: 1500})
    monkeypatch.setattr("ladder.ratings.fit.EXACT_LIMIT", 10)

    quick = fit(outcomes, fixed={0: 1500})

    for key, one in exact.rated.items():
        assert told(quick.rated[key]) == pytest.approx(told(one), abs=0.05)
    assert np.isfinite([one.variance for one in quick.rated.values()]).all()


def test_a_fit_leaves_the_other_cores_alone():
    told_not = {name: value for name, value in os.environ.items() if "NUM_THREADS" not in name}
    work = "from ladder.ratings.fit import np; a = np.ones((900, 900)); a @ a; import os; "
    count = "print(len(os.listdir('/proc/self/task')))"

    found = subprocess.run(
        [sys.executable, "-c", work + count], env=told_not, capture_output=True, text=True
    )

    assert found.stdout == "1\n", found.stderr
