"""The documentation as data: its pages, their fenced blocks, links and tables.

What a block's first line says after the language decides what a test does with it:

    console                 run in order in an empty folder; lines after a command are its output
    console root            the same, in the project's own folder
    console server          the same, with a live site, a token and a bot to talk about
    console not-run WHY     shown only; tests/docs/test_commands.py lists all of these
    pycon                   run by doctest
    LANGUAGE file=NAME      written to that file, for the commands that follow
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
PAGES += [ROOT / "ladder/kit/ladle/README.md"]
PAGES += sorted(DOCS.glob("*.md"))
READER = MarkdownIt("commonmark").enable("table")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block of a page."""

    language: str
    words: tuple[str, ...]
    text: str

    @property
    def file(self) -> str | None:
        """The name it is to be saved under, if any."""
        names = (word.removeprefix("file=") for word in self.words if word.startswith("file="))
        return next(names, None)


@dataclass(frozen=True, slots=True)
class Step:
    """A command and the lines the page shows below it."""

    command: str
    output: tuple[str, ...]


def blocks(page: Path) -> list[Block]:
    found = []
    for token in READER.parse(page.read_text(encoding="utf-8")):
        if token.type == "fence":
            language, *words = token.info.split() or [""]
            found.append(Block(language, tuple(words), token.content))
    return found


def steps(block: Block) -> list[Step]:
    """The commands of a console block; `> ` continues the line before."""
    found: list[tuple[str, list[str]]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.startswith("> ") and not found[-1][1]:
            found[-1] = (f"{found[-1][0]}\n{line[2:]}", [])
        elif line.strip():
            found[-1][1].append(line)
    return [Step(command, tuple(output)) for command, output in found]


def links(page: Path) -> list[str]:
    return [
        str(child.attrGet("href" if child.type == "link_open" else "src"))
        for token in READER.parse(page.read_text(encoding="utf-8"))
        for child in token.children or ()
        if child.type in ("link_open", "image")
    ]


def headings(page: Path) -> list[str]:
    tokens = READER.parse(page.read_text(encoding="utf-8"))
    return [tokens[i + 1].content for i, token in enumerate(tokens) if token.type == "heading_open"]


def code_words(page: Path) -> list[str]:
    """Everything that stands in backquotes in the running text."""
    return [
        child.content
        for token in READER.parse(page.read_text(encoding="utf-8"))
        for child in token.children or ()
        if child.type == "code_inline"
    ]


def table_rows(page: Path, first_heading: str) -> list[list[str]]:
    """The body of the tables whose first column has this heading, cells as plain text."""
    rows: list[list[str]] = []
    inside = False
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if not line.startswith("|"):
            inside = False
        elif cells[0] == first_heading:
            inside = True
        elif inside and not re.fullmatch(r"[-:| ]+", line):
            rows.append([cell.replace("`", "") for cell in cells])
    return rows
