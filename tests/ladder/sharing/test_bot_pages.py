"""What authors say about their bots: description, homepage, licence, tags; and the avatar."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from ladder.errors import LadderError
from ladder.models import Bot, BotTag, User
from ladder.services.publishing import profiles
from ladder.web.bot.avatar import avatar
from tests.ladder.web.conftest import signed_in


def test_an_author_describes_a_bot_and_others_find_it_by_its_tags(
    miso: Bot, shio: Bot, alice: User, bob: User
) -> None:
    told = {
        "act": "describe",
        "description": "Two plies.\n<b>Bold</b>",
        "homepage": "https://example.org/miso",
        "licence": "MIT",
        "tags": "Search, two-ply  search",
    }
    act = reverse("bot-act", args=[miso.pk])
    assert signed_in(bob).post(act, told).status_code == 404
    assert signed_in(alice).post(act, told).status_code == 302

    body = Client().get(reverse("bot", args=[miso.pk])).content.decode()
    assert "Two plies.<br>&lt;b&gt;Bold" in body
    assert 'href="https://example.org/miso" rel="nofollow ugc noopener"' in body
    assert "?tag=two-ply" in body
    for address in ("/search/?tag=search", "/search/?q=search"):
        found = Client().get(address).content.decode()
        assert ("Miso" in found, "Shio" in found) == (True, False)
    api = Client().get("/api/v1/bots/?tag=search").json()["results"]
    assert [(bot["name"], bot["tags"]) for bot in api] == [("Miso", ["search", "two-ply"])]
    assert Client().get("/api/v1/bots/?tag=nothing").json()["results"] == []

    changed = signed_in(alice).patch(
        f"/api/v1/bots/{miso.pk}/", {"tags": ["new"]}, content_type="application/json"
    )
    assert (changed.json()["tags"], changed.json()["licence"]) == (["new"], "MIT")
    assert list(BotTag.objects.values_list("tag", flat=True)) == ["new"]


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("homepage", "javascript:alert(1)", "must be an address such as"),
        ("homepage", "https://user:secret@example.org/", "user name or password"),
        ("homepage", "https://exa mple.org/", "must be an address such as"),
        ("homepage", "https://example.org/" + "a" * 200, "must be an address such as"),
        ("homepage", "https://[::1", "must be an address such as"),
        ("description", "x" * 2001, "2001 characters; the limit is 2000"),
        ("description", "a\x00b", "cannot be shown"),
        ("licence", "two\nlines", "cannot be shown"),
        ("tags", ["a" * 25], "cannot be a tag"),
        ("tags", ["<b>"], "cannot be a tag"),
        ("tags", [f"tag{n}" for n in range(9)], "the limit is 8"),
    ],
)
def test_a_page_that_makes_no_sense_is_refused(
    miso: Bot, field: str, value: object, sentence: str
) -> None:
    with pytest.raises(LadderError, match=sentence):
        profiles.describe(bot=miso, **{field: value})


def test_an_avatar_is_the_same_for_the_same_name_and_differs_between_names(miso: Bot) -> None:
    answer = Client().get(reverse("bot-avatar", args=[miso.pk]))

    assert answer["Content-Type"] == "image/svg+xml"
    assert avatar("Miso") in answer.content.decode()
    assert len({avatar(f"Bot {number}") for number in range(100)}) == 100
