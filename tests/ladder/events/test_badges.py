"""A badge shows a public bot's rank and rating, and nothing of any other."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from django.test import Client

from ladder.models import Bot, Rating, User
from tests.factories import make_bot

pytestmark = pytest.mark.django_db


def words_of(client: Client, bot: Bot, seats: int = 2) -> list[str | None]:
    answer = client.get(f"/bots/{bot.pk}/badge.svg?seats={seats}")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml")
    root = ElementTree.fromstring(answer.content)
    return [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]


def test_a_badge_shows_rank_and_rating(client: Client, miso: Bot) -> None:
    assert words_of(client, miso) == ["Ramen! Ramen! · 2 players", "unranked · 1500"]
    Rating.objects.filter(bot=miso, seats=2).update(is_provisional=False, milli=1_612_400)
    assert words_of(client, miso)[1] == "#1 · 1612"
    Rating.objects.filter(bot=miso).update(is_listed=False)
    assert words_of(client, miso)[1] == "not on the ladder"


def test_private_and_unknown_bots_and_boards_have_none(client: Client, alice: User) -> None:
    hidden, shown = make_bot(alice, with_version=False), make_bot(alice, seat_counts=[2])
    for path in (
        f"/bots/{hidden.pk}/badge.svg",
        "/bots/999/badge.svg",
        f"/bots/{shown.pk}/badge.svg?seats=4",
        f"/bots/{shown.pk}/badge.svg?seats=soup",
    ):
        assert client.get(path).status_code == 404, path
    assert client.get(f"/bots/{shown.pk}/badge.svg").status_code == 200
