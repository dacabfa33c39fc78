"""Arrows point one way: ladder -> sandbox -> engine -> standard library."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
STANDARD = set(sys.stdlib_module_names) | {"__future__"}
ALLOWED = {
    "engine": STANDARD | {"engine"},
    "sandbox": STANDARD | {"engine", "sandbox", "msgspec"},
    "ladder/ratings": STANDARD | {"numpy", "ladder.ratings"},
    "ladder/tournaments": STANDARD | {"networkx", "numpy", "ladder.ratings", "ladder.tournaments"},
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


def test_the_command_line_needs_no_django():
    for path in [*product_files("ladder/cli"), ROOT / "ladder" / "client.py"]:
        if path.exists():
            for module in imports(path):
                assert module.partition(".")[0] not in {"django", "rest_framework", "celery"}, path


def test_services_do_not_import_tasks_or_views():
    for path in product_files("ladder/services"):
        for module in imports(path):
            assert not module.startswith(("ladder.tasks", "ladder.views", "ladder.api"))
