"""Colours and compares texts in a process of its own, under limits; see ladder/web/bot/texts.py.

Strangers wrote them, and a lexer can be made to take minutes over a few kilobytes of line ends.
"""

from __future__ import annotations

import json
import resource
import sys
from difflib import unified_diff
from html import escape

from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers import get_lexer_by_name

CPU_SECONDS = 1
MEMORY = 2**29
CONTEXT = 3  # lines around a change
KINDS = {"+": "added", "-": "removed", "@": "hunk", " ": "same"}


def coloured(lexer: str, text: str) -> str:
    """HTML with Pygments' short classes; without the name of a lexer the text alone."""
    if not lexer:
        return escape(text)
    formatter = HtmlFormatter(nowrap=True)
    return str(highlight(text, get_lexer_by_name(lexer, stripnl=False, ensurenl=False), formatter))


def compared(old: str, new: str) -> list[tuple[str, str]]:
    """The lines that differ and some around them, each with its kind."""
    lines = unified_diff(old.splitlines(), new.splitlines(), n=CONTEXT, lineterm="")
    return [(KINDS[line[0]], line) for number, line in enumerate(lines) if number >= 2]


def main() -> None:
    """A list of pairs comes in; a line of JSON goes out for each, as long as there is time."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    act = {"colour": coloured, "compare": compared}[sys.argv[-1]]
    for pair in json.load(sys.stdin):
        sys.stdout.write(json.dumps(act(*pair)) + "\n")
        sys.stdout.flush()
