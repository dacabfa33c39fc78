"""Sentences that people read avoid the turns that native readers stumbled over."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

PATTERNS = {
    r"\bone's\b": "say your, the author's or the bot's",
    r"\bso many\b": "give the number, or say 'this number of'",
    r"\bmend(s|ed|ing)?\b": "say fix",
    r"\b(for|by) who\b": "name them: 'for readers who'",
    r"\bwho one is\b": "say the current user",
    r"is nothing that": "say what is allowed: 'Unknown field'",
    r"\bcomes? true\b": "say what is accurate",
    r"\btells? of itself\b|\btold of itself\b": "say reports",
    r"\bits kin\b": "say its parent",
    r"\bcame to nothing\b": "say failed",
    r"\bnobody may have more\b": "say 'You have reached the limit of'",
}
# The API's summaries and the command's help are made from docstrings.
SHOWN_DOCSTRINGS = ("ladder/api/v1/views", "ladder/cli")


def pages() -> Iterator[tuple[str, str]]:
    for pattern in ("README.md", "CONTRIBUTING.md", "docs/*.md", "*/DECISIONS.md"):
        yield from ((str(p.relative_to(ROOT)), p.read_text("utf-8")) for p in ROOT.glob(pattern))
    for pattern in ("engine/games/*/RULES.md", "templates/**/*.html", "templates/**/*.txt"):
        yield from ((str(p.relative_to(ROOT)), p.read_text("utf-8")) for p in ROOT.glob(pattern))


def strings() -> Iterator[tuple[str, str]]:
    """Texts in the product's Python, without docstrings that only developers read."""
    for room in ("engine", "sandbox", "ladder"):
        for path in sorted((ROOT / room).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            if "/tests/" not in name and "/migrations/" not in name:
                yield from ((name, text) for text in _strings(path, name))


def _strings(path: Path, name: str) -> Iterator[str]:
    tree = ast.parse(path.read_text("utf-8"))
    hidden = set()
    if not name.startswith(SHOWN_DOCSTRINGS):
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
                hidden.add(id(body[0].value))
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in hidden
        ):
            yield node.value


@cache
def sentences() -> list[tuple[str, str]]:
    return [*pages(), *strings()]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_no_sentence_has_a_turn_that_readers_stumble_over(pattern):
    turn = re.compile(pattern, re.IGNORECASE)
    texts = sentences()
    assert len(texts) > 1000  # it looks where the sentences are

    found = [
        f"{name}: …{text[max(0, at.start() - 40) : at.end() + 40]!r}"
        for name, text in texts
        for at in turn.finditer(text)
    ]

    assert found == [], f"{PATTERNS[pattern]}: {found[:5]}"
