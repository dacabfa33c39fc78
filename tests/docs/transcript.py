"""Records what a bot and the referee say to each other, for docs/wire.md.

`python -m tests.docs.transcript` writes the session in that page anew.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from engine.games import GAMES
from engine.match import Fault, play
from sandbox.languages import Language
from sandbox.plain import Plain
from sandbox.player import JailedPlayer
from sandbox.process import BotProcess
from sandbox.program import script
from tests.docs.pages import DOCS, Block, blocks

PAGE = DOCS / "wire.md"
SOURCE = 'def decide(view):\n    return view["legal"][0]\n'
TO_BOT, FROM_BOT = "-> ", "<- "
CUT = "..."
FOLD = "\n   "
SHOWN_FIRST, SHOWN_LAST = 8, 3

WIDTH = 93

Line = tuple[str, str]  # the way, and the text on the wire, byte for byte


class Overheard(BotProcess):
    """A real process whose lines are written down."""

    def __init__(self, *words: Any, **options: Any) -> None:
        super().__init__(*words, **options)
        self.lines: list[Line] = []

    def tell(self, line: bytes) -> bool:
        self.lines.append((TO_BOT, line.decode().removesuffix("\n")))
        return super().tell(line)

    def ask(self, line: bytes, **limits: Any) -> bytes | Fault:
        answer = super().ask(line, **limits)
        assert not isinstance(answer, Fault), answer
        self.lines.append((FROM_BOT, answer.decode()))
        return answer


class Listening(Plain):
    """Hands out processes that are overheard."""

    def __init__(self) -> None:
        self.processes: list[Overheard] = []

    def take(
        self,
        language: Language,
        *,
        memory_mb: int,
        modules: tuple[str, ...] = (),
        folder: Path | None = None,
    ) -> BotProcess:
        process = super().take(language, memory_mb=memory_mb)
        self.processes.append(Overheard(process._spawned, language))
        return self.processes[-1]


def record() -> list[Line]:
    """A whole play of Ramen! Ramen! alone on seed 1, as its one bot lives it."""
    pool = Listening()
    with ExitStack() as stack:
        bot = stack.enter_context(JailedPlayer(script(SOURCE, "bot.py"), pool=pool))
        play(GAMES["ramen_ramen"], [bot], seed=1)
    return pool.processes[0].lines


def settled(lines: list[Line]) -> list[Line]:
    """The lines with what differs from run to run made equal: ids and CPU time."""
    ids: dict[str, str] = {}

    def number(id: re.Match[str]) -> str:
        return ids.setdefault(id[0], f'"id":{len(ids)}')

    found = []
    for way, text in lines:
        text = re.sub(r'"id":"[0-9a-f]{16}"', number, text)
        found.append((way, re.sub(r'"cpu_left_ms":\d+', '"cpu_left_ms":0', text)))
    return found


def shown() -> tuple[list[Line], list[Line]]:
    """The session in the page: what stands before the cut, and what stands after it."""
    parts: list[list[Line]] = [[]]
    text = session().text.replace(FOLD, "")
    for line in text.splitlines():
        if line.startswith(CUT):
            parts.append([])
        else:
            parts[-1].append((line[:3], line[3:]))
    before, after = parts
    return before, after


def session() -> Block:
    return next(block for block in blocks(PAGE) if block.language == "wire")


def write() -> None:
    lines = record()
    first, last = lines[:SHOWN_FIRST], lines[-SHOWN_LAST:]
    skipped = len(lines) - len(first) - len(last)
    text = "\n".join([*map(_text, first), f"{CUT} {skipped} lines later:", *map(_text, last)])
    old = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(old.replace(session().text, text + "\n"), encoding="utf-8")


def _text(line: Line) -> str:
    """A line folded after commas, so that it can be put together again exactly."""
    way, text = line
    parts = []
    while text:
        end = len(text) if len(text) <= WIDTH else text.rfind(",", 0, WIDTH) + 1 or WIDTH
        parts.append(text[:end])
        text = text[end:]
    return way + FOLD.join(parts)


if __name__ == "__main__":
    write()
