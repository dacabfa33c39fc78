"""Arrows point one way: ladder -> sandbox -> engine -> standard library."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
STANDARD = set(sys.stdlib_module_names) | {"__future__"}
ALLOWED = {
    "engine": STANDARD | {"engine"},
    "sandbox": STANDARD | {"engine", "sandbox", "msgspec", "wasmtime"},
    "ladder/ratings": STANDARD | {"numpy", "ladder.ratings"},
    "ladder/tournaments": STANDARD
    | {"networkx", "numpy", "engine.results", "ladder.ratings", "ladder.tournaments"},
}


def imports(path: Path) -> set[str]:
    """The modules a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found.add(node.module)
    return found


def is_allowed(module: str, allowed: set[str]) -> bool:
    parts = module.split(".")
    return any(".".join(parts[:length]) in allowed for length in range(1, len(parts) + 1))


def product_files(folder: str) -> list[Path]:
    return [p for p in sorted((ROOT / folder).rglob("*.py")) if "tests" not in p.parts]


@pytest.mark.parametrize("folder", ALLOWED)
def test_a_package_imports_only_what_lies_below_it(folder):
    for path in product_files(folder):
        strangers = {m for m in imports(path) if not is_allowed(m, ALLOWED[folder])}
        assert not strangers, f"{path.relative_to(ROOT)} imports {strangers}"


def test_a_game_imports_no_other_game():
    for path in product_files("engine/games"):
        own = path.relative_to(ROOT / "engine" / "games").parts[0]
        for module in imports(path):
            if module.startswith("engine.games.") and own != "__init__.py":
                assert module.split(".")[2] == own, f"{path} imports {module}"


# What `pip install ladle` brings, and what it may lean on: its declared packages.
KIT = ("cli", "client", "contract", "kit", "ratings", "theatre", "tournaments")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize("room", KIT)
def test_the_kit_imports_only_itself_and_its_declared_packages(room):
    allowed = STANDARD | {"engine", "sandbox", "ladle"}
    allowed |= {re.split("[<>=]", package)[0] for package in PROJECT["dependencies"]}
    allowed |= {f"ladder.{room}" for room in KIT}
    learning = {*PROJECT["optional-dependencies"]["rl"], "pyspiel"}
    extras = {"rl": learning, "examples": learning}
    extras["data"] = set(PROJECT["optional-dependencies"]["data"])
    extras["agents"] = set(PROJECT["optional-dependencies"]["mcp"])
    assert product_files(f"ladder/{room}")
    for path in product_files(f"ladder/{room}"):
        may = allowed.union(*(extras[part] for part in path.parts if part in extras))
        strangers = {m for m in imports(path) if not is_allowed(m, may)}
        assert not strangers, f"{path.relative_to(ROOT)} imports {strangers}"


# A room may not import the rooms above it.
ABOVE = {
    "ladder/models": (
        "ladder.operation",
        "ladder.services",
        "ladder.queries",
        "ladder.jobs",
        "ladder.web",
        "ladder.api",
    ),
    "ladder/queries": (
        "ladder.operation",
        "ladder.services",
        "ladder.jobs",
        "ladder.web",
        "ladder.api",
    ),
    "ladder/operation": ("ladder.services", "ladder.jobs", "ladder.web", "ladder.api"),
    "ladder/services": ("ladder.jobs", "ladder.web", "ladder.api"),
    "ladder/jobs": ("ladder.web", "ladder.api"),
    "ladder/web": ("ladder.api",),
}


@pytest.mark.parametrize("folder", ABOVE)
def test_a_room_imports_none_above_it(folder):
    assert product_files(folder)
    for path in product_files(folder):
        above = {m for m in imports(path) if is_allowed(m, set(ABOVE[folder]))}
        assert not above, f"{path.relative_to(ROOT)} imports {above}"


# What makes another question of one: that is for ladder/queries to ask.
NARROWING = (".filter(", ".exclude(", ".order_by(", ".annotate(", ".alias(", ".values_list(")
NARROWING += (".select_related(", ".prefetch_related(", ".defer(", ".in_bulk(", ".exists()")


@pytest.mark.parametrize("folder", ["ladder/web", "ladder/api", "ladder/templatetags"])
def test_pages_and_api_ask_the_database_nothing_themselves(folder):
    for path in product_files(folder):
        text = path.read_text(encoding="utf-8")
        for word in (".objects", ".all_objects", ".cursor()", ".raw(", "RawSQL", *NARROWING):
            assert word not in text, f"{path.relative_to(ROOT)} has {word}"


def test_folders_stay_small_enough_to_look_through():
    for top in ("engine", "sandbox", "ladder", "templates", "tests", "docs"):
        for folder in [ROOT / top, *(p for p in (ROOT / top).rglob("*") if p.is_dir())]:
            if {"__pycache__", "golden", "hostile", "corpus", "migrations"} & set(folder.parts):
                continue
            files = [p for p in folder.iterdir() if p.is_file()]
            assert len(files) <= 25, f"{folder.relative_to(ROOT)} has {len(files)} files"
    assert len(list((ROOT / "ladder").glob("*.py"))) <= 10


def test_every_route_has_a_name_of_its_own():
    from django.urls import URLPattern, get_resolver

    def routes(patterns: list[Any]) -> Iterator[URLPattern]:
        for one in patterns:
            if isinstance(one, URLPattern):
                yield one
            elif one.app_name != "admin":
                yield from routes(one.url_patterns)

    names = [route.name for route in routes(get_resolver().url_patterns)]

    assert None not in names
    assert len(names) == len(set(names))


def test_templates_name_their_addresses():
    literal = re.compile(r"""(?:href|action|hx-get|hx-post)=["']/""")

    found = [
        f"{path.relative_to(ROOT)}: {line.strip()[:80]}"
        for path in (ROOT / "templates").rglob("*.html")
        for line in path.read_text().splitlines()
        if literal.search(line)
    ]

    assert found == []
