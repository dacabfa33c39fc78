"""A bot's page: what all may see, what only its author may."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from ladder.boards import Board
from ladder.models import Bot, Match, Rating, Tick, User, Version
from ladder.queries import bots as queries
from ladder.services import bots
from ladder.web.bot.chart import history_chart
from tests.factories import first_change, make_bot, make_version
from tests.ladder.web.conftest import signed_in


def test_private_source_is_not_even_admitted_to_strangers(
    client: Client, alice: User, bob: User, miso: Bot
) -> None:
    path = f"/bots/{miso.pk}/source/1/"

    assert signed_in(alice).get(path).status_code == 200
    assert signed_in(bob).get(path).status_code == 404
    assert client.get(path).status_code == 404
    assert "Source" not in client.get(f"/bots/{miso.pk}/").content.decode()


def test_public_source_is_for_everyone_and_never_html(client: Client, alice: User) -> None:
    bot = make_bot(alice, source="x = '<script>alert(1)</script>'\n", is_source_public=True)
    path = f"/bots/{bot.pk}/source/1/"

    shown = client.get(path).content.decode()
    file = client.get(f"{path}?download")

    assert "<script>alert" not in shown
    assert "&lt;script&gt;alert" in shown
    assert file["Content-Type"] == "text/plain; charset=utf-8"
    assert file["X-Content-Type-Options"] == "nosniff"
    assert file["Content-Disposition"].startswith("attachment")


def test_the_gates_report_is_for_the_author_only(
    client: Client, alice: User, charlie: User, miso: Bot
) -> None:
    path = f"/versions/{miso.active_version_id}/"

    assert signed_in(alice).get(path).status_code == 200
    assert signed_in(charlie).get(path).status_code == 404
    assert client.get(path).status_code == 404


ACTS: list[dict[str, Any]] = [
    {"act": "rename", "name": "Stolen"},
    {"act": "source", "public": "1"},
    {"act": "retire"},
    {"act": "activate", "version": "1"},
]


@pytest.mark.parametrize("act", ACTS)
def test_a_stranger_cannot_act_on_a_bot(charlie: User, miso: Bot, act: dict[str, Any]) -> None:
    response = signed_in(charlie).post(f"/bots/{miso.pk}/act/", act)

    again = Bot.objects.get(pk=miso.pk)
    assert response.status_code == 404
    assert (again.name, again.is_source_public, again.status) == ("Miso", False, "active")


def test_the_author_renames_shows_and_retires_a_bot(alice: User, miso: Bot) -> None:
    client = signed_in(alice)
    for act in ACTS[:3]:
        assert client.post(f"/bots/{miso.pk}/act/", act).status_code == 302

    again = Bot.objects.get(pk=miso.pk)
    assert (again.name, again.is_source_public, again.status) == ("Stolen", True, "retired")


def test_the_author_lets_an_older_version_play_again(alice: User, miso: Bot) -> None:
    first = miso.active_version
    make_version(miso)

    signed_in(alice).post(f"/bots/{miso.pk}/act/", {"act": "activate", "version": "1"})

    assert Bot.objects.get(pk=miso.pk).active_version == first


def test_a_name_taken_is_told_in_a_sentence(alice: User, miso: Bot, shio: Bot) -> None:
    client = signed_in(alice)

    response = client.post(f"/bots/{miso.pk}/act/", {"act": "rename", "name": "shio"}, follow=True)

    assert "already a bot named shio" in response.content.decode()


def test_results_by_opponent_count_each_match_once(
    client: Client, miso: Bot, shio: Bot, played: Match
) -> None:
    html = client.get(f"/bots/{miso.pk}/?seats=2").content.decode()

    assert f'href="/bots/{miso.pk}/vs/{shio.pk}/"' in html
    assert "Over the newest 1 match" in html


def test_head_to_head_mirrors(client: Client, miso: Bot, shio: Bot, played: Match) -> None:
    one = client.get(f"/bots/{miso.pk}/vs/{shio.pk}/").context["tallies"][0]
    other = client.get(f"/bots/{shio.pk}/vs/{miso.pk}/").context["tallies"][0]

    assert one.won + one.drawn + one.lost == 1
    assert (one.won, one.drawn, one.lost) == (other.lost, other.drawn, other.won)


def test_a_bot_page_takes_a_bounded_number_of_queries(
    client: Client, miso: Bot, played: Match, django_assert_max_num_queries: Any
) -> None:
    for _ in range(5):
        make_version(miso)

    with django_assert_max_num_queries(16):
        client.get(f"/bots/{miso.pk}/?seats=2")


def test_my_bots_shows_a_rejected_version(alice: User, miso: Bot) -> None:
    make_version(miso, status=Version.Status.REJECTED)

    assert "rejected" in signed_in(alice).get("/my-bots/").content.decode()


def test_the_chart_draws_the_intervals_as_they_were_known_and_says_so(
    client: Client, alice: User
) -> None:
    bot = make_bot(alice)
    rating = Rating.objects.get(bot=bot, seats=2)
    for number, reach in ((1, 24_000), (2, 18_000)):
        at = timezone.now() - timedelta(hours=3 - number)
        tick = Tick.objects.create(game=bot.game, seats=2, number=number, applied_at=at)
        first_change(
            tick=tick,
            rating=rating,
            milli=1_500_000,
            low_milli=1_500_000 - reach,
            high_milli=1_500_000 + reach,
        ).save()
    Rating.objects.filter(pk=rating.pk).update(
        sets=3, milli=1_510_000, low_milli=1_438_000, high_milli=1_582_000
    )

    text = client.get(f"/bots/{bot.pk}/?seats=2").content.decode()

    band = re.search(r'<path class="band" d="M([^"]+)Z"', text)
    assert band is not None
    heights = [float(corner.split()[1]) for corner in band[1].split("L")]
    then, now = abs(heights[0] - heights[3]), abs(heights[1] - heights[2])
    assert len(heights) == 4
    assert now == pytest.approx(3 * then, rel=0.05)  # ±24 then and ±72 today
    assert "95% interval at the time" in text


def test_the_chart_places_points_by_time_whichever_version_played(
    client: Client, alice: User
) -> None:
    """v2 was rated for two hours between v1's, then benched: v1 plays on."""
    bot = make_bot(alice)
    first = bot.active_version
    second = make_version(bot)
    now = timezone.now()
    # Ten hours: v1 at 10 and 9 hours ago, v2 at 8 and 7, v1 again at 0.
    for number, (version, hours) in enumerate(
        [(first, 10), (first, 9), (second, 8), (second, 7), (first, 0)], 1
    ):
        first_change(
            tick=Tick.objects.create(
                game=bot.game, seats=2, number=number, applied_at=now - timedelta(hours=hours)
            ),
            rating=Rating.objects.get(version=version, seats=2),
            milli=1_500_000,
            low_milli=1_400_000,
            high_milli=1_600_000,
        ).save()
    bots.activate(version=first)
    bot.refresh_from_db()

    shown = queries.find(bot.pk, bot.owner)
    chart = history_chart(shown, Board(bot.game, 2), queries.ratings_now(shown)[2])

    assert chart is not None
    assert [label for _, label in chart.marks] == ["v1", "v2", "v1"]
    width = chart.right - chart.left
    shares = [(x - chart.left) / width for x, _ in chart.marks]
    assert shares == pytest.approx([0, 0.2, 1], abs=0.01)
    assert chart.end is not None
    assert chart.end[0] == chart.right
