"""The tables of a tournament's page: who met whom, with every cell a link."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from ladder.boards import Board
from ladder.models import Match
from ladder.services import tournaments
from tests.ladder.tournaments.events import enter, make_tournament, play_out, play_waiting, started

pytestmark = pytest.mark.django_db


def shown(client, tournament):
    return client.get(reverse("tournament", args=[tournament.pk])).content.decode()


def group_cells(text, title):
    """The cells of one group's table, row by row: (address, text)."""
    table = re.search(rf"<caption[^>]*>{title}</caption>(.*?)</table>", text, re.S)[1]
    rows = re.findall(r"<tr.*?</tr>", table.partition("<tbody>")[2], re.S)
    cells = [re.findall(r'<td class="cell">(.*?)</td>', row, re.S) for row in rows]
    return [
        [(*re.findall(r'href="([^"]+)"', cell), re.sub("<[^>]+>", "", cell)) for cell in row]
        for row in cells
    ]


def test_every_group_has_a_cross_table_whose_cells_lead_to_the_matches(client):
    cup = make_tournament(format="groups")
    enter(cup, 8)
    play_out(started(cup))

    text = shown(client, cup)

    for title in ("Group A", "Group B", "Final"):
        cells = group_cells(text, title)
        assert len(cells) == 4
        for i, row in enumerate(cells):
            assert row[i] == ("×",)
            for j, (href, *_) in enumerate(row):
                # Both sides of a meeting lead to the same match, one of this group's own.
                assert i == j or href == cells[j][i][0]
        of_group = {
            reverse("match", args=[one["match"]])
            for pairing in cup.pairings.filter(label__startswith=title)
            for one in pairing.result["sets"]
        }
        linked = {cell[0] for row in cells for cell in row if len(cell) == 2}
        assert linked == of_group
    assert text.index("Final</caption>") < text.index("Group A</caption>")
    assert text.count("advances</span>") == 4


def test_a_group_under_way_links_the_matches_that_wait(client):
    cup = make_tournament(format="groups")
    enter(cup, 4)
    started(cup)

    cells = group_cells(shown(client, cup), "Final")

    waiting = {reverse("match", args=[pk]) for pk in Match.objects.values_list("pk", flat=True)}
    assert {cell for row in cells for cell in row if len(cell) == 2} == {
        (href, "·") for href in waiting
    }


def test_a_group_at_one_table_shows_what_each_scored_there(client):
    cup = make_tournament(
        board=Board("ramen_ramen", 3), format="groups", format_options={"size": 3, "rounds": 2}
    )
    enter(cup, 3)
    play_out(started(cup))

    text = shown(client, cup)
    cells = group_cells(text, "Final")

    assert [len(row) for row in cells] == [2, 2, 2]
    for column in zip(*cells, strict=True):
        assert len({href for href, _ in column}) == 1
        assert sum(float(scored) for _, scored in column) == pytest.approx(1.5, abs=0.002)
    assert "A column is a table that the whole group shares" in text


# Half of its meetings are over when one leaves, or its results would be struck.
@pytest.mark.parametrize(("format", "rounds"), [("round_robin", 2), ("groups", 2)])
def test_a_walkover_is_a_cell_of_the_cross_table(client, format, rounds):
    cup = make_tournament(format=format)
    bots = enter(cup, 4)
    started(cup)
    for _ in range(rounds):
        play_waiting(cup)
    tournaments.withdraw(tournament=cup, bot=bots[3], by=bots[3].owner)
    play_out(cup)

    text = shown(client, cup)

    # What was not played of its three meetings is walked over, from both sides.
    left = 3 - rounds
    assert len(re.findall(r'<span class="won" title="[^"]+, walkover">\+</span>', text)) == left
    assert len(re.findall(r'<span class="lost" title="[^"]+, walkover">–</span>', text)) == left


def test_a_page_of_groups_costs_as_many_queries_as_any_other(client, django_assert_num_queries):
    cup = make_tournament(format="groups")
    enter(cup, 8)
    started(cup)

    with django_assert_num_queries(5):
        shown(client, cup)
