import math
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.ratings.elo import Kind, Outcome, Standing, apply_tick, expected, k_factor


def standing(elo, n=0.0, is_anchor=False):
    return Standing(round(elo * 1000), n, is_anchor)


def deltas(standings, *outcomes):
    changes = apply_tick(standings, outcomes)
    return [changes[key].delta for key in standings]


@pytest.mark.parametrize(
    ("n", "k"),
    [
        (0, 40), (0.5, 39.0244), (1, 38.0952), (10, 26.6667), (20, 20), (30, 16),
        (50, 11.4286), (80, 8), (100, 6.6667), (180, 4), (1000, 4),
    ],
)  # fmt: skip
def test_k_falls_from_forty_to_four(n, k):
    assert k_factor(n) == pytest.approx(k, abs=5e-5)


@pytest.mark.parametrize(
    ("gap", "score"), [(0, 0.5), (50, 0.571463), (100, 0.640065), (200, 0.759747), (400, 0.909091)]
)
def test_expected_score_follows_the_elo_curve_both_ways(gap, score):
    assert expected(gap) == pytest.approx(score, abs=5e-7)
    assert expected(-gap) == pytest.approx(1 - score, abs=5e-7)


TWO = {"A": standing(1600), "B": standing(1500, 180.0)}


def test_a_win_of_two_players_moves_each_by_its_own_k():
    assert deltas(TWO, Outcome.from_places("AB", [(1, 2)])) == [14046, -1440]


def test_a_draw_costs_the_favourite():
    assert deltas(TWO, Outcome.from_places("AB", [(1, 1)])) == [-5466, 560]


def test_a_duplicate_pair_is_one_result_of_two_games():
    changes = apply_tick(TWO, [Outcome.from_places("AB", [(1, 2), (1, 1)])])

    assert [changes[key].delta for key in "AB"] == [8376, -879]
    assert [changes[key].after.n for key in "AB"] == [2.0, 182.0]


def test_three_players_are_rated_pair_by_pair():
    three = {"A": standing(1500), "B": standing(1600), "C": standing(1400)}

    assert deltas(three, Outcome.from_places("ABC", [(1, 2, 2)])) == [28916, -26019, -2897]


def test_solo_versions_on_shared_seeds_are_one_result():
    three = {key: standing(1500) for key in "ABC"}
    by_rank = Outcome.from_places("ABC", [(2, 3, 1), (1, 1, 3)])
    by_score = Outcome.from_scores("ABC", [(20, 10, 30), (25, 25, 5)])

    assert by_score.kind is Kind.SOLO
    assert by_score.beats == by_rank.beats
    assert deltas(three, by_score) == [13953, -13953, 0]


def test_an_anchor_gives_points_but_never_moves():
    board = {"A": standing(1500, 20.0), "house": standing(1500, 500.0, is_anchor=True)}

    assert deltas(board, Outcome.from_places(("A", "house"), [(1, 2)])) == [9877, 0]


def test_mixed_partners_are_rated_by_team_means_at_half_a_game_each():
    board = {"A": standing(1600), "B": standing(1450), "C": standing(1500), "D": standing(1450)}
    outcome = Outcome.from_teams("ABCD", (0, 1, 0, 1), [(1, 2, 1, 2)])

    changes = apply_tick(board, [outcome])

    surprise = 1 - expected(1550 - 1450)
    gain = round(1000 * k_factor(0.25) * surprise)
    assert [changes[key].delta for key in "ABCD"] == [gain, -gain, gain, -gain]
    assert {change.games for change in changes.values()} == {0.5}


def test_a_version_without_a_result_is_left_out():
    assert "C" not in apply_tick(TWO | {"C": standing(1500)}, [Outcome.from_places("AB", [(1, 2)])])


def test_a_solo_version_alone_gains_nothing():
    assert deltas({"A": standing(1500)}, Outcome.from_scores("A", [(7,), (9,)])) == [0]


def test_an_entrant_cannot_play_itself():
    with pytest.raises(ValueError, match="twice"):
        Outcome.from_places("AA", [(1, 2)])


def test_teams_need_two_sides():
    with pytest.raises(ValueError, match="two sides"):
        Outcome.from_teams("ABC", (0, 1, 2), [(1, 2, 3)])


def test_a_round_must_place_every_entrant():
    with pytest.raises(ValueError, match="does not place 3"):
        Outcome.from_places("ABC", [(1, 2)])


@st.composite
def ticks(draw):
    keys = list(range(draw(st.integers(2, 8))))
    board = {
        key: Standing(draw(st.integers(800_000, 2_400_000)), draw(st.floats(0, 300)))
        for key in keys
    }
    outcomes = []
    for _ in range(draw(st.integers(1, 12))):
        entrants = draw(st.permutations(keys))[: draw(st.integers(2, len(keys)))]
        rounds = draw(
            st.lists(
                st.tuples(*[st.integers(1, len(entrants)) for _ in entrants]),
                min_size=1,
                max_size=4,
            )
        )
        outcomes.append(Outcome.from_places(entrants, rounds))
    return board, outcomes


@settings(max_examples=60, deadline=None)
@given(ticks(), st.integers(0, 2**32))
def test_no_order_of_completion_changes_a_bit(tick, seed):
    board, outcomes = tick
    shuffled = outcomes[:]
    Random(seed).shuffle(shuffled)

    assert repr(apply_tick(board, shuffled)) == repr(apply_tick(board, outcomes))


@settings(max_examples=60, deadline=None)
@given(ticks(), st.integers(0, 2**32))
def test_the_order_of_entrants_changes_nothing_either(tick, seed):
    board, outcomes = tick
    rng = Random(seed)

    turned = []
    for outcome in outcomes:
        order = rng.sample(range(len(outcome.entrants)), len(outcome.entrants))
        beats = tuple(tuple(outcome.beats[i][j] for j in order) for i in order)
        turned.append(Outcome(tuple(outcome.entrants[i] for i in order), beats, outcome.rounds))

    assert repr(apply_tick(board, turned)) == repr(apply_tick(board, outcomes))


@settings(max_examples=60, deadline=None)
@given(ticks())
def test_equally_experienced_players_only_exchange_points(tick):
    board, outcomes = tick
    level = {key: Standing(one.milli, 500.0) for key, one in board.items()}

    total = math.fsum(change.delta for change in apply_tick(level, outcomes).values())

    assert abs(total) <= len(board)  # each delta is rounded once
