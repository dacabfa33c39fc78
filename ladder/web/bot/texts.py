"""A version's files as pages show them: coloured, and compared with another version's.

Strangers wrote them, so all of it is bounded: what takes too long is shown plainly, or not at all.
"""

from __future__ import annotations

import json
import sysconfig
from dataclasses import dataclass
from html import escape
from pathlib import PurePosixPath
from typing import Any

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

from sandbox.languages import STARTERS
from sandbox.languages.parsing import parsed
from sandbox.program import Program

LONGEST_SHOWN = 256 * 1024  # bytes of a file
MOST_SHOWN = 512 * 1024  # bytes of all files on a page
MOST_LINES = 2000  # of one file that has changed
BESIDE = {".json": "json", ".h": "c"}  # no language of bots
CHILD = """
sys.path[:0] = sys.argv[1:3]
from ladder.web.bot.colouring import main
main()
"""


@dataclass(frozen=True, slots=True)
class File:
    """A file of a version; `html` is empty where it has no text, or one that is too long."""

    name: str
    size: int
    html: SafeString


@dataclass(frozen=True, slots=True)
class Change:
    """What has become of a file; `lines` is empty where its texts could not be compared."""

    name: str
    what: str  # added, removed or changed
    before: int | None  # bytes
    after: int | None
    lines: list[tuple[str, str]]  # a kind and a text each
    left_out: int  # lines beyond those


def files(program: Program) -> list[File]:
    """A program's files, the one that is run first."""
    contents = _contents(program)
    names = sorted(contents, key=lambda name: (name != program.entry, name))
    readable = _readable({name: contents[name] for name in names})
    html = _apart("colour", [(lexer_of(name), text) for name, text in readable.items()])
    by_name = dict(zip(readable, html, strict=False)) | {
        name: escape(readable[name]) for name in list(readable)[len(html) :]
    }
    return [File(name, len(contents[name]), mark_safe(by_name.get(name, ""))) for name in names]


def lexer_of(name: str) -> str:
    """What colours a file, by its ending; empty for one that nothing here knows."""
    suffix = PurePosixPath(name).suffix.lower()
    starter = STARTERS.get(suffix)
    return starter.colours if starter else BESIDE.get(suffix, "")


def changes(old: Program, new: Program) -> list[Change]:
    """The files that differ, in the order of their names."""
    before, after = _contents(old), _contents(new)
    if not old.is_bundle and not new.is_bundle:  # one file each, whatever their names
        before = {new.filename: old.content}
    names = [n for n in sorted(before.keys() | after.keys()) if before.get(n) != after.get(n)]
    texts = [_readable({name: side.get(name, b"") for name in names}) for side in (before, after)]
    comparable = [name for name in names if all(name in side for side in texts)]
    lines = _apart("compare", [(texts[0][name], texts[1][name]) for name in comparable])
    by_name = dict(zip(comparable, lines, strict=False))
    return [
        _change(name, before.get(name), after.get(name), by_name.get(name, [])) for name in names
    ]


def _change(
    name: str, old: bytes | None, new: bytes | None, lines: list[tuple[str, str]]
) -> Change:
    what = "added" if old is None else "removed" if new is None else "changed"
    before, after = (None if content is None else len(content) for content in (old, new))
    shown = lines[:MOST_LINES]
    return Change(name, what, before, after, shown, len(lines) - len(shown))


def _contents(program: Program) -> dict[str, bytes]:
    return program.bundle.files if program.bundle else {program.filename: program.content}


def _readable(contents: dict[str, bytes]) -> dict[str, str]:
    """Those that are texts, as far as a page has room for them."""
    texts, left = {}, MOST_SHOWN
    for name, content in contents.items():
        if len(content) > min(LONGEST_SHOWN, left) or b"\0" in content:
            continue
        try:
            texts[name] = content.decode()
        except UnicodeDecodeError:
            continue
        left -= len(content)
    return texts


def _apart(act: str, pairs: list[tuple[str, str]]) -> list[Any]:
    """What a child makes of each pair; fewer where it ran out of time."""
    if not pairs:
        return []
    paths = (str(settings.BASE_DIR), sysconfig.get_path("purelib"))
    said = parsed(json.dumps(pairs).encode(), CHILD, *paths, act).stdout
    return [json.loads(line) for line in said.splitlines(True) if line.endswith(b"\n")]
