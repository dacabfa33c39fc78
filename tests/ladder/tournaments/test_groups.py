from dataclasses import replace
from random import Random

import pytest

from ladder.tournaments import Event
from ladder.tournaments.formats.groups import Groups
from tests.ladder.tournaments.playing import favourites, play_out, play_round, random_results

FORMAT = Groups()


def test_eight_play_two_groups_and_a_final_of_four():
    event, _ = play_out(FORMAT, Event(8), favourites)

    groups = {one.table.label.split(" ")[1][0]: set() for one in event.finished[:12]}
    for one in event.finished[:12]:
        groups[one.table.label.split(" ")[1]].update(one.table.entrants)
    assert groups == {"A": {1, 4, 5, 8}, "B": {2, 3, 6, 7}}
    final = {seed for one in event.finished[12:] for seed in one.table.entrants}
    assert final == {1, 4, 2, 3}
    assert [row.entrant for row in FORMAT.standings(event)][:4] == [1, 2, 3, 4]
    assert FORMAT.champion(event) == 1


@pytest.mark.parametrize("duels", [0, 1])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 9, 17, 40, 64])
@pytest.mark.parametrize("advance", [1, 2])
def test_stages_end_in_one_final_as_previewed(n, duels, advance):
    event = Event(n, options={"duels": duels, "advance": advance})

    event, calls = play_out(FORMAT, event, random_results(Random(n)))

    preview = FORMAT.preview(n, event.options)
    assert preview.matches == len(event.finished)
    assert preview.rounds == len(calls)
    assert preview.note.split(", then ")[-1].startswith("a final of")
    labels = [one.table.label for one in event.finished]
    assert len(set(labels)) == len(labels)
    finalists = {s for one in event.finished if "Final" in one.table.label
                 for s in one.table.entrants}  # fmt: skip
    assert FORMAT.champion(event) in finalists


@pytest.mark.parametrize("duels", [0, 1])
def test_a_qualified_player_that_withdraws_is_walked_over_and_no_group_changes(duels):
    event = Event(8, options={"duels": duels})
    while "Final" not in FORMAT.tables_due(event)[0].label:
        event, _ = play_round(FORMAT, event, favourites)

    event, calls = play_out(FORMAT, replace(event, withdrawn=frozenset({1})), favourites)

    finalists = {seed for due in calls for table in due for seed in table.entrants}
    assert finalists == {2, 3, 4}
    assert FORMAT.champion(event) == 2
    assert FORMAT.standings(event)[-1].entrant == 1


@pytest.mark.parametrize("duels", [0, 1])
def test_every_group_stands_by_its_own_tables_and_says_who_went_on(duels):
    event = Event(8, options={"duels": duels})
    event, _ = play_out(FORMAT, event, favourites)

    groups = FORMAT.groups(event)

    assert [(one.stage, one.name) for one in groups] == [
        (1, "Group A"),
        (1, "Group B"),
        (2, "Final"),
    ]
    first, second, final = groups
    assert [row.entrant for row in first.rows] == [1, 4, 5, 8]
    assert [row.entrant for row in second.rows] == [2, 3, 6, 7]
    assert (first.gone_on, second.gone_on, final.gone_on) == ({1, 4}, {2, 3}, set())
    played = sum(len(one.tables) for one in groups)
    assert played == len(event.finished)
    for one in groups:
        members = {row.entrant for row in one.rows}
        assert all(members.issuperset(table.entrants) for table in one.tables)


def test_nobody_has_gone_on_while_a_stage_is_under_way():
    event, _ = play_round(FORMAT, Event(8), favourites)

    assert [one.gone_on for one in FORMAT.groups(event)] == [set(), set()]


def groups_without_1_after(rounds):
    event = Event(8)  # groups of 1 4 5 8 and 2 3 6 7
    for _ in range(rounds):
        event, _ = play_round(FORMAT, event, favourites)
    return play_out(FORMAT, replace(event, withdrawn=frozenset({1})), favourites)


def test_who_withdraws_before_half_of_its_duels_is_struck_from_the_group():
    event, calls = groups_without_1_after(1)

    group = FORMAT.groups(event)[0]
    assert not [table for due in calls for table in due if table.is_bye]
    assert [(row.entrant, row.points) for row in group.rows] == [(4, 2), (5, 1), (8, 0), (1, 0)]
    assert group.gone_on == {4, 5}
    assert FORMAT.champion(event) == 2


def test_who_withdraws_from_a_group_later_keeps_its_results_and_is_walked_over():
    event, calls = groups_without_1_after(2)

    group = FORMAT.groups(event)[0]
    assert len([table for due in calls[:1] for table in due if table.is_bye]) == 1
    assert {row.entrant: row.points for row in group.rows}[1] == 2


def test_a_later_withdrawal_strikes_nobody_from_a_stage_that_is_over():
    event = replace(Event(8), withdrawn=frozenset({5, 8}))  # 1 and 4 play one duel in group A
    while not any("Final" in one.table.label for one in event.finished):
        event, _ = play_round(FORMAT, event, favourites)
    finalists = {row.entrant for row in FORMAT.groups(event)[-1].rows}

    event = replace(event, withdrawn=event.withdrawn | {4})

    assert {row.entrant for row in FORMAT.groups(event)[-1].rows} == finalists == {1, 2, 3, 4}
