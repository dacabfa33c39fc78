"""The page on which one plays, and the files with which a tab runs Python."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from engine.games import GAMES
from ladder.web.http.middleware import POLICY
from ladder.web.http.tab import WORKER_POLICY
from tests.servers import ROOT

SERVED = ROOT / "build" / "served"


@pytest.mark.django_db
@pytest.mark.parametrize("slug", GAMES)
def test_a_game_is_played_on_its_page_with_bots_that_a_tab_can_run(client: Client, slug: str):
    page = client.get(reverse("play", args=[slug]))

    body = page.content.decode()
    setup = json.loads(re.search(r'id="play-setup"[^>]*>(.*?)</script>', body)[1])
    assert page.headers["Content-Security-Policy"] == POLICY
    assert [board["seats"] for board in setup["boards"]] == list(GAMES[slug].seats)
    assert {"greedy", "random"} < {bot["short"] for bot in setup["bots"]}
    assert "noodle" not in {bot["short"] for bot in setup["bots"]}
    assert setup["you"] == "Guest"
    other = client.get(reverse("game", args=[slug])).content.decode()
    assert reverse("play", args=[slug]) in other
    assert "play.js" not in other
    assert client.get(reverse("play", args=["chess"])).status_code == 404


@pytest.mark.django_db
def test_only_the_worker_may_compile_and_all_of_it_is_kept_and_sent_compressed(client: Client):
    files = [path for path in SERVED.rglob("*") if path.suffix in {".js", ".mjs", ".wasm", ".bin"}]
    assert {path.name for path in files} == {
        *("worker.js", "engine.bin", "library.bin"),
        *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"),
    }
    sent = 0
    for path in files:
        address = f"/{path.relative_to(SERVED).as_posix()}"
        answer = client.get(address, headers={"Accept-Encoding": "gzip, br"})
        policy = WORKER_POLICY if path.name == "worker.js" else None
        assert answer.headers.get("Content-Security-Policy") in (policy, POLICY), address
        assert (policy is None) == (
            "wasm-unsafe-eval" not in answer.headers.get("Content-Security-Policy", "")
        )
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["Content-Encoding"] == "br"
        sent += int(answer.headers["Content-Length"])
        answer.close()
    assert sent < 5_000_000
