"""The page on which one plays, and the files with which a tab runs Python."""

from __future__ import annotations

import gzip
import html
import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from engine.games import GAMES
from ladder.web.http.middleware import FRAMING_POLICY, POLICY
from ladder.web.http.tab import KEEPER_POLICY, WORKER_POLICY, frame_policy
from tests.factories import make_bot
from tests.ladder.web.conftest import signed_in
from tests.servers import ROOT

SERVED = ROOT / "build" / "served"


@pytest.mark.django_db
@pytest.mark.parametrize("slug", GAMES)
def test_a_game_is_played_on_its_page_with_bots_that_a_tab_can_run(client: Client, slug: str):
    page = client.get(reverse("play", args=[slug]))

    body = page.content.decode()
    setup = json.loads(re.search(r'id="play-setup"[^>]*>(.*?)</script>', body)[1])
    assert (
        page.headers["Content-Security-Policy"] == FRAMING_POLICY == f"{POLICY}; frame-src 'self'"
    )
    assert [board["seats"] for board in setup["boards"]] == list(GAMES[slug].seats)
    assert {"greedy", "random"} < {bot["short"] for bot in setup["bots"]}
    in_frames = {bot["short"]: bot["language"] for bot in setup["bots"] if "language" in bot}
    assert in_frames == ({"noodle": "js"} if slug == "ramen_ramen" else {})
    assert setup["you"] == "Guest"
    other = client.get(reverse("game", args=[slug])).content.decode()
    assert reverse("play", args=[slug]) in other
    assert "play.js" not in other
    assert client.get(reverse("play", args=["chess"])).status_code == 404


@pytest.mark.django_db
def test_only_the_worker_and_the_frame_may_compile_and_all_is_kept_and_sent_compressed(
    client: Client,
):
    endings = {".js", ".mjs", ".wasm", ".bin", ".html"}
    files = [path for path in (SERVED / "tab").rglob("*") if path.suffix in endings]
    assert {path.name for path in files} == {
        *("worker.js", "engine.bin", "library.bin"),
        *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"),
        *("frame.html", "python.js", "javascript.js"),
    }
    sent = 0
    for path in files:
        address = f"/{path.relative_to(SERVED).as_posix()}"
        answer = client.get(address, headers={"Accept-Encoding": "gzip, br"})
        expected = WORKER_POLICY if path.name == "worker.js" else None
        if path.name == "frame.html":
            expected = frame_policy(path.read_bytes())
        assert answer.headers.get("Content-Security-Policy") in (expected, POLICY), address
        assert (expected is not None) == (
            "wasm-unsafe-eval" in answer.headers.get("Content-Security-Policy", "")
        )
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["Content-Encoding"] == "br"
        sent += int(answer.headers["Content-Length"])
        answer.close()
    assert sent < 5_000_000


@pytest.mark.django_db
def test_the_service_worker_is_always_asked_for_and_may_only_fetch(client: Client):
    answer = client.get("/keeper.js")

    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.headers["Content-Security-Policy"] == KEEPER_POLICY
    answer.close()


@pytest.mark.django_db
def test_the_frame_lets_in_no_script_of_the_site_and_nothing_out(client: Client):
    (path,) = SERVED.rglob("frame.html")

    answer = client.get(f"/{path.relative_to(SERVED).as_posix()}")

    rules = dict(
        rule.split(" ", 1) for rule in answer.headers["Content-Security-Policy"].split("; ")
    )
    assert "X-Frame-Options" not in answer.headers
    assert rules["default-src"] == rules["connect-src"] == "'none'"
    assert rules["sandbox"] == "allow-scripts"
    assert "'self'" not in rules["script-src"]
    assert re.fullmatch(r"'sha256-[\w+/=]+' 'wasm-unsafe-eval' blob:", rules["script-src"])
    answer.close()


def setup_of(page) -> dict:
    return json.loads(re.search(r'-setup"[^>]*>(.*?)</script>', page.content.decode())[1])


@pytest.mark.django_db
def test_a_bot_with_a_public_source_is_played_against_and_forked(client, alice):
    bot = make_bot(alice, is_source_public=True)
    version = bot.versions.get()
    play, shop = (
        reverse(name, args=[bot.game]) + f"?version={version.pk}" for name in ("play", "workshop")
    )

    guest = setup_of(client.get(play))["bots"][-1]

    assert setup_of(client.get(shop))["fork"] == guest
    assert (guest["name"], guest["version"], guest["language"]) == (bot.name, 1, "py")
    assert guest["sha256"] == version.sha256
    assert client.get(guest["source"]).content.decode() == version.program().content.decode()
    source = client.get(reverse("bot-source", args=[bot.pk, 1])).content.decode()
    assert play in source
    assert shop in source


@pytest.mark.django_db
def test_a_private_source_is_neither_played_nor_forked_but_by_its_author(client, alice):
    version = make_bot(alice).versions.get()
    for name in ("play", "workshop"):
        address = reverse(name, args=[version.bot.game]) + f"?version={version.pk}"
        assert client.get(address).status_code == 404
        assert signed_in(alice).get(address).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("asked", ["0", "", "-1", "x", "9" * 30])
def test_a_version_that_is_not_there_is_not_found(client: Client, asked: str):
    assert client.get(reverse("play", args=["safranito"]) + f"?version={asked}").status_code == 404


@pytest.mark.django_db
def test_a_version_of_another_game_or_a_bundle_is_not_found(client, alice):
    version = make_bot(alice, is_source_public=True).versions.get()
    other = reverse("play", args=["safranito"]) + f"?version={version.pk}"
    assert client.get(other).status_code == 404
    version.is_bundle = True
    version.save()
    own = reverse("play", args=[version.bot.game]) + f"?version={version.pk}"
    assert client.get(own).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("slug", GAMES)
def test_the_workshop_explains_every_field_of_a_view_and_starts_two_languages(
    client: Client, slug: str
):
    setup = setup_of(client.get(reverse("workshop", args=[slug])))

    assert all(field["words"] and field["kind"] for field in setup["view"])
    values = {field["name"]: field["value"] for field in setup["view"] if "value" in field}
    assert values["game"] == slug
    assert values["cpu_left_ms"] == 1020
    assert "def decide(view" in setup["starters"]["py"]
    assert "function decide(view" in setup["starters"]["js"]


@pytest.mark.django_db
def test_a_bot_that_needs_numpy_is_not_seated_in_a_tab(client, alice):
    source = "import numpy as np\ndef decide(view):\n    return view['legal'][0]\n"
    bot = make_bot(alice, is_source_public=True, source=source)

    page = client.get(reverse("play", args=[bot.game]) + f"?version={bot.versions.get().pk}")

    assert page.status_code == 409
    assert "needs numpy" in page.content.decode()


@pytest.mark.django_db
def test_play_is_a_front_door_with_a_guided_game_of_each(client: Client):
    body = client.get(reverse("play-games")).content.decode()

    for slug in GAMES:
        assert f'href="{reverse("play", args=[slug])}"' in body
        assert f'href="{reverse("play", args=[slug])}?guide"' in body
    home = client.get(reverse("home")).content.decode()
    assert home.count(f'href="{reverse("play-games")}"') == 2  # in the menu and in the hero


@pytest.mark.django_db
def test_the_front_door_shows_a_table_of_each_game_drawn_by_its_own_board(client: Client):
    page = client.get(reverse("play-games")).content.decode()

    for slug, game in GAMES.items():
        assert f"games/{slug}/board" in page  # the board's own styles
        label = html.escape(f"A table of {game.title}")
        drawn = re.search(rf'<svg[^>]*aria-label="{re.escape(label)}">(.*?)</svg>', page, re.DOTALL)
        assert drawn
        prefix = f"b-{slug.replace('_', '-')}-"
        classes = set(re.findall(r'class="([^"]+)"', drawn[1]))
        assert sum(name.startswith(prefix) for name in classes) > 15
        assert 'style="' not in drawn[1]
        assert len(gzip.compress(drawn[0].encode())) < 7_000
