"""Daily deals: dealt by the scheduler, tried once, checked by the server's referee."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256

import pytest
from django.test import Client
from django.urls import reverse

from engine.games import GAMES
from engine.replay import canonical, packed, read
from ladder.contract.people import DailyDeal
from ladder.models import DailyDeal as DealRow
from ladder.models import DailyTry, User
from ladder.queries import daily as queries
from ladder.services import daily
from ladder.theatre.live import LivePlay
from tests.ladder.web.conftest import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def deal() -> DailyDeal:
    """Today's deal of Potage Sauvage."""
    DealRow.objects.create(
        day=queries.today(), game="potage_sauvage", seats=2, seed=12345, rival="greedy"
    )
    found = queries.of_game("potage_sauvage")
    assert found is not None
    return found


def played(deal: DailyDeal, choice: int = 0, seed: int | None = None, rival: str = "") -> bytes:
    """As the play page makes it: a person who always takes the same of the offered moves."""
    bot = rival or deal.rival
    play = LivePlay(
        {
            "game": deal.game,
            "seed": deal.seed if seed is None else seed,
            "seats": [{"name": "Guest"}, {"name": f"House {bot.title()}", "bot": bot}],
        }
    )
    asked = play.opening()["asked"]
    while asked is not None:
        if asked.get("bot"):
            told = play.move()
        else:
            told = play.answer(asked["choices"][choice % len(asked["choices"])]["action"])
        asked = told["asked"]
    return play.replay()


def begun(client: Client, deal: DailyDeal, ticket: str = "") -> dict:
    address = reverse("daily-start", args=[deal.id])
    return client.post(address, headers={"X-Daily-Ticket": ticket}).json()


def sent(client: Client, deal: DailyDeal, data: bytes, ticket: str = ""):
    address = reverse("daily-finish", args=[deal.id])
    return client.post(
        address, data, content_type="application/gzip", headers={"X-Daily-Ticket": ticket}
    )


def test_the_scheduler_deals_every_game_once_a_day_with_the_results_of_house_bots() -> None:
    for _ in GAMES:
        assert daily.deal_today()
    assert not daily.deal_today()

    deals = queries.of_today()
    assert {deal.game for deal in deals} == set(GAMES)
    assert len({deal.seed for deal in deals}) == len(GAMES)
    for deal in deals:
        bots = {one.bot for one in deal.house}
        assert {"greedy", "random"} < bots
        assert all(one.lead >= 0 for one in deal.house if one.place == 1)
        page = Client().get(reverse("daily-game", args=[deal.game])).content.decode()
        assert page.count("house bot</span>") == len(bots)


def test_the_first_try_of_a_user_counts_and_a_second_is_practice(
    deal: DailyDeal, alice: User, bob: User
) -> None:
    client = signed_in(alice)
    ticket = begun(client, deal)["ticket"]
    assert begun(client, deal) == {"is_counted": False, "ticket": ""}  # in another browser
    assert begun(client, deal, ticket) == {"is_counted": True, "ticket": ticket}

    first = sent(client, deal, played(deal), ticket).json()
    second = sent(client, deal, played(deal, choice=1), ticket).json()

    assert first["is_counted"] and first["rank"] == first["tries"] == first["streak"] == 1
    assert not second["is_counted"]
    assert not begun(client, deal, ticket)["is_counted"]
    (row,) = queries.table(deal.id)
    assert (row.user, row.points, row.lead) == ("alice", first["points"], first["lead"])
    assert not sent(signed_in(bob), deal, played(deal), ticket).json()["is_counted"]
    page = client.get(reverse("daily")).content.decode()
    assert "Rank 1 of 1 today" in page and "1 day<" in page


def test_a_guests_play_is_checked_and_enters_no_table(deal: DailyDeal) -> None:
    told = sent(Client(), deal, played(deal)).json()

    assert not told["is_counted"] and told["place"] in (1, 2)
    assert begun(Client(), deal)["problem"].startswith("Sign in")
    assert not DailyTry.objects.exists()


def test_a_play_of_other_luck_or_of_another_rival_is_refused(deal: DailyDeal, alice: User) -> None:
    client = signed_in(alice)
    ticket = begun(client, deal)["ticket"]
    weak = read(played(deal, rival="random"))
    true = read(played(deal))
    forged = weak.to_json() | {"players": true.to_json()["players"]}
    unfinished = true.cut(12).to_gzip()

    for data, reason in (
        (played(deal, seed=1), "another deal"),
        (_packed(forged), "not valid"),
        (unfinished, "not over"),
        (b"nonsense", "not valid"),
    ):
        answer = sent(client, deal, data, ticket)
        assert answer.status_code == 409
        assert reason in answer.json()["problem"]
    assert DailyTry.objects.get().finished_at is None
    assert sent(client, deal, true.to_gzip(), ticket).json()["is_counted"]


def test_a_streak_counts_days_in_a_row(deal: DailyDeal, alice: User) -> None:
    today = queries.today()
    for back in (1, 2, 4):
        old = DealRow.objects.create(
            day=today - timedelta(days=back), game=deal.game, seats=2, seed=1, rival="greedy"
        )
        done = DailyTry(deal=old, user=alice, day=old.day, ticket="t", place=1, points=1, lead=1)
        done.finished_at = old.created_at
        done.save()

    assert queries.streak(alice.pk) == 2
    client = signed_in(alice)
    ticket = begun(client, deal)["ticket"]
    assert sent(client, deal, played(deal), ticket).json()["streak"] == 3
    assert not begun(client, queries.of_game(deal.game, today - timedelta(days=3)) or old)[
        "is_counted"
    ]


def test_the_api_shows_deals_with_their_tables(deal: DailyDeal, alice: User) -> None:
    client = signed_in(alice)
    sent(client, deal, played(deal), begun(client, deal)["ticket"])

    (listed,) = Client().get("/api/v1/daily-deals/?game=potage_sauvage").json()["results"]
    shown = Client().get(f"/api/v1/daily-deals/{listed['id']}/").json()

    assert listed["page"] == reverse("daily-deal", args=[deal.id])
    assert [one["user"] for one in shown["results"]] == ["alice"]


def _packed(content: dict) -> bytes:
    """The file of a forged replay, with a digest that fits."""
    body = {key: value for key, value in content.items() if key not in ("cpu_us", "digest")}
    return packed(body | {"cpu_us": [], "digest": sha256(canonical(body)).hexdigest()})
