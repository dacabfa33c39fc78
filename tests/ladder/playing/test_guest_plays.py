"""Plays that guests share by a link, without an account."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.replay import read
from ladder.models import KeptPlay, User
from ladder.services import housekeeping
from tests.ladder.web.conftest import signed_in
from tests.ladder.web.test_kept_plays import played, with_players

pytestmark = pytest.mark.django_db


def guest_play(seed: int = 7) -> bytes:
    """As the play page makes it, with its name of the house bot."""
    replay = read(played("Guest", "greedy", seed))
    me, bot = replay.players
    return replace(replay, players=(me, replace(bot, bot="House Greedy"))).to_gzip()


def shared(data: bytes, client: Client | None = None):
    strict = client or Client(enforce_csrf_checks=True)
    return strict.post(reverse("share-play"), data, content_type="application/gzip")


def test_a_guest_shares_a_play_and_anyone_watches_it() -> None:
    page = shared(guest_play()).json()["page"]

    body = Client().get(page).content.decode()
    assert "A guest at Ramen! Ramen!" in body
    assert "The link works for 30 days." in body
    assert ">unverified<" not in body
    assert Client().get(f"{page}frames.json").json()["names"] == ["Guest", "House Greedy"]
    assert Client().get(f"{page}replay.json.gz").status_code == 200


def test_the_same_play_shared_twice_has_one_link() -> None:
    data = guest_play()

    assert shared(data).json() == shared(data).json()
    assert KeptPlay.objects.count() == 1


def test_nobody_removes_a_guests_play_by_its_page(alice: User) -> None:
    page = shared(guest_play()).json()["page"]

    assert signed_in(alice).post(f"{page}remove/").status_code == 404
    assert "Remove play" not in signed_in(alice).get(page).content.decode()


@pytest.mark.parametrize("name", ["alice", "A rude word", "guest"])
def test_a_guests_play_names_nobody_but_guests(alice: User, name: str) -> None:
    forged = with_players(guest_play(), bot=name)

    answer = shared(forged)

    assert answer.status_code == 400
    assert f"cannot name {name}. Sign in" in answer.json()["problem"]


def test_a_play_that_is_not_true_is_not_shared() -> None:
    assert shared(b"nonsense").status_code == 409
    assert not KeptPlay.objects.exists()


def test_one_address_shares_only_so_often_and_all_guests_only_so_many(settings) -> None:
    settings.MAX_GUEST_PLAYS = 1
    shared(guest_play(7))
    full = shared(guest_play(8))
    settings.RATE_SHARE = "2/hour"

    refused = shared(guest_play(7))

    assert "Sign in to keep yours" in full.json()["problem"]
    assert refused.status_code == 429


def test_a_guests_play_is_forgotten_with_its_file_after_its_days(alice: User, settings) -> None:
    page = shared(guest_play()).json()["page"]
    own = signed_in(alice).post(reverse("keep-play"), played(), content_type="application/gzip")
    files = [str(play.replay.name) for play in KeptPlay.objects.order_by("pk")]
    KeptPlay.objects.update(created_at=timezone.now() - timedelta(days=31))

    gone = Client().get(page).status_code
    housekeeping.clean()

    assert gone == 404
    assert [default_storage.exists(name) for name in files] == [False, True]
    assert Client().get(own.json()["page"]).status_code == 200


def test_a_play_past_its_days_can_be_shared_again() -> None:
    data = guest_play()
    shared(data)
    KeptPlay.objects.update(created_at=timezone.now() - timedelta(days=31))

    page = shared(data).json()["page"]

    assert Client().get(page).status_code == 200
