"""Sitting down at a step of a replay: which ones the play page goes on from."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from ladder.models import Match, User
from tests.ladder.playing.test_guest_plays import guest_play, shared
from tests.ladder.web.conftest import miso, played, shio  # noqa: F401

pytestmark = pytest.mark.django_db


def origin(query: str, game: str = "ramen_ramen") -> dict | None:
    """What the play page goes on from; None where there is no such page."""
    response = Client().get(f"{reverse('play', args=[game])}?{query}")
    if response.status_code == 404:
        return None
    found = re.search(r'id="play-setup"[^>]*>(.*?)</script>', response.content.decode())
    assert found
    return json.loads(found[1])["from"]


def test_a_match_and_a_shared_play_are_gone_on_from(played: Match) -> None:  # noqa: F811
    kept = int(shared(guest_play()).json()["page"].split("/")[2])

    for query in (f"match={played.pk}&play=0", f"kept={kept}"):
        found = origin(f"{query}&step=12&seat=1")
        assert found
        assert (found["step"], found["seat"], found["seats"]) == (12, 1, 2)
        assert Client().get(found["replay"]).status_code == 200
        assert Client().get(found["page"]).status_code == 200


def test_the_pages_of_both_offer_it(played: Match) -> None:  # noqa: F811
    kept = shared(guest_play()).json()["page"]
    theatre = reverse("theatre", args=[played.pk, 0])

    for page in (kept, theatre):
        found = re.search(r'"play_on": "([^"]+)"', Client().get(page).content.decode())
        assert found
        assert found[1].startswith("/play/ramen_ramen/?")


def test_what_is_not_there_or_of_another_game_is_not_found(
    played: Match,  # noqa: F811
    alice: User,
) -> None:
    match = f"match={played.pk}&play=0"

    assert origin(f"{match}&step=1")
    assert origin(match) is None
    assert origin(f"{match}&step=x") is None
    assert origin(f"match={played.pk}&play=9&step=1") is None
    assert origin("match=999&play=0&step=1") is None
    assert origin("kept=999&step=1") is None
    assert origin(f"{match}&step=1", game="hot_ramen") is None
