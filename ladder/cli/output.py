"""What the command prints: tables for people, JSON for programs, one sentence for a mistake."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

LOG_LINES = 20
FAULT = 3  # the exit code when one of the user's bots failed


def console() -> Console:
    """Where tables go."""
    from rich.console import Console

    return Console(highlight=False)


def notes() -> Console:
    """Where progress and warnings go: stderr, so that what is piped stays clean."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def table(*columns: str, right: tuple[str, ...] = ()) -> Table:
    """An empty table; the columns named in `right` hold numbers."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    made = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return made


def show_json(value: Any) -> None:
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


def complain(sentence: str) -> None:
    """Say what is wrong, on one line."""
    sys.stderr.write(f"ladle: {printable(' '.join(sentence.split()))}\n")


def printable(words: str) -> str:
    """Words that may be a stranger's, without what could move the cursor."""
    return "".join(c if c.isprintable() or c == "\n" else " " for c in words)


def plain(words: str) -> Text:
    """Words that may be a bot's, without markup and without what could move the cursor."""
    from rich.text import Text

    return Text(printable(words))


def tail(text: str) -> str:
    """The last lines of a long text."""
    lines = text.splitlines()
    return "\n".join(["...", *lines[-LOG_LINES:]] if len(lines) > LOG_LINES else lines)


def indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def plural(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def ordinal(place: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{'th' if place % 100 in (11, 12, 13) else ending}"


def cpu_time(microseconds: float) -> str:
    if microseconds < 1000:
        return f"{microseconds:.0f} µs"
    return f"{microseconds / 1000:,.1f} ms"
