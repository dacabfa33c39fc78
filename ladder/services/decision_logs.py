"""What a bot printed in a match, kept as one text with a heading for each decision.

A bot can print such a heading itself; then it fools nobody but its author.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sandbox.player import Printed

HEADING = re.compile(r"^\[play (\d+), seat (\d+), (?:decision (\d+)|loading)\]$", re.MULTILINE)


def text(printed: Iterable[Printed]) -> str:
    """The text that is stored, play by play."""
    parts = []
    for one in sorted(printed):
        when = f"decision {one.decision}" if one.decision else "loading"
        data = one.text.replace("\x00", "�").rstrip("\n")
        parts.append(f"[play {one.play}, seat {one.seat}, {when}]\n{data}\n")
    return "\n".join(parts)


def printed(stored: str, *, play: int, seat: int) -> dict[int, str]:
    """By decision, counted from one: what a seat printed in a play. Loading is decision 0."""
    found: dict[int, str] = {}
    headings = list(HEADING.finditer(stored))
    for at, heading in enumerate(headings):
        end = headings[at + 1].start() if at + 1 < len(headings) else len(stored)
        if (int(heading[1]), int(heading[2])) == (play, seat):
            decision = int(heading[3] or 0)
            data = stored[heading.end() : end].strip("\n")
            found[decision] = "\n".join(filter(None, [found.get(decision), data]))
    return found
