"""What bots read, as types: each game's `shapes.py` has a `View` and one class per event.

A `View` is what `decide(view)` gets, so an editor completes its fields and shows what they mean.
The tables in the games' RULES.md are made from the same classes, by `make golden`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, TypedDict

from engine.game import Game


class SeatView(TypedDict):
    """What every view of a seat has, whatever the game."""

    game: str
    """the game's name, as in `ladle games`"""
    seats: int
    """how many seats there are"""
    seat: int
    """your seat, counted from 0"""
    options: dict[str, Any]
    """the rules in play, by name"""
    to_act: int | None
    """whose decision it is; null when the play is over"""
    kind: str
    """which decision is asked; empty when the play is over"""
    cpu_left_ms: int
    """the CPU time you have left in this play, this decision's included"""


Field = tuple[str, str, str]  # name, type, meaning


def fields(game: Game) -> list[Field]:
    """All fields of a view in order, those of parts as `served[].cards`."""
    classes = _classes(Path(__file__)) | _classes(game.folder / "shapes.py")
    return [*_own_fields(classes["SeatView"]), *_with_parts(classes["View"], classes, "")]


def events(game: Game) -> list[tuple[str, list[str], str]]:
    """All events: the name, its facts, and what happened."""
    found = []
    for node in _classes(game.folder / "shapes.py").values():
        facts = _own_fields(node)
        if facts and facts[0][0] == "event":
            name = ast.literal_eval(facts[0][1].removeprefix("Literal[").removesuffix("]"))
            words = (ast.get_docstring(node) or "").rstrip(".")
            found.append((name, [fact for fact, _, _ in facts[1:]], words))
    return found


def typed(game: Game) -> tuple[Any, Any]:
    """The game's `View` class and its union of events."""
    module = import_module(f"{type(game).__module__.rpartition('.')[0]}.shapes")
    return module.View, module.Event


def tables(game: Game) -> tuple[str, str]:
    """The tables of a view's fields and of the events, as RULES.md has them."""
    view = ["| field | type | meaning |", "|---|---|---|"]
    view += [f"| `{name}` | `{kind}` | {words} |" for name, kind, words in fields(game)]
    told = ["| event | facts |", "|---|---|"]
    for name, facts, words in events(game):
        listed = ", ".join(f"`{fact}`" for fact in facts)
        told.append(f"| `{name}` | {listed}: {words[:1].lower()}{words[1:]} |")
    return "\n".join(view), "\n".join(told)


def with_tables(rules: str, game: Game) -> str:
    """The text of RULES.md with its tables made again."""
    for table in tables(game):
        head = table.partition("\n")[0]
        old = re.findall(rf"(?m)^{re.escape(head)}\n(?:\|.*\n)+", rules)
        assert len(old) == 1, f"RULES.md of {game.slug} has {len(old)} tables {head}"
        rules = rules.replace(old[0], f"{table}\n")
    return rules


def _classes(path: Path) -> dict[str, ast.ClassDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def _own_fields(node: ast.ClassDef) -> list[Field]:
    """The annotated names of a class, each with the text below it."""
    found = []
    for at, line in enumerate(node.body):
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            words = ""
            for after in node.body[at + 1 : at + 2]:
                if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                    words = str(after.value.value)
            found.append((line.target.id, _in_words(line.annotation), words))
    return found


def _in_words(annotation: ast.expr) -> str:
    text = ast.unparse(annotation).replace("'", '"')
    text = re.sub(r"^NotRequired\[(.*)\]$", r"\1", text)
    return text.replace("None", "null").replace(" | ", " or ")


def _with_parts(
    node: ast.ClassDef, classes: dict[str, ast.ClassDef], before: str
) -> Iterator[Field]:
    for name, kind, words in _own_fields(node):
        part = next((one for one in re.findall(r"\w+", kind) if one in classes), None)
        shown = kind if part is None else kind.replace(part, "object")
        yield f"{before}{name}", shown, words
        if part is not None:
            dots = f"{before}{name}{'[]' if kind.startswith('list') else ''}."
            yield from _with_parts(classes[part], classes, dots)
