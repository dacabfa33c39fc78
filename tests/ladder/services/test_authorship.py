"""Who wrote a version: declared with the upload, shown, and a filter of ladders."""

from __future__ import annotations

import pytest
from django.test import Client

from ladder.boards import Board
from ladder.errors import LadderError
from ladder.models import Rating, Version
from ladder.services import bots
from tests.factories import make_bot, make_user

pytestmark = pytest.mark.django_db
SOURCE = b"def decide(view):\n    return view['legal'][0]\n"


def test_the_form_declares_it_and_the_page_shows_it(client: Client) -> None:
    owner = make_user()
    bot = make_bot(owner)
    client.force_login(owner)
    form = {"pasted": SOURCE.decode(), "language": "py", "note": "", "authorship": "assisted"}
    assert client.post(f"/bots/{bot.pk}/upload/", form).status_code in (302, 404)
    version, _ = bots.upload(bot=bot, filename="b.py", content=SOURCE, authorship="agent")
    known = Version.objects.get(pk=version.pk).authorship
    assert known in ("agent", "assisted")
    assert f">{known}</span>" in client.get(f"/bots/{bot.pk}/").content.decode()
    with pytest.raises(LadderError, match="Allowed: person, assisted, agent"):
        bots.upload(bot=bot, filename="b.py", content=b"x = 1", authorship="robot")


def test_a_ladder_is_filtered_by_it(client: Client) -> None:
    board = Board("ramen_ramen", 2)
    made = {name: make_bot(name=name) for name in ("Ann", "Bea")}
    for name, bot in made.items():
        assert bot.active_version is not None
        version = bot.active_version
        if name == "Ann":
            Version.objects.filter(pk=version.pk).update(authorship="agent")
        Rating.objects.update_or_create(
            game=board.game,
            seats=2,
            version=version,
            bot=bot,
            defaults={"is_provisional": False, "is_listed": True},
        )
    address = "/api/v1/boards/ramen_ramen/2/ladder/"
    names = {row["bot"]["name"]: row for row in client.get(address).json()["results"]}
    assert {"Ann", "Bea"} <= set(names) and names["Ann"]["authorship"] == "agent"
    found = client.get(address, {"authorship": "agent"}).json()["results"]
    assert [(row["bot"]["name"], row["rank"]) for row in found] == [("Ann", names["Ann"]["rank"])]
    refused = client.get(address, {"authorship": "robot"})
    assert (refused.status_code, "Allowed" in refused.json()["detail"]) == (400, True)
    page = client.get("/boards/ramen_ramen/2/", {"by": "agent"}).content.decode()
    assert "Ann" in page and "Bea" not in page
