"""Arrows point one way: ladder -> sandbox -> engine -> standard library."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import pytest
from django.db.models import QuerySet

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


LADDER = ROOT / "ladder"
ROOMS = sorted(
    path.stem
    for path in LADDER.iterdir()
    if (path.is_dir() and any(path.rglob("*.py"))) or path.suffix == ".py"
)
# Settings name what the site is made of, so everything hangs together there.
ROOMS = [room for room in ROOMS if room not in ("__init__", "settings")]
COMMAND = LADDER / "kit" / "ladle" / "__main__.py"  # the command as the wheel installs it
# A room may not import the rooms above it.
ORDER = ("models", "queries", "operation", "services", "jobs", "stream", "web", "api")


def named_modules(path: Path) -> set[str]:
    """The modules that a file imports or, as `include("ladder.api.v1.urls")` does, names."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    named = {text for text in texts if isinstance(text, str) and text.startswith("ladder.")}
    top = {
        f"ladder.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "ladder"
        for alias in node.names
    }
    return imports(path) | top | {name for name in named if re.fullmatch(r"[\w.:]+", name)}


def rooms_below(room: str) -> set[str]:
    """The other rooms whose modules this one imports or names."""
    alone = LADDER / f"{room}.py"
    files = {alone} if alone.exists() else set(product_files(f"ladder/{room}")) - {COMMAND}
    found = set()
    for path in files | ({COMMAND} if room == "cli" else set()):
        for module in named_modules(path):
            top, _, rest = module.partition(".")
            found.add({"ladle": "kit", "ladder": rest.partition(".")[0]}.get(top, ""))
    return found & set(ROOMS) - {room}


def cycle(below: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(below).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_room_of_the_ladder_leads_back_to_itself():
    assert {"api", "stream", "cli", "admin", "jobs", "kit", "replays", "urls"} <= set(ROOMS)
    below = {room: rooms_below(room) for room in ROOMS}
    assert below["cli"] >= {"kit", "client"} and below["urls"] >= {"web", "api"}

    assert cycle(below) == []
    assert cycle(below | {"contract": {"models"}}), "a cycle would be seen"


@pytest.mark.parametrize("room", ORDER)
def test_a_room_imports_none_above_it(room):
    above = {*ORDER[ORDER.index(room) + 1 :], "admin", "urls"} - (
        {"web"} if room == "api" else set()
    )

    assert rooms_below(room) & above == set()


def test_the_read_layer_stands_on_values_and_rows_alone():
    assert rooms_below("queries") <= {"boards", "contract", "models", "ratings", "tournaments"}


# What a query set has and no list, dictionary, text or path: whoever calls it asks a question.
NARROWING = {
    name
    for name in dir(QuerySet)
    if not name.startswith("_")
    and not any(hasattr(kind, name) for kind in (list, dict, str, set, Path))
} - {"first", "last", "all", "create", "delete", "save", "raw", "get_or_create", "latest", "db"}
MANAGERS = {"objects", "all_objects", "_default_manager", "_base_manager"}


@pytest.mark.parametrize("room", ["web", "api", "templatetags", "stream"])
def test_pages_and_api_ask_the_database_nothing_themselves(room):
    assert {"filter", "exclude", "order_by", "annotate", "values_list", "in_bulk"} <= NARROWING
    for path in product_files(f"ladder/{room}"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert not used & MANAGERS, f"{path.relative_to(ROOT)} uses {used & MANAGERS}"
        called = {
            node.func.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            if ast.unparse(node.func.value) != "register"  # a template's filter
        }
        assert not called & NARROWING, f"{path.relative_to(ROOT)} calls {called & NARROWING}"
        assert not imports(path) & {"django.db.models", "django.apps"}, path


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
