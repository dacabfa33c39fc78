"""Pages in frames of other sites, and oEmbed, which tells those sites about them."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from ladder.models import Bot, Match, User
from tests.factories import make_bot
from tests.ladder.web.conftest import signed_in


def test_only_embedded_pages_may_be_framed_and_they_know_no_cookie(
    played: Match, miso: Bot, alice: User
) -> None:
    embedded = [
        reverse("embed-match", args=[played.pk]),
        reverse("embed-play", args=[played.pk, 0]),
        reverse("embed-bot", args=[miso.pk]),
    ]
    client = signed_in(alice)
    for address in embedded:
        answer = client.get(address)
        assert answer.status_code == 200
        assert "X-Frame-Options" not in answer
        assert "frame-ancestors *" in answer["Content-Security-Policy"]
        assert not answer.cookies
        assert answer.content == Client().get(address).content
        assert b"alice</bdi></a>" not in answer.content  # no account menu
    for address in (reverse("theatre", args=[played.pk, 0]), reverse("bot", args=[miso.pk])):
        answer = client.get(address)
        assert answer["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
    film = client.get(reverse("embed-frames", args=[played.pk, 0]))
    assert film.json()["game"] == "ramen_ramen"


def test_what_strangers_may_not_see_is_a_frame_that_says_so(alice: User) -> None:
    hidden = make_bot(alice, name="Hidden", with_version=False)
    for address in (reverse("embed-bot", args=[hidden.pk]), reverse("embed-play", args=[999, 0])):
        answer = signed_in(alice).get(address)
        assert answer.status_code == 404
        assert b"This page is private, was deleted or never existed." in answer.content
        assert b"Hidden" not in answer.content
        assert "frame-ancestors *" in answer["Content-Security-Policy"]


def test_oembed_describes_plays_and_bots_and_pages_lead_to_it(
    played: Match, miso: Bot, settings
) -> None:
    page = reverse("theatre", args=[played.pk, 0])
    body = Client().get(f"{page}?step=4").content.decode()
    assert 'type="application/json+oembed"' in body

    def asked(page: str, **more: str) -> dict:
        answer = Client().get(reverse("oembed"), {"url": settings.SITE_URL + page, **more})
        assert answer.status_code == 200, answer.content
        assert answer["Access-Control-Allow-Origin"] == "*"
        return answer.json()

    told = asked(f"{page}?step=4", maxwidth="400")
    assert (told["type"], told["version"], told["width"]) == ("rich", "1.0", 400)
    assert f"/embed{page}?step=4" in told["html"]
    assert told["thumbnail_url"].endswith(f"/cards/matches/{played.pk}/plays/0.png?step=4")
    assert asked(f"{page}#step=4")["html"] == asked(f"{page}?step=4")["html"]
    bot = asked(reverse("bot", args=[miso.pk]))
    assert (bot["title"], bot["author_name"]) == ("Miso, Ramen! Ramen!", "alice")
    frame = bot["html"].split('"')[1].removeprefix(settings.SITE_URL)
    assert Client().get(frame).status_code == 200


def test_oembed_refuses_what_it_cannot_describe(alice: User, settings) -> None:
    hidden = make_bot(alice, name="Hidden", with_version=False)
    ours = settings.SITE_URL
    wanted = {
        "": 404,
        "https://elsewhere.example/bots/1/": 404,
        "javascript:alert(1)": 404,
        "http://[": 404,
        f"{ours}/bots/{hidden.pk}/": 404,
        f"{ours}/matches/999/": 404,
        f"{ours}/about/": 404,
    }
    for url, status in wanted.items():
        assert signed_in(alice).get(reverse("oembed"), {"url": url}).status_code == status, url
    assert Client().get(reverse("oembed"), {"url": f"{ours}/", "format": "xml"}).status_code == 501
