"""What browsers load: few files, complete, and locked without a word about where they come from."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.staticfiles import finders

from engine.games import GAMES
from tests.servers import ROOT, bundle

SITE = ["ladder/css/site.css", "ladder/js/site.js"]
TABLE = ["ladder/js/table.js"]
THEATRE = [f"ladder/theatre/{name}" for name in ("theatre.css", "theatre.js", "example.js")]
PLAY = [f"ladder/play/{name}.{kind}" for name in ("play", "workshop") for kind in ("css", "js")]
BOARDS = [f"games/{game}/board.{kind}" for game in GAMES for kind in ("css", "js")]


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    bundle()


@pytest.mark.parametrize("name", SITE + TABLE + THEATRE + PLAY + BOARDS)
def test_a_bundle_is_found_before_its_sources_and_loads_no_further_script(name: str) -> None:
    path = ROOT / "build/static" / name
    assert finders.find(name) == str(path)
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"""@import|(?:^|[;}])import\s*["'{\w*]""", text)


def test_the_stylesheet_brings_the_font_that_the_pages_ask_for_early() -> None:
    text = (ROOT / "build/static/ladder/css/site.css").read_text(encoding="utf-8")
    fonts = re.findall(r'url\("?([^)"]+\.woff2)', text)
    assert "../fonts/figtree-latin-wght-normal.woff2" in fonts
    assert all((ROOT / "build/static/ladder/css" / font).resolve().is_file() for font in fonts)


def test_the_lock_names_versions_and_digests_but_no_registry() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    locked = [package for name, package in packages.items() if name]
    assert locked
    assert all("resolved" not in package and package["integrity"] for package in locked)


def test_every_package_has_its_exact_version_and_its_purpose_written_down() -> None:
    asked = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for name, version in (asked["dependencies"] | asked["devDependencies"]).items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), name
        assert f"| `{name}` |" in contributing, name
