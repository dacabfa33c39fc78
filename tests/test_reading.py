"""The read layer is closed: values leave `ladder/queries`, and nobody else knows the models."""

import ast
import inspect
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from django.db.models import Manager, Model, QuerySet

from ladder.contract import Value, examples

ROOT = Path(__file__).resolve().parent.parent
QUERIES = ROOT / "ladder" / "queries"
QUESTIONS = sorted(
    ".".join(path.relative_to(QUERIES).with_suffix("").parts) for path in QUERIES.rglob("[a-z]*.py")
)

BELOW = ("contract", "tournaments")  # tournaments are pure


def parts(kind: Any) -> set[Any]:
    """A type and all that it is made of."""
    return {kind}.union(*(parts(one) for one in get_args(kind)))


def open_questions(module: str) -> set[str]:
    found = import_module(f"ladder.queries.{module}")
    return {
        f"{module}.{name}"
        for name, function in inspect.getmembers(found, inspect.isfunction)
        if function.__module__ == found.__name__ and not name.startswith("_")
        for kind in parts(get_type_hints(function).get("return", Any))
        if kind is Any or (isinstance(kind, type) and issubclass(kind, (Model, QuerySet, Manager)))
    }


def imports_models(path: Path) -> bool:
    return any(
        (node.module or "").startswith("ladder.models")
        or (node.module == "ladder" and any(alias.name == "models" for alias in node.names))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
    )


def test_all_questions_are_looked_at():
    assert {"ladders", "remote.people", "analyses.puzzles"} <= set(QUESTIONS)


@pytest.mark.parametrize("module", QUESTIONS)
def test_a_question_returns_values(module):
    assert open_questions(module) == set()


def sentences(path: Path) -> set[str]:
    """The texts of a file, docstrings aside, with a line of several words that ends like one."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    notes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes
        for line in node.value.splitlines()
        if " " in line.strip() and line.rstrip().endswith((".", "!", "?"))
    }


def makes_addresses(path: Path) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(
        (isinstance(node, ast.ImportFrom) and node.module in ("django.urls", "django.shortcuts"))
        or (isinstance(node, ast.Import) and any("django.urls" in name.name for name in node.names))
        or (isinstance(node, ast.Attribute) and node.attr in ("reverse_lazy", "get_absolute_url"))
        for node in ast.walk(tree)
    )


def test_no_sentence_leaves_the_read_layer():
    found = {str(path.relative_to(QUERIES)): sentences(path) for path in QUERIES.rglob("*.py")}

    assert {name: texts for name, texts in found.items() if texts} == {}
    shown = ROOT / "ladder" / "services" / "quotas.py"
    assert "You have reached the limit of {count} bots. Retire one first." in sentences(shown)


def test_no_address_leaves_the_read_layer():
    assert [path for path in QUERIES.rglob("*.py") if makes_addresses(path)] == []
    assert makes_addresses(ROOT / "ladder" / "services" / "events" / "shown.py")


def test_pages_and_api_import_no_models():
    files = [path for room in ("web", "api") for path in (ROOT / "ladder" / room).rglob("*.py")]

    found = {str(path.relative_to(ROOT / "ladder")) for path in files if imports_models(path)}

    assert found == set()


def test_every_value_of_the_contract_is_frozen_and_shows_an_example_where_it_is_answered():
    paths = (ROOT / "ladder" / "contract").rglob("[a-z]*.py")
    modules = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths]
    values = [
        value
        for module in modules
        for _, value in inspect.getmembers(import_module(module))
        if inspect.isclass(value) and issubclass(value, Value) and value is not Value
    ]

    assert len(values) > 10
    for value in values:
        assert value.__struct_config__.frozen, value
    by_name = {value.__name__: value for value in values}
    for name, shown in examples().items():
        assert msgspec.to_builtins(msgspec.convert(shown, by_name[name])) == shown


def test_the_contract_knows_neither_django_nor_the_rooms_above_it():
    for path in (ROOT / "ladder" / "contract").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                top = (node.module or "").split(".")
                assert top[0] != "django" and (top[0] != "ladder" or top[1] in BELOW), path
