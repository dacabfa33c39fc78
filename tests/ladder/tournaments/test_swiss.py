from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.tournaments import Event, Score, SetScore
from ladder.tournaments.formats import swiss
from ladder.tournaments.formats.swiss import (
    BYE,
    Swiss,
    bye_cost,
    cheapest_matching,
    floats,
    line_up,
    pair_cost,
)
from ladder.tournaments.standings import EntrantResults
from tests.ladder.tournaments.playing import play_out, play_round, random_results

FORMAT = Swiss()


def finish(event, winners):
    """Finish the round that is due; 0 for a draw, else the winner, table by table."""
    scores = []
    for table, winner in zip(FORMAT.tables_due(event), winners, strict=True):
        shares = tuple(0.5 if not winner else int(seed == winner) for seed in table.entrants)
        scores.append(Score(table, (SetScore(shares),)))
    return replace(event, finished=(*event.finished, *scores))


def pairs(event):
    return [table.entrants for table in FORMAT.tables_due(event)]


def test_the_worked_event_of_eight_is_paired_and_ranked_as_printed():
    event = Event(8)
    assert pairs(event) == [(1, 5), (2, 6), (3, 7), (4, 8)]

    event = finish(event, [1, 2, 0, 8])
    assert pairs(event) == [(1, 2), (8, 3), (7, 4), (5, 6)]

    event = finish(event, [1, 3, 7, 0])
    # 3 was drawn up to 8 in the last round, so 7 is drawn up to 1 now.
    assert pairs(event) == [(1, 7), (3, 2), (8, 5), (6, 4)]

    event = finish(event, [0, 2, 8, 6])
    rows = FORMAT.standings(event)
    names = ("Buchholz cut-1", "Buchholz", "Sonneborn-Berger")
    assert [(row.entrant, row.points) for row in rows] == [
        (1, 2.5), (2, 2), (7, 2), (8, 2), (3, 1.5), (6, 1.5), (5, 0.5), (4, 0),
    ]  # fmt: skip
    assert [[row.tie_breaks[name] for name in names] for row in rows[:4]] == [
        [4.0, 4.5, 3.5],
        [4.0, 5.5, 3.0],
        [4.0, 4.0, 2.0],
        [2.0, 2.0, 0.5],
    ]
    assert FORMAT.champion(event) == 1
    assert rows[1].explanation == "2 points; ahead of seed 7 on Buchholz (5.5 v 4)"


def test_the_pairing_of_the_worked_last_round_is_the_only_optimum_before_the_hash():
    event = finish(finish(Event(8), [1, 2, 0, 8]), [1, 3, 7, 0])

    pairings = {
        tuple(FORMAT.tables_due(replace(event, key=key))) for key in ("", "spring", "autumn")
    }

    assert len(pairings) == 1


def perfect_matchings(nodes):
    if not nodes:
        yield []
        return
    first, *rest = nodes
    for i, other in enumerate(rest):
        for matching in perfect_matchings(rest[:i] + rest[i + 1 :]):
            yield [(first, other), *matching]


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 8), st.integers(0, 5), st.integers(0, 10**6))
def test_the_pairing_is_the_brute_force_optimum(n, rounds, seed):
    event = Event(n, options={"rounds": 30}, key="brute")
    for _ in range(rounds):
        event, _ = play_round(FORMAT, event, random_results(Random(seed)))
    results = EntrantResults(event.seeds, event.finished)
    number = rounds + 1
    players = line_up(list(event.seeds), results, floats(event, number))

    def cost(a, b):
        if b == BYE:
            one = next(p for p in players if p.seed == a)
            return bye_cost("brute", number, one, n, results.byes[a])
        upper, lower = (p for p in players if p.seed in (a, b))
        return pair_cost("brute", number, upper, lower, results.meetings(a, b))

    nodes = [p.seed for p in players] + [BYE] * (n % 2)
    best = min(perfect_matchings(nodes), key=lambda m: sum(cost(a, b) for a, b in m))

    chosen = {frozenset(table.entrants) for table in FORMAT.tables_due(event)}
    assert chosen == {frozenset(set(pair) - {BYE}) for pair in best}


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 24), st.integers(0, 10**6))
def test_nobody_meets_twice_or_rests_twice_in_the_usual_number_of_rounds(n, seed):
    event, _ = play_out(FORMAT, Event(n), random_results(Random(seed)))

    results = EntrantResults(event.seeds, event.finished)
    assert max(results.byes.values()) <= 1
    assert all(results.meetings(a, b) <= 1 for a, b in combinations(event.seeds, 2))


@settings(max_examples=15, deadline=None)
@given(st.integers(3, 9), st.integers(0, 10**6))
def test_byes_stay_within_one_of_each_other_however_long_it_goes_on(n, seed):
    event = Event(n, options={"rounds": 2 * n})
    rng = Random(seed)

    while not FORMAT.is_over(event):
        event, _ = play_round(FORMAT, event, random_results(rng))
        byes = EntrantResults(event.seeds, event.finished).byes
        assert max(byes.values()) - min(byes.values()) <= 1


@pytest.mark.parametrize("n", [33, 64])
def test_many_players_are_all_seated_every_round(n):
    _, calls = play_out(FORMAT, Event(n, options={"rounds": 3}), random_results(Random(n)))

    for due in calls:
        assert sorted(seed for table in due for seed in table.entrants) == list(range(1, n + 1))


def test_beyond_the_exact_size_everyone_is_still_paired_without_a_rematch():
    event = Event(81, options={"rounds": 3})

    event, _ = play_out(FORMAT, event, random_results(Random(4)))

    results = EntrantResults(event.seeds, event.finished)
    assert all(results.meetings(a, b) <= 1 for a, b in combinations(event.seeds, 2))
    assert sum(results.byes.values()) == 3


def test_too_few_offered_edges_fall_back_to_all(monkeypatch):
    # Everybody's only offered edge leads to one of the same few.
    monkeypatch.setattr(swiss, "OFFERED_EDGES", 1)
    edges = {(a, b): 1 if b > 66 else 1000 for a in range(70) for b in range(a + 1, 70)}

    assert len(cheapest_matching(edges, dict.fromkeys(range(70), 0))) == 35


def test_the_bye_goes_to_the_lowest_that_had_none():
    event = Event(5)
    assert pairs(event) == [(1, 3), (2, 4), (5,)]

    event = finish(event, [1, 2, 5])

    assert pairs(event)[-1] == (4,)


def test_a_withdrawal_leaves_the_round_under_way_as_it_is():
    event = Event(8)
    seated = tuple(FORMAT.tables_due(event))
    event = replace(event, seated=seated, withdrawn=frozenset({6}))

    assert pairs(event) == [(1, 5), (2,), (3, 7), (4, 8)]


def test_a_withdrawn_player_is_not_paired_again():
    event = replace(finish(Event(8), [1, 2, 3, 4]), withdrawn=frozenset({8}))

    seeds = [seed for pair in pairs(event) for seed in pair]

    assert sorted(seeds) == [1, 2, 3, 4, 5, 6, 7]


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 16), st.integers(0, 10**6))
def test_tables_finished_within_a_round_leave_the_others_as_they_were(n, seed):
    rng = Random(seed)
    event, _ = play_round(FORMAT, Event(n, options={"rounds": 3}), random_results(rng))
    after, due = play_round(FORMAT, event, random_results(rng))
    some = tuple(score for score in after.finished if score.table in due and rng.random() < 0.5)

    left = FORMAT.tables_due(replace(event, finished=event.finished + some))

    if len(some) < len(due):
        assert left == [table for table in due if table not in {score.table for score in some}]


def test_a_bye_counts_as_an_opponent_with_ones_own_points():
    event = finish(Event(3), [1, 3])
    rows = {row.entrant: row for row in FORMAT.standings(event)}

    assert rows[3].points == 1
    assert rows[3].tie_breaks["Buchholz"] == 1
    assert rows[3].tie_breaks["Sonneborn-Berger"] == 1


@settings(max_examples=25, deadline=None)
@given(st.integers(6, 12), st.integers(0, 10**6))
def test_floats_name_those_who_left_their_score_group_in_the_last_round(n, seed):
    event = Event(n, options={"rounds": 30}, key="floats")
    for _ in range(3):
        before = EntrantResults(event.seeds, event.finished).points
        event, due = play_round(FORMAT, event, random_results(Random(seed)))
        number = due[0].round + 1
        for table in due:
            if table.is_bye:
                assert floats(event, number)[table.entrants[0]] == -1
            else:
                a, b = table.entrants
                gap = before[b] - before[a]
                assert floats(event, number)[a] == (gap > 0) - (gap < 0)
                assert floats(event, number)[b] == (gap < 0) - (gap > 0)


def repeated_floats(pairing, points, floated):
    """How many leave their score group the same way as in the round before."""
    total = 0
    for a, b in pairing:
        for one, other in ((a, b), (b, a)):
            way = (points[one] < points[other]) - (points[one] > points[other])
            total += bool(way) and floated.get(one, 0) == way
    return total


@settings(max_examples=25, deadline=None)
@given(st.sampled_from([6, 8]), st.integers(2, 4), st.integers(0, 10**6))
def test_nobody_floats_again_where_as_good_a_pairing_avoids_it(n, rounds, seed):
    event = Event(n, options={"rounds": 30}, key="again")
    for _ in range(rounds):
        event, _ = play_round(FORMAT, event, random_results(Random(seed)))
    results = EntrantResults(event.seeds, event.finished)
    floated = floats(event, rounds + 1)

    def worth(pairing):
        met = sum(results.meetings(a, b) for a, b in pairing)
        gap = sum((results.points[a] - results.points[b]) ** 2 for a, b in pairing)
        return met, gap

    chosen = [table.entrants for table in FORMAT.tables_due(event)]
    as_good = [one for one in perfect_matchings(list(event.seeds)) if worth(one) == worth(chosen)]
    assert worth(chosen) == min(map(worth, perfect_matchings(list(event.seeds))))
    assert repeated_floats(chosen, results.points, floated) == min(
        repeated_floats(one, results.points, floated) for one in as_good
    )
