"""What the documentation names exists: pages, files, verbs, settings, metrics, faults, formats."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.utils.text import slugify

from engine.game import Limits
from engine.games import GAMES
from engine.outcome import FaultKind
from ladder.api.v1.views.docs import schema
from ladder.boards import BOARDS
from ladder.cli.app import VERBS
from ladder.tournaments import FORMATS
from ladder.web.operation.metrics import LadleCollector
from tests.docs.pages import DOCS, PAGES, ROOT, blocks, code_words, headings, links, table_rows

RUNNING, OPERATIONS, WIRE = DOCS / "running.md", DOCS / "operations.md", DOCS / "wire.md"
DECISIONS = sorted(ROOT.glob("*/DECISIONS.md"))
NAMED_PATH = re.compile(
    r"(?:engine|sandbox|ladder|templates|tests|docs|\.ci)/[\w./-]*|[\w-]+\.(?:py|yml|toml|lock)"
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_between_pages_leads_somewhere(page):
    for link in links(page):
        if re.match(r"https?://|mailto:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page

        assert target.exists(), f"{page.name} links to {link}"
        if anchor:
            assert anchor in map(slugify, headings(target)), f"{page.name} links to {link}"


@pytest.mark.parametrize("page", [*PAGES, *DECISIONS], ids=lambda p: str(p.relative_to(ROOT)))
def test_every_path_named_in_a_page_exists(page):
    made_here = {block.file for block in blocks(page)}
    for word in code_words(page):
        if NAMED_PATH.fullmatch(word) and word not in made_here and "/" in word:
            assert (ROOT / word).exists(), f"{page.name} names {word}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_verb_named_in_a_page_exists(page):
    texts = [*code_words(page), *(block.text for block in blocks(page))]
    named = {found for text in texts for found in re.findall(r"(?m)^\s*\$? ?ladle ([a-z]+)", text)}

    assert named <= set(VERBS)


def test_every_verb_of_the_command_is_explained_in_some_page():
    told = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)

    assert {verb for verb in VERBS if f"ladle {verb}" not in told} == set()


def test_the_table_of_variables_is_that_of_the_sources():
    sources = [*ROOT.glob("ladder/**/*.py"), *ROOT.glob("sandbox/*.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', text))
    read |= set(re.findall(r'environ(?:\.get\(|\[)"([A-Z_]+)"', text))

    listed = [row[0] for row in table_rows(RUNNING, "variable")]

    assert sorted(listed) == sorted(set(listed))
    assert set(listed) == {name for name in read if not name.startswith("XDG_")}  # the system's


def test_the_defaults_in_the_table_of_variables_are_those_of_the_settings():
    source = (ROOT / "ladder" / "settings.py").read_text(encoding="utf-8")
    defaults = dict(re.findall(r'env\.(?:text|number)\("([A-Z_]+)", "?([\w/]+)"?[,)]', source))
    table = {row[0]: row[1] for row in table_rows(RUNNING, "variable")}

    assert len(defaults) > 10
    assert {name: table[name] for name in defaults} == defaults


def test_the_table_of_metrics_is_that_of_the_collector(db):
    told = {family.name for family in LadleCollector().collect()}

    listed = {row[0].removesuffix("_total") for row in table_rows(OPERATIONS, "metric")}

    assert listed == told


def test_the_table_of_faults_is_that_of_the_engine():
    assert tuple(row[0] for row in table_rows(WIRE, "fault")) == tuple(FaultKind)


def test_the_table_of_limits_is_that_of_the_engine():
    limits = Limits()
    listed = {row[0]: row[1] for row in table_rows(WIRE, "limit")}

    assert listed == {name: f"{getattr(limits, name):,}" for name in Limits.__slots__}


def test_limits_differ_by_game_only_where_the_page_says_so():
    assert {slug: game.limits for slug, game in GAMES.items() if game.limits != Limits()} == {}


def test_the_table_of_formats_is_that_of_the_tournaments():
    listed = {row[0]: row[1] for row in table_rows(DOCS / "tournaments.md", "format")}

    assert listed == {name: one.title for name, one in FORMATS.items()}


def test_the_table_of_addresses_is_that_of_the_api():
    rows = table_rows(DOCS / "api.md", "address")
    listed = {
        (method, f"/api/v1/{row[0]}")
        for row in rows
        for method in re.findall(r"\*\*([A-Z]+)\*\*", row[1])
    }

    assert listed == {
        (method.upper(), path)
        for path, operations in schema()["paths"].items()
        for method in operations
    }


def test_the_table_of_games_is_that_of_the_engine():
    rows = {row[0]: row for row in table_rows(DOCS / "games.md", "game")}

    assert set(rows) == {game.slug for game in GAMES.values()}
    for slug, game in GAMES.items():
        assert rows[slug][2] == f"{game.seats[0]} to {game.seats[-1]}"
        assert set(rows[slug][3].split(", ")) == set(game.house_bots())
    assert f"{len(BOARDS)} boards" in (DOCS / "games.md").read_text(encoding="utf-8")


def test_the_readme_is_short_and_its_first_screen_has_the_two_commands():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    first = "\n".join(lines[:25])

    assert len(lines) < 100
    assert "make run" in first
    assert "make test" in first
    assert "docs/ladle.png" in first


def test_every_page_has_one_title_and_is_listed_in_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for page in sorted(Path(DOCS).glob("*.md")):
        text = page.read_text(encoding="utf-8")
        outside = re.sub(r"(?ms)^```.*?^```", "", text)

        assert len(re.findall(r"(?m)^# ", outside)) == 1, page.name
        assert f"docs/{page.name}" in readme, page.name
