from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.ratings.matchmaking import (
    OPEN_SETS,
    TICK_TABLES,
    Candidate,
    is_settled,
    next_ticks,
    opponent_weight,
    queue_of,
    solo_table,
    tick_tables,
)

NEW = Candidate("N", "Broth", 1500, 2, "ann", is_ranked=False)


def plain(name, rating=1500.0, sets=100, **more):
    return Candidate(name, name, rating, sets, more.pop("owner", f"owner of {name}"), **more)


def new(name, sets=0, **more):
    return plain(name, sets=sets, is_ranked=False, **more)


def tables(board, *, seats=2, seed=0, met=None):
    found = tick_tables(board, lambda one: (met or {}).get(one, {}), seats=seats, rng=Random(seed))
    return [[one.id for one in table.candidates] for table in found]


@pytest.mark.parametrize(
    ("other", "met", "weight"),
    [
        (plain("x"), 0, 1),
        (plain("x", 1650), 0, 0.607),
        (plain("x"), 3, 0.25),
        (plain("x", 1650, variance=150**2), 0, 0.779),
    ],
)
def test_opponents_weigh_by_rating_gap_certainty_and_meetings(other, met, weight):
    assert opponent_weight(NEW, other, met) == pytest.approx(weight, abs=5e-4)


def test_dropping_the_rating_term_leaves_the_meetings():
    assert opponent_weight(NEW, plain("x", 2500), 1, any_rating=True) == 0.5


def test_those_without_a_rank_are_finished_one_by_one_and_before_the_others():
    top, other = plain("T", sets=30, is_top=True), plain("O", sets=20)
    begun, near, fresh = new("begun", 1), new("near", 9), new("fresh")

    queue = queue_of([top, other, begun, near, fresh])

    assert [one.id for one in queue] == ["fresh", "near", "begun", "T", "O"]


def test_among_equals_the_longest_in_line_goes_first():
    queue = queue_of([new("late", 3, turn_in=-60), new("early", 3, turn_in=-900)])

    assert [one.id for one in queue] == ["early", "late"]


def test_who_has_had_a_turn_waits_for_all_other_owners():
    flood = new("flood", 20, turn_in=600)

    assert [one.id for one in queue_of([flood, new("x", 1), plain("T")])] == ["x", "flood", "T"]
    assert tables([flood, plain("T"), plain("U")])[0][0] == "flood"  # where there is room


def test_tables_are_not_made_beyond_what_a_rank_probably_takes():
    # Six sets with an interval of +-212 become twelve before it is one of +-150.
    nearly = new("nearly", 6, variance=(212 / 1.96) ** 2, open=6)
    farther = new("farther", 2, variance=300**2)

    assert [one.id for one in queue_of([nearly, farther])] == ["farther", "nearly"]
    assert queue_of([replace(nearly, open=5), farther])[0].id == "nearly"


def test_the_settled_and_house_bots_need_no_table():
    assert queue_of([plain("a", is_settled=True), plain("b", is_house=True)]) == []
    assert tables([plain("a", is_settled=True), plain("b", is_house=True)]) == []


def test_settled_is_a_narrow_interval_or_a_long_record_of_the_ranked():
    assert is_settled(is_ranked=True, half_width=75, sets=50)
    assert is_settled(is_ranked=True, half_width=400, sets=200)
    assert not is_settled(is_ranked=True, half_width=76, sets=199)
    assert not is_settled(is_ranked=False, half_width=75, sets=5)


def test_tables_are_for_those_without_a_rank_and_then_for_the_longest_wait():
    known = [*(plain(name, sets=50) for name in "xyz"), plain("rare", sets=40)]

    assert [table[0] for table in tables([new("a", 3), *known])] == ["a"] * TICK_TABLES
    assert [table[0] for table in tables(known)] == ["rare"] * TICK_TABLES


def test_everybody_new_is_seated_before_anybody_twice():
    board = [*(new(name) for name in "abcd"), plain("x")]

    found = tables(board, seed=3)

    assert {one for table in found for one in table} >= set("abcd")
    assert len(found) <= TICK_TABLES


def test_a_first_tick_is_short():
    assert len(tables([new("a"), plain("x"), plain("y")])) == 1
    assert len(tables([new("a", 1), plain("x"), plain("y")])) == TICK_TABLES


def test_newcomers_are_seated_by_owner_in_turn_the_newest_first():
    flood = [new(f"f{number}", owner="flood") for number in range(5)]
    board = [new("early", owner="ann"), *flood, new("late", owner="bob")]

    assert [one.id for one in queue_of(board)] == ["late", "f4", "early", "f3", "f2", "f1", "f0"]


def test_a_turn_that_was_taken_counts_until_its_result_is_there():
    seated = new("f1", owner="flood", open=1)
    board = [new("early", owner="ann"), new("f0", owner="flood"), seated]

    assert [one.id for one in queue_of(board)] == ["early", "f0", "f1"]


def test_many_ticks_at_once_do_not_pile_up_on_one_bot():
    board = [new("a"), *(plain(name, is_settled=True) for name in "xyz")]

    def drawn(one):
        found = next_ticks([one, *board[1:]], lambda _: {}, seats=2, rng=Random(0), most=99)
        return [len(tick) for tick in found]

    assert drawn(board[0]) == [1, 4, 3]  # a first result comes by itself
    assert sum(drawn(new("a", 30))) == 30  # of whom more is known more may be open
    assert drawn(new("a", 3, open=OPEN_SETS)) == []


def test_those_without_a_rank_may_meet_each_other():
    assert tables([new("a"), new("b")]) == [["b", "a"]]


def test_meetings_of_this_tick_count():
    board = [new("a", 1), plain("x", is_settled=True), plain("y", is_settled=True)]

    alone = sum(len({table[1] for table in tables(board, seed=seed)}) == 1 for seed in range(50))

    assert alone < 5  # without it one of eight ticks would have the same opponent four times


def test_the_reason_says_who_needed_it_and_who_was_drawn():
    board = [new("Broth", 1), plain("Miso", 1512, is_settled=True)]

    reasons = {
        table.why
        for seed in range(30)
        for table in tick_tables(board, lambda _: {"Miso": 3}, seats=2, rng=Random(seed))[:1]
    }

    assert reasons == {
        "Broth has no rank yet after one set; "
        "Miso was drawn for a close rating (1512 v 1500); they had met 3 times",
        "Broth has no rank yet after one set; "
        "Miso was drawn regardless of rating (1512 v 1500); they had met 3 times",
    }


def test_one_time_in_five_the_rating_does_not_count():
    board = [new("a"), plain("b")]

    drawn = [
        tick_tables(board, lambda _: {}, seats=2, rng=Random(seed))[0].why for seed in range(1000)
    ]

    assert 150 < sum("regardless" in why for why in drawn) < 250


def test_opponents_are_drawn_in_proportion_to_their_weight():
    board = [new("a"), plain("near"), plain("far", 1800), plain("met")]

    drawn = Counter(tables(board, seed=seed, met={"a": {"met": 3}})[0][1] for seed in range(2000))

    # 0.8 * weight with the rating term + 0.2 * weight without it
    assert drawn["near"] / 2000 == pytest.approx(0.8 / 1.385 + 0.2 / 2.25, abs=0.05)
    assert drawn["met"] / 2000 == pytest.approx(0.8 * 0.25 / 1.385 + 0.2 * 0.25 / 2.25, abs=0.05)


def test_two_bots_of_one_owner_make_no_table():
    assert tables([new("a", owner="ann"), new("b", owner="ann")]) == []


def test_solo_those_first_in_the_queue_and_the_house_play_the_same_seeds():
    board = [new("a", 4), new("b", 1), plain("h", is_house=True), plain("s", is_settled=True)]

    table = solo_table(board)

    assert [one.id for one in table.candidates] == ["a", "b", "s", "h"]
    assert solo_table([plain("s", is_settled=True), plain("h", is_house=True)]) is None


@st.composite
def boards(draw):
    return [
        Candidate(
            i,
            f"bot {i}",
            draw(st.integers(-9000, 9000)),
            draw(st.integers(0, 50)),
            draw(st.integers(0, 5)),
            is_ranked=house or draw(st.booleans()),
            is_house=house,
        )
        for i in range(draw(st.integers(0, 9)))
        for house in [draw(st.integers(0, 4)) == 0]
    ]


def breaks_a_rule(table):
    owners = [one.owner for one in table if not one.is_house]
    return len(set(owners)) < len(owners)


@settings(max_examples=150, deadline=None)
@given(boards(), st.integers(2, 4), st.integers(0, 1000))
def test_tables_are_made_whenever_the_rules_allow_one_and_keep_them(board, seats, seed):
    possible = [
        table
        for table in combinations(board, seats)
        if not breaks_a_rule(table) and not all(one.is_house for one in table)
    ]

    found = tick_tables(board, lambda _: {}, seats=seats, rng=Random(seed))

    assert bool(found) == bool(possible)
    for table in found:
        assert len({one.id for one in table.candidates}) == seats
        assert not breaks_a_rule(table.candidates)
