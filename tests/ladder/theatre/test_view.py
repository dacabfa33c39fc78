from __future__ import annotations

import json
import re

import pytest

from engine.games import GAMES
from ladder.theatre.offline import page


def data(html: str, name: str) -> dict:
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', html, re.S)
    return json.loads(found[1])


def test_view_writes_a_page_beside_the_replay(ladle, tmp_path, played):
    (tmp_path / "r.json.gz").write_bytes(played().to_gzip())

    ran = ladle("view", "r.json.gz")

    assert (ran.code, ran.out) == (0, "written to r.html\n")
    assert data((tmp_path / "r.html").read_text(), "film-all")["game"] == "ramen_ramen"


def test_view_refuses_what_is_no_replay(refused, tmp_path):
    (tmp_path / "r.json").write_text("{}")

    assert refused("view", "r.json") == "r.json: the file is JSON, but not a replay."


def test_view_refuses_a_replay_that_was_changed(refused, tmp_path, played):
    told = played().to_json()
    told["players"][0]["bot"] = "someone else"
    (tmp_path / "r.json").write_text(json.dumps(told))

    assert "was changed after it was written" in refused("view", "r.json")


def test_view_never_writes_over_the_replay(refused, tmp_path, played):
    (tmp_path / "r.json").write_text(json.dumps(played().to_json()))

    assert "is the replay itself" in refused("view", "r.json", "-o", "r.json")


@pytest.mark.parametrize("slug", GAMES)
def test_the_page_names_no_address_outside_itself(played, slug):
    html = page(GAMES[slug], played(slug, 2), "r.json.gz")

    assert not re.search(r"""(src|href)=["']?(?!#)""", html)
    assert not re.search(r"url\((?!#)", html)
    assert "default-src" in html


def test_a_bots_name_cannot_end_the_element_it_stands_in(played):
    name = "</script><script>alert(1)</script>"

    html = page(GAMES["ramen_ramen"], played(names=(name, "Shio")), "r.json.gz")

    assert name not in html
    assert data(html, "film-all")["names"][0] == name


def test_a_game_without_secrets_has_one_film(played):
    html = page(GAMES["hot_ramen"], played("hot_ramen", 2), "r.json.gz")

    assert "film-all" in html
    assert "film-0" not in html
