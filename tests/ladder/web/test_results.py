"""Results where people look: in rows, on the match page, and without reloading."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import timezone

from ladder.boards import Board
from ladder.models import Bot, Entry, Match, User
from ladder.queries import matches
from ladder.templatetags.site import ordinal, way
from tests.factories import make_bot, make_match
from tests.ladder.web.conftest import signed_in
from tests.local_play import play_and_finish

pytestmark = pytest.mark.django_db

SOLO = Board("ramen_ramen", 1)
THREE = Board("hot_ramen", 3)


def finished(
    board: Board, results: list[tuple[float, float]], faulty: tuple[int, ...] = ()
) -> tuple[Match, list[Bot]]:
    """A finished match with a (place, points) for each bot; those at `faulty` failed."""
    bots = [make_bot(game=board.game) for _ in results]
    match = make_match(*bots, board=board, kind=Match.Kind.LADDER)
    Match.all_objects.filter(pk=match.pk).update(
        status=Match.Status.FINISHED, finished_at=timezone.now()
    )
    for slot, (place, points) in enumerate(results):
        entry = Entry.objects.filter(match=match, slot=slot)
        entry.update(place=place, points=points, faults=int(slot in faulty))
    return match, bots


@pytest.mark.parametrize(
    ("board", "results", "ranks", "ways"),
    [
        (Board("ramen_ramen", 2), [(1.0, 9), (2.0, 5)], [1, 2], ["won", "lost"]),
        (Board("ramen_ramen", 2), [(1.5, 9), (1.5, 5)], [1, 1], ["drawn", "drawn"]),
        (THREE, [(2.0, 5), (1.5, 9), (2.5, 1)], [2, 1, 3], ["lost", "won", "lost"]),
        (THREE, [(1.5, 5), (1.5, 9), (3.0, 1)], [1, 1, 3], ["won", "won", "lost"]),
        (SOLO, [(1.0, 21), (1.0, 24), (1.0, 18)], [2, 1, 3], ["lost", "won", "lost"]),
    ],
)
def test_a_row_ranks_everyone_and_solo_by_points(board, results, ranks, ways) -> None:
    match, _ = finished(board, results)

    (row,) = matches.rows([match.pk])

    assert [entry.rank for entry in row.entries] == ranks
    assert [way(entry, row) for entry in row.entries] == ways
    assert [entry.points for entry in row.entries] == [points for _, points in results]


def test_the_rows_of_a_bot_tell_its_own_result_points_and_fault(client: Client) -> None:
    match, bots = finished(THREE, [(2.0, 5.5), (1.0, 9), (3.0, 1)], faulty=(0,))

    html = client.get(f"/bots/{bots[0].pk}/?seats=3").content.decode()

    row = html[html.index('class="match-row"') :]
    assert re.search(r'class="result lost">\s*2nd of 3', row)
    assert "5.5" in row and '<span class="badge bad">fault</span>' in row
    strip = html[html.index('class="strip"') : html.index("</ol>")]
    assert f"/matches/{match.pk}/" in strip and re.search(r">\s*!", strip)


def test_the_rows_of_a_bot_follow_the_chosen_board(client: Client) -> None:
    bot = make_bot(game="hot_ramen")
    match = make_match(bot, make_bot(game="hot_ramen"), board=Board("hot_ramen", 2))

    on_two = client.get(f"/bots/{bot.pk}/?seats=2").content.decode()
    on_three = client.get(f"/bots/{bot.pk}/?seats=3").content.decode()

    assert f"/matches/{match.pk}/" in on_two
    assert f"/matches/{match.pk}/" not in on_three


def test_a_draw_is_called_one_in_every_list(client: Client) -> None:
    finished(Board("ramen_ramen", 2), [(1.5, 7), (1.5, 7)])

    assert re.search(r'class="result drawn">draw', client.get("/matches/").content.decode())


def test_a_match_page_begins_with_the_result_and_watch_and_ends_with_figures(
    client: Client,
) -> None:
    match = make_match()
    play_and_finish(match)

    html = client.get(f"/matches/{match.pk}/").content.decode()

    places = [html.index(word) for word in (">Watch</a>", ">Result", ">Plays<", ">Receipt<")]
    assert places == sorted(places)
    digest = match.plays.first().digest
    assert html.index(digest) > html.index(">Receipt<")
    assert html.count(digest) == 1


def test_who_has_a_bot_in_a_match_is_offered_the_same_table_again(alice: User, bob: User) -> None:
    own, rival = make_bot(alice), make_bot(name="Old Rival")
    match = make_match(own, rival)
    play_and_finish(match)

    html = signed_in(alice).get(f"/matches/{match.pk}/").content.decode()
    link = re.search(r'href="(/challenge/\?[^"]+)">Rematch', html)
    assert link
    form = signed_in(alice).get(link[1].replace("&amp;", "&")).content.decode()

    assert re.search(rf'value="{own.pk}"[^>]* selected', form)
    assert 'value="Old Rival"' in form
    assert "Rematch" not in signed_in(bob).get(f"/matches/{match.pk}/").content.decode()


def test_a_challenge_on_a_board_that_the_bot_does_not_play_is_refused(alice: User) -> None:
    own = make_bot(alice, game="hot_ramen", seat_counts=[2])
    make_bot(alice, game="hot_ramen", seat_counts=[3], name="Other")
    make_bot(name="Rival", game="hot_ramen")

    response = signed_in(alice).post(
        "/challenge/", {"own": own.pk, "board": "hot_ramen/3", "opponents": "Rival, Other"}
    )

    assert response.status_code == 400
    assert "does not play Hot Ramen" in response.content.decode()


@pytest.mark.parametrize("path", ["/matches/", "/boards/ramen_ramen/2/", "/", "/my-bots/"])
def test_a_list_follows_by_itself_and_is_not_sent_again_unchanged(alice: User, path: str) -> None:
    client = signed_in(alice)

    page = client.get(path).content.decode()
    first = client.get(path, headers={"HX-Request": "true"})
    again = client.get(path, headers={"HX-Request": "true", "If-None-Match": first.headers["ETag"]})

    assert re.search(r"data-live[^>]+hx-trigger=\"every \d+s(?:, news)?\"", page)
    assert first.status_code == 200
    assert again.status_code == 304 and again.content == b""


def test_ordinals_are_english() -> None:
    told = [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)]
    assert told == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th"]
