"""The organiser's and the operator's desks, and the status that everyone sees."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ladder.models import Enrolment, Lock, Tournament, User, Worker
from ladder.services import tournaments
from tests.factories import make_bot, make_user
from tests.ladder.tournaments.events import enter, make_tournament, play_waiting, started
from tests.ladder.web.conftest import signed_in

pytestmark = pytest.mark.django_db


def act(user: User, tournament: Tournament, name: str, **fields: object) -> str:
    address = reverse("tournament-act", args=[tournament.pk])
    response = signed_in(user).post(address, {"act": name, **fields}, follow=True)
    return response.content.decode()


def test_an_invitation_is_found_and_answered_on_my_bots(alice: User, bob: User) -> None:
    cup = make_tournament(alice, name="Spring Cup", format="swiss", entry="invitation")
    bot = make_bot(bob, name="Guest")
    tournaments.invite(tournament=cup, bot=bot, by=alice)

    inbox = signed_in(bob).get("/my-bots/").content.decode()
    assert "is invited to" in inbox and "Spring Cup" in inbox
    assert "is invited to" not in signed_in(alice).get("/my-bots/").content.decode()
    act(bob, cup, "enrol", bot=bot.pk)

    assert cup.enrolments.get(bot=bot).status == Enrolment.Status.ENROLLED
    assert "is invited to" not in signed_in(bob).get("/my-bots/").content.decode()


def test_an_organiser_types_all_seeds_at_once(alice: User) -> None:
    cup = make_tournament(alice, format="swiss", seeding="manual")
    bots = [make_bot(alice if i == 0 else None, is_house=i > 0) for i in range(3)]
    for bot in bots:
        tournaments.enrol(tournament=cup, bot=bot, by=alice)

    told = act(alice, cup, "seeds", **{f"seed-{bot.pk}": 3 - i for i, bot in enumerate(bots)})
    twice = act(alice, cup, "seeds", **{f"seed-{bot.pk}": 1 for bot in bots})

    odd = act(alice, cup, "seeds", **{"seed-²": 1, f"seed-{'9' * 500}": 1})

    seeds = dict(cup.enrolments.values_list("bot", "seed"))
    assert [seeds[bot.pk] for bot in bots] == [3, 2, 1]
    assert "3 seeds are set." in told
    assert "Two entrants have the same seed." in twice
    assert "Enter at least one seed." in odd


def test_the_status_page_says_what_works_and_what_does_not(client: Client) -> None:
    broken = client.get("/status/").content.decode()
    assert "There is a problem" in broken and "no worker is running" in broken

    now = timezone.now()
    Worker.objects.create(name="one", seen_at=now)
    Lock.objects.create(name="scheduler", until=now, holder="one")
    cache.clear()

    assert "Everything is working." in client.get("/status/").content.decode()


@pytest.mark.parametrize("is_staff", [True, False])
def test_public_pages_lead_operators_to_their_acts(client: Client, is_staff: bool) -> None:
    reader = make_user("reader", is_staff=is_staff, is_superuser=is_staff)
    bot = make_bot()
    client.force_login(reader)

    shown = client.get(f"/bots/{bot.pk}/").content.decode()

    assert (f"/admin/ladder/bot/{bot.pk}/change/" in shown) == is_staff


def test_an_act_of_an_operator_is_told_in_plain_words(client: Client) -> None:
    operator = make_user("operator", is_staff=True, is_superuser=True)
    bot = make_bot(name="Careful Ladle")
    client.force_login(operator)

    response = client.post(
        "/admin/ladder/bot/",
        {"action": "suspend", "_selected_action": [bot.pk], "why": "a test"},
        follow=True,
    )

    assert "Careful Ladle is suspended." in response.content.decode()


def test_a_printed_tournament_has_all_rounds(alice: User, client: Client) -> None:
    cup = make_tournament(alice, format="round_robin")
    enter(cup, 4)
    play_waiting(started(cup))

    html = client.get(f"/tournaments/{cup.pk}/").content.decode()

    rounds = len(set(cup.pairings.values_list("round", flat=True)))
    assert rounds > 1
    assert html.count('class="print-only"') == rounds - 1  # one is on the screen
