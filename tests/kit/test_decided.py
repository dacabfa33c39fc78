"""`ladle.compare`: sets until it is decided which bot is stronger."""

from random import Random

import pytest

import ladle
from engine.results import PlayResult
from ladder.ratings.trial import Trial
from ladle.decided import Comparison, Contest, Decision, SequentialTest
from ladle.sets import SetRecord


def first(view):
    return view["legal"][0]


def last(view):
    return view["legal"][-1]


def crash(view):
    raise RuntimeError("no soup")


def simulated(rng, seed, elos):
    """A set of bots of these strengths: Plackett and Luce's order, with some luck of the seed.

    Two bots of strengths a and b then finish in either order with Elo's own chances.
    """
    seats = len(elos)
    plays = []
    for turn in range(seats):
        seating = tuple((entry + turn) % seats for entry in range(seats))
        times = [rng.expovariate(10 ** (elos[entry] / 400)) for entry in seating]
        places = [1 + sum(other < own for other in times) for own in times]
        plays.append(PlayResult(seating, places, [0] * seats, {}, {}, {}))
    return SetRecord(seed, tuple(plays))


def decisions(elo, seats, runs):
    rng = Random(f"{elo} {seats}")
    contest = Contest.of(["new", *["old"] * (seats - 1)])
    ends = []
    for _ in range(runs):
        test = SequentialTest(contest, most=1200)
        sets = (simulated(rng, seed, [elo] + [0] * (seats - 1)) for seed in range(1200))
        for _ in test.until_decided(sets, 0):
            pass
        ends.append(Comparison.of(test.trial))
    return ends


@pytest.mark.parametrize(("seats", "runs"), [(2, 60), (4, 60)])
def test_both_errors_are_about_one_in_twenty(seats, runs):
    lucky = [end.decision for end in decisions(0, seats, runs)].count(Decision.STRONGER)
    strong = decisions(40, seats, runs)
    missed = runs - [end.decision for end in strong].count(Decision.STRONGER)

    assert lucky <= 9  # 3 of 60 are expected; 10 or more come once in 1,000 times
    assert missed <= 9
    assert sum(end.low <= 40 <= end.high for end in strong) >= 51


def test_a_bot_that_is_much_stronger_is_estimated_so():
    ends = decisions(300, 4, 20)

    assert {end.decision for end in ends} == {Decision.STRONGER}
    assert max(end.sets for end in ends) < 60
    assert sum(end.low <= 300 <= end.high for end in ends) >= 16
    assert all(end.superiority > 0.999 for end in ends)


def test_sets_count_in_the_order_of_their_seeds_and_no_further_than_the_decision():
    rng = Random(1)
    sets = [simulated(rng, seed, [400, 0]) for seed in range(100)]
    contest = Contest.of(["a", "b"])

    def counted(order):
        return [record.seed for record in SequentialTest(contest).until_decided(order, 0)]

    in_order = counted(sets)
    swapped = [record for at in range(0, 100, 4) for record in reversed(sets[at : at + 4])]
    assert counted(swapped) == in_order == list(range(len(in_order)))
    assert len(in_order) < 100


def test_copies_count_as_one_bot_and_a_third_bot_does_not_count():
    assert Contest.of(["a", "b", "b"]).groups == ((0,), (1, 2))
    record = SetRecord(0, (PlayResult((0, 1, 2), (2, 1, 3), (0, 0, 0), {}, {}, {}),))
    assert Contest.of(["a", "b", "b"]).score(record) == (2, 4)
    assert Contest.of(["a", "b", "c"]).score(record) == (0, 2)
    assert Contest.of(["a", "a", "b"]).score(record) == (4, 4)
    with pytest.raises(ladle.Refusal, match="two different ones"):
        Contest.of(["a", "a"])


def test_functions_and_house_bots_are_compared_at_every_kind_of_table():
    for game, seats in (("ramen_ramen", 1), ("ramen_ramen", 2), ("ramen_ramen", 4)):
        found = ladle.compare(game, ["greedy", "random"], seats=seats)
        assert found.decision is Decision.STRONGER
    crashed = ladle.compare("potage_sauvage", [crash, first], seats=3)
    assert crashed.decision is Decision.NO_STRONGER
    assert crashed.score < 0.1


def test_the_most_sets_end_it_undecided():
    found = ladle.compare("ramen_ramen", [first, last], most=3)

    assert (found.decision, found.sets) == (Decision.NOT_DECIDED, 3)
    assert found.sentence.startswith("not decided after 3 sets: ")


@pytest.mark.parametrize(
    ("trial", "sentence"),
    [
        (Trial((10, 40, 110, 60, 20)), "stronger: +23 ± 26 Elo, 95.8%"),
        (Trial((0, 0, 0, 0, 30)), "stronger: at least +317 Elo, over 99.9%"),
        (Trial((0, 0, 30, 0, 0)), "no stronger: +0 ± 41 Elo, 50.0%"),
        (Trial((0, 0, 0, 0, 0)), "not decided after 0 sets"),
    ],
)
def test_the_verdict_in_words(trial, sentence):
    assert Comparison.of(trial).sentence == sentence


def test_an_estimate_far_from_its_middle_is_shown_with_both_ends():
    made = Comparison(Decision.STRONGER, 200.0, 100.0, 600.0, 0.9999, 0.7, 40)

    assert made.sentence == "stronger: +200 Elo (+100 to +600), over 99.9%"
