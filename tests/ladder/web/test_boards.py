"""The ladder: ranks, pages, what is apart, and what it costs."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from ladder.models import Bot, Rating, RatingChange, Tick, User, Version
from ladder.web.board import views as boards
from tests.factories import first_change
from tests.ladder.web.conftest import signed_in

URL = "/boards/ramen_ramen/2/"


def rated(owner: User, count: int, *, provisional: bool = False, first: int = 0) -> list[Rating]:
    """Bots rated 2000, 1999, … on the board; three share each rating."""
    bots = Bot.objects.bulk_create(
        Bot(owner=owner, game="ramen_ramen", name=f"B{first + i}", seat_counts=[2])
        for i in range(count)
    )
    versions = Version.objects.bulk_create(
        Version(bot=bot, number=1, language="py", source="x", size=1, sha256=f"{bot.pk:064}")
        for bot in bots
    )
    return Rating.objects.bulk_create(
        Rating(
            game="ramen_ramen",
            seats=2,
            bot=version.bot,
            version=version,
            milli=(2000 - i // 3) * 1000,
            low_milli=(1900 - i // 3) * 1000,
            high_milli=(2100 - i // 3) * 1000,
            variance=2500,
            is_provisional=provisional,
        )
        for i, version in enumerate(versions)
    )


def names(html: str) -> list[str]:
    return re.findall(r'class="name" href="/bots/\d+/"><bdi>(B\d+)<', html)


def ranks(html: str) -> list[int]:
    return [int(rank) for rank in re.findall(r'<td class="rank">(\d+)</td>', html)]


def link(html: str, rel: str) -> str:
    found = re.search(rf'rel="{rel}" href="([^"]+)"', html)
    return found[1].replace("&amp;", "&") if found else ""


@pytest.fixture(autouse=True)
def _short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "PAGE", 10)


def test_pages_join_without_gap_or_repeat_and_ranks_run_on(client: Client, alice: User) -> None:
    rated(alice, 25)

    seen, numbers, path = [], [], URL
    while path:
        html = client.get(path).content.decode()
        seen += names(html)
        numbers += ranks(html)
        path = URL + link(html, "next") if link(html, "next") else ""

    assert seen == [f"B{i}" for i in range(25)]
    assert numbers == list(range(1, 26))


def test_going_back_shows_the_page_before(client: Client, alice: User) -> None:
    rated(alice, 25)
    first = client.get(URL).content.decode()
    second = client.get(URL + link(first, "next")).content.decode()
    third = client.get(URL + link(second, "next")).content.decode()

    back = client.get(URL + link(third, "prev")).content.decode()

    assert names(back) == names(second)
    assert ranks(back) == ranks(second)
    assert link(client.get(URL + link(back, "prev")).content.decode(), "prev") == ""


def test_provisional_bots_stand_apart_and_have_no_rank(client: Client, alice: User) -> None:
    rated(alice, 2)
    rated(alice, 1, provisional=True, first=100)

    ranked, _, apart = client.get(URL).content.decode().partition('id="provisional"')

    assert names(ranked) == ["B0", "B1"]
    assert names(apart) == ["B100"]
    assert ranks(apart) == []


def test_a_searched_bot_keeps_its_true_rank(client: Client, alice: User) -> None:
    rated(alice, 25)

    html = client.get(f"{URL}?q=B17").content.decode()

    assert names(html) == ["B17"]
    assert ranks(html) == [18]


def test_bots_not_listed_are_not_shown(client: Client, alice: User) -> None:
    rating = rated(alice, 2)[0]
    Rating.objects.filter(pk=rating.pk).update(is_listed=False)

    assert names(client.get(URL).content.decode()) == ["B1"]


def test_a_board_takes_four_queries_however_long_it_is(
    client: Client, alice: User, django_assert_num_queries: Any
) -> None:
    rated(alice, 40)
    with django_assert_num_queries(4):  # ranked, provisional, trends, promotions
        page = client.get(URL).content.decode()
    cache.clear()

    with django_assert_num_queries(4):  # ranked, the first row's rank, trends, promotions
        client.get(URL + link(page, "next"))


def test_a_board_is_kept_for_a_moment_and_then_costs_no_query(
    client: Client, alice: User, django_assert_num_queries: Any
) -> None:
    rated(alice, 3)
    client.get(URL)

    with django_assert_num_queries(0):
        assert names(client.get(URL).content.decode()) == ["B0", "B1", "B2"]


def test_a_name_is_never_read_as_html(client: Client, alice: User) -> None:
    rating = rated(alice, 1)[0]
    Bot.objects.filter(pk=rating.bot_id).update(name="<b>x</b>")

    html = client.get(URL).content.decode()

    assert "<b>x</b>" not in html
    assert "&lt;b&gt;x" in html


@pytest.mark.parametrize(
    "query", ["?cursor=x", "?cursor=after.1.", "?cursor=before.9" + "9" * 30, "?q=%00"]
)
def test_a_nonsense_query_is_still_answered(client: Client, alice: User, query: str) -> None:
    rated(alice, 1)

    assert client.get(URL + query).status_code == 200


@pytest.mark.django_db
def test_your_own_rows_are_marked_for_you_alone(client: Client, alice: User, bob: User) -> None:
    rated(alice, 2)
    rated(bob, 1, provisional=True, first=5)

    def marked(of: Client, **headers: str) -> int:
        return len(re.findall(r"<tr [^>]*data-own\b(?!er)", of.get(URL, headers=headers).text))

    assert marked(signed_in(alice)) == 2
    assert marked(signed_in(bob)) == 1
    assert marked(signed_in(bob), **{"HX-Request": "true"}) == 1  # rows that are fetched again
    assert marked(client) == 0


def with_history(ratings: list[Rating]) -> None:
    """Three ticks in which each of them rose."""
    start = timezone.now() - timedelta(days=3)
    for number in range(1, 4):
        tick = Tick.objects.create(game="ramen_ramen", seats=2, number=number)
        Tick.objects.filter(pk=tick.pk).update(applied_at=start + timedelta(days=number))
        RatingChange.objects.bulk_create(
            first_change(
                tick=tick,
                rating=rating,
                milli=1_000_000 + number * 10_000 + at * 1000,
                low_milli=900_000,
                high_milli=1_100_000,
            )
            for at, rating in enumerate(ratings)
        )


HISTORY = "/boards/ramen_ramen/2/history/"
LEGEND = re.compile(r'<li class="of-\d+( bold)?"><a[^>]*><bdi>([^<]+)</bdi></a>')


def test_the_ten_best_are_on_one_chart_over_time(client: Client, alice: User) -> None:
    with_history(rated(alice, 12))

    page = client.get(HISTORY).content.decode()

    assert page.count('<path class="line of-') == page.count('<li class="of-') == 10
    words = re.findall(r"<title[^>]*>([^<]+)</title>", page)[1:]
    assert "B0 1010" in words[0] and "B0 1030" in words[-1] and "B11" not in page
    empty = client.get("/boards/ramen_ramen/3/history/").content.decode()
    assert "not enough rated matches" in empty


def test_your_own_bots_are_marked_on_the_chart_over_time(
    client: Client, alice: User, bob: User
) -> None:
    best, own = rated(alice, 12), rated(bob, 2, provisional=True, first=50)
    own_best = rated(bob, 1, first=60)  # as good as the best, and so among the ten
    with_history([*best, *own, *own_best])

    def marked(of: Client) -> dict[str, bool]:
        page = of.get(HISTORY).content.decode()
        found = {name: bool(bold) for bold, name in LEGEND.findall(page)}
        assert len(re.findall(r'<path class="line of-\d+ bold"', page)) == sum(found.values())
        assert page.count('<path class="line of-') == len(found)
        return found

    assert marked(client).keys() >= {"B60"} and not any(marked(client).values())
    seen = marked(signed_in(bob))
    assert len(seen) == 12
    assert {name for name, is_own in seen.items() if is_own} == {"B50", "B51", "B60"}


def test_an_author_of_many_bots_gets_a_bounded_number_of_lines(alice: User, bob: User) -> None:
    with_history([*rated(alice, 12), *rated(bob, 9, provisional=True, first=50)])

    page = signed_in(bob).get(HISTORY).content.decode()

    assert page.count('<path class="line of-') == 16


def test_visitors_choose_whose_histories_are_compared(client: Client, alice: User) -> None:
    with_history(rated(alice, 12))

    page = client.get(HISTORY, {"bots": "b11, B3,,b3, Nobody <b>"}).content.decode()

    assert [name for _, name in LEGEND.findall(page)] == ["B3", "B11"]
    assert "No bot named “<bdi>Nobody &lt;b&gt;</bdi>” is rated on this board." in page
    assert 'value="b11, b3, Nobody &lt;b&gt;"' in page
    many = client.get(HISTORY, {"bots": ",".join(f"B{n}" for n in range(12))}).content.decode()
    assert len(LEGEND.findall(many)) == 10
