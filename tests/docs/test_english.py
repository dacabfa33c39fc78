"""Pages, messages, docstrings and comments avoid the turns that native readers stumbled over."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache

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
    r"\b(tells?|told) of\b": "say reports, describes or shows",
    r"\bkin\b": "say parent, or versions of the same bot",
    r"\banew\b": "say again, or rebuild, redraw, restart",
    r"\bat fault\b": "say failed, or name the fault",
    r"\b(comes?|came) across\b": "say find, see or meet",
    r"\bcame to nothing\b": "say failed",
    r"\bnobody may have more\b": "say 'You have reached the limit of'",
}
# Strings of JavaScript; comments come first, so that a quotation mark in one opens nothing.
SCRIPT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|`(?:\\.|[^`\\])*`", re.DOTALL)


def pages() -> Iterator[tuple[str, str]]:
    for pattern in ("*.md", "docs/*.md", "*/DECISIONS.md", "engine/games/*/RULES.md"):
        yield from ((str(p.relative_to(ROOT)), p.read_text("utf-8")) for p in ROOT.glob(pattern))
    for pattern in ("templates/**/*.html", "templates/**/*.txt"):
        yield from ((str(p.relative_to(ROOT)), p.read_text("utf-8")) for p in ROOT.glob(pattern))


def scripts() -> Iterator[tuple[str, str]]:
    """Texts in the browser's scripts, without comments."""
    for pattern in ("ladder/static/**/*.js", "engine/games/*/static/**/*.js"):
        for path in sorted(ROOT.glob(pattern)):
            name = str(path.relative_to(ROOT))
            found = SCRIPT.findall(path.read_text("utf-8"))
            yield from ((name, text) for text in found if not text.startswith("/"))


def code() -> Iterator[tuple[str, str]]:
    """Strings, docstrings and comments of the product's Python."""
    for room in ("engine", "sandbox", "ladder"):
        for path in sorted((ROOT / room).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            if "/tests/" not in name and "/migrations/" not in name:
                source = path.read_text("utf-8")
                yield from ((name, text) for text in _strings(source))
                yield from ((name, text) for text in _comments(source))


def _strings(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _comments(source: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


@cache
def sentences() -> list[tuple[str, str]]:
    return [*pages(), *code(), *scripts()]


def test_every_place_with_sentences_is_read():
    read = {name for name, _ in sentences()}
    texts = {text for _, text in sentences()}
    written = {text for _, text in scripts()}

    assert {"CHANGELOG.md", "SKILL.md", "README.md", "docs/first-bot.md"} <= read
    assert '"Create a new table"' in written
    assert "Resume a paused tournament." in texts  # a view's docstring
    assert (
        "# one failure is enough to fix; the next steps would only repeat it" in texts
    )  # a comment
    assert not any(text.startswith("//") for text in written)


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
