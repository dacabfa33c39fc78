"""Challenges and trials."""

from __future__ import annotations

import re

from django.test import Client

from ladder.models import Bot, Match, Trial, User
from tests.factories import make_version
from tests.ladder.web.conftest import signed_in


def test_a_challenge_by_name_is_queued_and_shown(alice: User, miso: Bot, shio: Bot) -> None:
    response = signed_in(alice).post(
        "/challenge/",
        {"own": miso.pk, "board": "ramen_ramen/2", "opponents": "shio", "seed": "42"},
    )

    match = Match.objects.get(kind=Match.Kind.CHALLENGE)
    assert response["Location"] == f"/matches/{match.pk}/"
    assert match.seed == 42
    assert [entry.bot for entry in match.entries.order_by("slot")] == [miso, shio]


def test_a_wrong_table_is_refused_beside_the_opponents(alice: User, miso: Bot) -> None:
    client = signed_in(alice)
    data = {"own": miso.pk, "board": "ramen_ramen/2"}

    alone = client.post("/challenge/", data)
    unknown = client.post("/challenge/", data | {"opponents": "Nobody"})

    assert "needs 1 opponents, not 0" in alone.content.decode()
    assert "No bot of Ramen! Ramen! is called “Nobody”" in unknown.content.decode()
    assert not Match.objects.filter(kind=Match.Kind.CHALLENGE).exists()


def test_nobody_challenges_with_anothers_bot(charlie: User, miso: Bot, shio: Bot) -> None:
    response = signed_in(charlie).post(
        "/challenge/", {"own": miso.pk, "board": "ramen_ramen/2", "opponents": "Shio"}
    )

    assert response.status_code == 400
    assert not Match.objects.filter(kind=Match.Kind.CHALLENGE).exists()


def test_a_trial_is_begun_by_the_owner_watched_by_all_and_called_off_by_the_owner(
    client: Client, alice: User, charlie: User, miso: Bot
) -> None:
    old, new = miso.active_version, make_version(miso)
    data = {"old": old.number, "new": new.number, "seats": "2"}

    refused = signed_in(charlie).post(f"/bots/{miso.pk}/trial/", data)
    signed_in(alice).post(f"/bots/{miso.pk}/trial/", data)

    trial = Trial.objects.get()
    assert refused.status_code == 404
    assert "Is v2 better than v1?" in client.get(f"/trials/{trial.pk}/").content.decode()
    assert signed_in(charlie).post(f"/trials/{trial.pk}/cancel/").status_code == 404
    signed_in(alice).post(f"/trials/{trial.pk}/cancel/")
    trial.refresh_from_db()
    assert trial.status == Trial.Status.CANCELLED


def test_a_finished_trial_shows_its_counts_and_interval(client: Client, miso: Bot) -> None:
    trial = Trial.objects.create(
        bot=miso,
        old=miso.active_version,
        new=make_version(miso),
        status=Trial.Status.CAPPED,
        counts=[5, 20, 55, 30, 10],
        cap=120,
        created_by=miso.owner,
    )

    html = client.get(f"/trials/{trial.pk}/").content.decode()

    assert re.search(r"<dd>27.5\s", html)  # the worked example: 29.0 by its mean alone
    assert "1.58" in html  # and its log-likelihood ratio
    assert 'hx-trigger="every' not in html
