from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.tournaments import Event, Score, SetScore, Table
from ladder.tournaments.formats.pods import REMATCH_COST, Pods, pod_sizes, snake, top_down
from ladder.tournaments.standings import EntrantResults
from tests.ladder.tournaments.playing import favourites, play_out, play_round, random_results

FORMAT = Pods()


def pod_cost(pod, results):
    """Rematches, and the squares of the gaps in points, added over the pairs of a pod."""
    return sum(
        REMATCH_COST * results.meetings(a, b) + (results.points[a] - results.points[b]) ** 2
        for a, b in combinations(pod, 2)
    )


@pytest.mark.parametrize(
    ("n", "sizes"),
    [
        (5, [5]), (6, [3, 3]), (7, [4, 3]), (9, [3, 3, 3]), (10, [4, 3, 3]), (13, [4, 3, 3, 3]),
    ],
)  # fmt: skip
def test_pods_of_about_four_have_the_known_sizes(n, sizes):
    assert pod_sizes(n, 4) == sizes


def test_four_make_one_table_of_four_where_the_game_has_one():
    assert pod_sizes(4, 3, largest=4) == [4]


@pytest.mark.parametrize(("n", "size", "sizes"), [(5, 4, [4]), (4, 3, [3]), (8, 3, [3, 3])])
def test_a_game_without_a_larger_table_leaves_somebody_over(n, size, sizes):
    assert pod_sizes(n, size, largest=size) == sizes


@given(st.integers(0, 64), st.integers(3, 8), st.integers(3, 8), st.booleans())
def test_no_pod_is_of_a_size_that_the_game_cannot_seat(n, size, smallest, is_tight):
    smallest, largest = min(smallest, size), size if is_tight else size + 1

    sizes = pod_sizes(n, size, largest, smallest)

    assert set(sizes) <= set(range(smallest, largest + 1))
    assert bool(sizes) == (n >= smallest)
    assert n - sum(sizes) < max(1, smallest)


@given(st.integers(3, 64), st.integers(3, 6), st.booleans())
def test_no_pod_is_of_two(n, size, is_tight):
    assert min(pod_sizes(n, size, size if is_tight else size + 1)) >= 3


def test_who_is_left_over_has_a_bye_and_nobody_has_a_second_before_all_had_one():
    event = Event(4, options={"size": 3, "largest": 3, "rounds": 4})

    event, calls = play_out(FORMAT, event, random_results(Random(1)))

    byes = [table.entrants[0] for due in calls for table in due if table.is_bye]
    assert sorted(byes) == [1, 2, 3, 4]
    assert byes[0] == 4


@given(st.integers(3, 64), st.integers(3, 6))
def test_pods_hold_everybody_and_differ_by_at_most_one(n, size):
    sizes = pod_sizes(n, size)

    assert sum(sizes) == n
    assert max(sizes) - min(sizes) <= 1
    assert max(sizes) <= size + 1


def test_the_snake_of_ten_is_the_printed_one():
    assert snake(range(1, 11), [4, 3, 3]) == [[1, 6, 7, 10], [2, 5, 8], [3, 4, 9]]


def test_points_are_the_share_of_the_pod_beaten():
    table = Table(1, 1, "R1-1", (1, 2, 3, 4))
    score = Score(table, (SetScore.from_places([(1, 2, 2, 4), (1, 4, 2, 3)]),))

    assert score.points() == (1, Fraction(1, 4), Fraction(7, 12), Fraction(1, 6))


def test_players_of_like_points_sit_together_when_nobody_has_met():
    results = EntrantResults(range(1, 9), [])
    results.points.update({1: 3, 2: 3, 3: 3, 4: 1, 5: 3, 6: 1, 7: 1, 8: 1})

    pods = top_down([1, 2, 3, 5, 4, 6, 7, 8], [4, 4], results)

    assert pods == [[1, 2, 3, 5], [4, 6, 7, 8]]


def test_players_who_met_are_swapped_apart():
    met = Score(Table(1, 1, "", (1, 2, 3)), (SetScore((0.5, 0.5, 0.5)),))
    also = Score(Table(1, 2, "", (4, 5, 6)), (SetScore((0.5, 0.5, 0.5)),))
    results = EntrantResults(range(1, 7), [met, also])

    pods = top_down([1, 2, 3, 4, 5, 6], [3, 3], results)

    assert sum(pod_cost(pod, results) for pod in pods) == 8  # one pair in each pod met before
    assert sorted(map(sorted, pods)) != [[1, 2, 3], [4, 5, 6]]


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 40), st.integers(0, 10**6))
def test_no_swap_between_neighbouring_pods_would_lower_the_cost(n, seed):
    event, _ = play_round(FORMAT, Event(n), random_results(Random(seed)))
    results = EntrantResults(event.seeds, event.finished)

    pods = [list(table.entrants) for table in FORMAT.tables_due(event)]

    pods_cost = sum(pod_cost(pod, results) for pod in pods)
    for p in range(len(pods) - 1):
        for i in range(len(pods[p])):
            for j in range(len(pods[p + 1])):
                swapped = [pod[:] for pod in pods]
                swapped[p][i], swapped[p + 1][j] = swapped[p + 1][j], swapped[p][i]
                assert sum(pod_cost(pod, results) for pod in swapped) >= pods_cost


@pytest.mark.parametrize("n", [2, 5, 10, 33, 64])
def test_everyone_plays_every_round_in_pods_as_previewed(n):
    _, calls = play_out(FORMAT, Event(n), random_results(Random(n)))

    preview = FORMAT.preview(n)
    assert len(calls) == preview.rounds == 3
    assert sum(map(len, calls)) == preview.matches
    for due in calls:
        assert sorted(seed for table in due for seed in table.entrants) == list(range(1, n + 1))


def test_the_best_bot_wins_and_the_order_is_told():
    event, _ = play_out(FORMAT, Event(8), favourites)

    assert FORMAT.champion(event) == 1
    assert FORMAT.standings(event)[0].points == 3


def test_a_withdrawal_leaves_the_round_under_way_as_it_is():
    event = Event(8)
    seated = tuple(FORMAT.tables_due(event))

    left = FORMAT.tables_due(replace(event, seated=seated, withdrawn=frozenset({8})))

    assert [table.entrants for table in left] == [(1, 4, 5), (2, 3, 6, 7)]


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 30), st.integers(0, 10**6))
def test_pods_finished_within_a_round_leave_the_others_as_they_were(n, seed):
    rng = Random(seed)
    event, _ = play_round(FORMAT, Event(n), random_results(rng))
    after, due = play_round(FORMAT, event, random_results(rng))
    some = tuple(score for score in after.finished if score.table in due and rng.random() < 0.5)

    left = FORMAT.tables_due(replace(event, finished=event.finished + some))

    if len(some) < len(due):
        assert left == [table for table in due if table not in {score.table for score in some}]
