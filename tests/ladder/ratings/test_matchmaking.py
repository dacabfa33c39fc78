from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.ratings.matchmaking import Candidate, next_seating, opponent_weight

P = Candidate("P", "Broth", 1500, 10, "ann", is_provisional=True)


def plain(name, rating=1500.0, games=100.0, **more):
    return Candidate(name, name, rating, games, more.pop("owner", f"owner of {name}"), **more)


def test_virtual_times_weigh_provisional_four_and_top_two():
    top = Candidate("T", "T", 1900, 24, "bob", is_top=True)
    other = Candidate("O", "O", 1500, 20, "cid")

    assert [one.virtual_time for one in (P, top, other)] == [2.5, 12, 20]


@pytest.mark.parametrize(
    ("other", "met", "weight"),
    [
        (plain("x"), 0, 1),
        (plain("x", 1650), 0, 0.607),
        (plain("x"), 3, 0.25),
        (plain("x", owner="ann"), 0, 0),
        (plain("x", owner="ann", is_house=True), 0, 1),
    ],
)
def test_opponents_weigh_by_rating_gap_meetings_and_owner(other, met, weight):
    assert opponent_weight(P, other, met) == pytest.approx(weight, abs=5e-4)


def test_dropping_the_rating_term_leaves_the_meetings():
    assert opponent_weight(P, plain("x", 2500), 1, any_rating=True) == 0.5


def test_the_longest_wait_is_served_first_and_the_reason_says_so():
    miso = plain("Miso", 1512)
    broth = Candidate("b", "Broth", 1500, 12, "ann", is_provisional=True)

    reasons = {next_seating([miso, broth], {}, seats=2, rng=Random(seed)).why for seed in range(30)}

    assert reasons == {
        "Broth has waited longest (12 games, weight 4); "
        "Miso was drawn for a close rating (1512 v 1500) and no earlier meeting",
        "Broth has waited longest (12 games, weight 4); "
        "Miso was drawn whatever its rating (1512 v 1500) and no earlier meeting",
    }


def test_earlier_meetings_and_far_ratings_are_told():
    pair = [plain("a", 1500, 1), plain("b", 1800, 2)]

    why = next_seating(pair, {frozenset("ab"): 3}, seats=2, rng=Random(3)).why

    assert "in spite of its rating (1800 v 1500) and 3 earlier meetings" in why


def test_one_time_in_five_the_rating_does_not_count():
    pair = [plain("a", 1500, 1), plain("b")]

    drawn = [next_seating(pair, {}, seats=2, rng=Random(seed)).why for seed in range(1000)]

    assert 150 < sum("whatever" in why for why in drawn) < 250


def test_opponents_are_drawn_in_proportion_to_their_weight():
    board = [plain("a", 1500, 0), plain("near"), plain("far", 1800), plain("met")]
    meetings = {frozenset(("a", "met")): 3}

    drawn = Counter(
        next_seating(board, meetings, seats=2, rng=Random(seed)).candidates[1].id
        for seed in range(2000)
    )

    # 0.8 * weight with the rating term + 0.2 * weight without it
    assert drawn["near"] / 2000 == pytest.approx(0.8 / 1.385 + 0.2 / 2.25, abs=0.05)
    assert drawn["met"] / 2000 == pytest.approx(0.8 * 0.25 / 1.385 + 0.2 * 0.25 / 2.25, abs=0.05)


def test_two_bots_of_one_owner_make_no_table():
    pair = [plain("a", owner="ann"), plain("b", owner="ann")]

    assert next_seating(pair, {}, seats=2, rng=Random(1)) is None


def test_house_bots_alone_make_no_table():
    houses = [plain(name, is_house=True) for name in "abc"]

    assert next_seating(houses, {}, seats=2, rng=Random(1)) is None


def test_two_provisional_bots_make_no_table_unless_the_limit_is_raised():
    pair = [plain("a", is_provisional=True), plain("b", is_provisional=True)]

    assert next_seating(pair, {}, seats=2, rng=Random(1)) is None
    assert next_seating(pair, {}, seats=2, rng=Random(1), provisional_limit=2) is not None


def test_a_bot_that_cannot_be_seated_does_not_hold_up_the_others():
    # The two bots of ann wait longest, but with them no table of three can be filled.
    board = [
        plain("new", games=0, is_provisional=True),
        plain("newer", games=4, is_provisional=True),
        plain("b"),
        plain("c", games=101),
    ]

    seating = next_seating(board, {}, seats=3, rng=Random(1))

    assert seating.candidates[0].id == "new"
    assert {one.id for one in seating.candidates} == {"new", "b", "c"}


def test_a_draw_that_would_leave_an_empty_seat_is_drawn_again():
    board = [
        plain("seeker", games=0),
        plain("x", owner="ann", is_provisional=True),
        plain("z", owner="ann"),
        plain("y", owner="bob", is_provisional=True),
    ]

    for seed in range(20):
        seating = next_seating(board, {}, seats=3, rng=Random(seed))
        assert {one.id for one in seating.candidates} == {"seeker", "z", "y"}


@st.composite
def boards(draw):
    return [
        Candidate(
            i,
            f"bot {i}",
            draw(st.integers(-9000, 9000)),
            draw(st.integers(0, 50)),
            draw(st.integers(0, 5)),
            is_provisional=not house and draw(st.booleans()),
            is_house=house,
        )
        for i in range(draw(st.integers(0, 9)))
        for house in [draw(st.integers(0, 4)) == 0]
    ]


def breaks_a_rule(table):
    owners = [one.owner for one in table if not one.is_house]
    return len(set(owners)) < len(owners) or sum(one.is_provisional for one in table) > 1


@settings(max_examples=150, deadline=None)
@given(boards(), st.integers(2, 4), st.integers(0, 1000))
def test_a_table_is_made_whenever_the_rules_allow_one_and_keeps_them(board, seats, seed):
    possible = [
        table
        for table in combinations(board, seats)
        if not breaks_a_rule(table) and not all(one.is_house for one in table)
    ]

    seating = next_seating(board, {}, seats=seats, rng=Random(seed))

    assert (seating is not None) == bool(possible)
    if seating:
        assert len(set(seating.candidates)) == seats
        assert not breaks_a_rule(seating.candidates)
