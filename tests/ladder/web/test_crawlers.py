"""What programs find: compressed pages, an icon, robots.txt, a sitemap, words for a link."""

from __future__ import annotations

import gzip
import re

import pytest
from django.test import Client

from engine.games import GAMES
from ladder.models import Bot, User
from tests.factories import make_bot


@pytest.mark.django_db
def test_a_page_is_compressed_for_who_can_read_it_and_padded_each_time(client: Client) -> None:
    plain = client.get("/docs/")
    many = [client.get("/docs/", headers={"Accept-Encoding": "gzip"}) for _ in range(6)]
    packed = many[0]

    assert "Content-Encoding" not in plain.headers
    assert packed["Content-Encoding"] == "gzip"
    assert len(packed.content) < len(plain.content) / 2
    assert gzip.decompress(packed.content).count(b"<h1") == 1
    assert len({one.content for one in many}) > 1  # its length says nothing of what it holds


@pytest.mark.django_db
def test_the_icon_is_one_and_robots_are_told_where_the_pages_are(client: Client) -> None:
    icon = b"".join(client.get("/favicon.ico").streaming_content)
    robots = client.get("/robots.txt").content.decode()

    assert icon[:4] == b"\0\0\1\0"
    assert "Disallow: /admin/" in robots
    assert re.search(r"^Sitemap: http\S+/sitemap.xml$", robots, re.MULTILINE)


@pytest.mark.django_db
def test_the_sitemap_has_bots_that_play_and_every_address_in_it_answers(client: Client) -> None:
    playing = make_bot(name="Playing")
    resting = make_bot(name="Resting")
    Bot.objects.filter(pk=resting.pk).update(status=Bot.Status.RETIRED)

    text = client.get("/sitemap.xml").content.decode()

    addresses = re.findall(r"<loc>http://localhost:8000(/[^<]*)</loc>", text)
    assert f"/bots/{playing.pk}/" in addresses
    assert f"/bots/{resting.pk}/" not in addresses
    assert {client.get(address).status_code for address in addresses} == {200}
    assert User.objects.exists()


@pytest.mark.django_db
def test_a_link_to_a_page_can_be_shown_with_its_title_and_words(client: Client) -> None:
    html = client.get("/boards/ramen_ramen/2/?q=x").content.decode()

    title = re.search(r"<title>(.+) · Ladle</title>", html)
    assert title
    assert f'<meta property="og:title" content="{title[1]}">' in html
    assert '<link rel="canonical" href="http://localhost:8000/boards/ramen_ramen/2/">' in html
    card = "http://localhost:8000/cards/boards/ramen_ramen/2.png"
    assert f'property="og:image" content="{card}"' in html
    html = client.get("/search/").content.decode()
    assert re.search(r'property="og:image" content="http://localhost:8000/static/\S+png"', html)


@pytest.mark.django_db
def test_language_models_are_told_where_everything_is_as_plain_text(client: Client) -> None:
    text = client.get("/llms.txt").content.decode()

    addresses = re.findall(r"\(http://localhost:8000(/[^)]*)\)", text)
    assert text.startswith("# Ladle\n")
    assert {"/docs/agents.md", "/docs/kit.md", "/docs/wire.md"} <= set(addresses)
    assert {client.get(address).status_code for address in addresses} == {200}
    assert client.get("/docs/agents.md").content.startswith(b"# For coding agents")
    assert client.get("/docs/none.md").status_code == 404
    rules = [path for path in addresses if "rules" in path]
    assert len(rules) == len(GAMES)
    for path in rules:
        assert client.get(path)["Content-Type"].startswith("text/markdown")
        assert client.get(path).content.startswith(b"# ")
    assert client.get("/games/none/rules.md").status_code == 404
