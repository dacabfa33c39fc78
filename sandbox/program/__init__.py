"""What an author hands in, as it is stored and played."""

from __future__ import annotations

import hashlib
import re
import sys
from base64 import b64encode
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import PurePath
from typing import Any

from engine.game import Limits
from engine.games import GAMES
from sandbox.languages import BY_SUFFIX, PYTHON, Language, any_of, of_file
from sandbox.languages import LARGEST as LARGEST_FILE
from sandbox.program import bundle
from sandbox.program.bundle import BadBundle, Bundle

SUFFIX = ".zip"  # of a bundle
ESSENCE = "1:"  # begins a hash of what matters of a program, as it is found today
# What takes long to load. A fork copies all that was loaded before it, so this is loaded ahead only
# for bots that import some of it: of the first group all, as one leads to the others.
LARGE = [
    ("copy", "dataclasses", "enum", "json", "re", "string", "traceback", "typing"),
    tuple(f"engine.games.{slug}" for slug in GAMES),
    ("numpy",),
]
NOT_OF_THE_LIBRARY = ("engine", "numpy", "sandbox")  # modules that a jail has besides
LOOKED_THROUGH = 2**20  # bytes: the worker does this itself, for whatever a stranger sends


@dataclass(frozen=True)
class Program:
    """A bot's file, whose name shows its language; or a bundle of them, an archive by its name."""

    filename: str
    content: bytes

    def __getstate__(self) -> dict[str, Any]:
        """What another process needs; it finds out the rest by itself."""
        return {"filename": self.filename, "content": self.content}

    @property
    def is_bundle(self) -> bool:
        return self.filename.lower().endswith(SUFFIX)

    @property
    def bundle(self) -> Bundle | None:
        """Its files; BadBundle where it is one that cannot be."""
        return bundle.read(self.content) if self.is_bundle else None

    @cached_property
    def entry(self) -> str:
        """The name of the file that is run."""
        return self.bundle.entry if self.bundle else self.filename

    @property
    def main(self) -> bytes:
        """The content of the file that is run."""
        return self.bundle.files[self.bundle.entry] if self.bundle else self.content

    @cached_property
    def language(self) -> Language:
        return of_file(self.entry)

    @property
    def is_text(self) -> bool:
        """Whether what is stored can be read as it is."""
        return self.language.is_text and not self.is_bundle

    @cached_property
    def sha256(self) -> str:
        """Of a bundle by its files, however it is packed; of one that cannot be, by its bytes."""
        try:
            found = self.bundle
        except BadBundle:
            found = None
        return found.sha256 if found else hashlib.sha256(self.content).hexdigest()

    @cached_property
    def essence(self) -> str:
        """A hash that programs share if they play alike: of a bundle by its files."""
        if self.is_bundle:
            return f"{ESSENCE}{self.sha256}"
        found = self.language.slug.encode() + b"\0" + self.language.essence(self.content)
        return f"{ESSENCE}{hashlib.sha256(found).hexdigest()}"

    @cached_property
    def on_the_wire(self) -> str:
        """The file that is run as a text: itself, or in Base64 where it is none."""
        if self.language.is_text:
            return self.main.decode()
        return b64encode(self.main).decode()

    @cached_property
    def modules(self) -> tuple[str, ...]:
        """What to load before it is forked: its language's, and the large things it imports."""
        if self.language is not PYTHON:
            return self.language.modules
        files = {self.entry: self.main} | (self.bundle.files if self.bundle else {})
        texts = [text for name, text in files.items() if name.lower().endswith(".py")]
        text = b"\n".join(texts)[:LOOKED_THROUGH]
        found = [group for group in LARGE if _imports(group).search(text)]
        return (*self.language.modules, *(module for group in found for module in group))


@cache
def _imports(modules: tuple[str, ...]) -> re.Pattern[bytes]:
    """Finds a line that imports one of them; it may also find what only looks like one."""
    names = "|".join(sorted({module.partition(".")[0] for module in modules}))
    before = r"(?:[\w.]+[ \t]*(?:as[ \t]+\w+[ \t]*)?,[ \t]*){0,8}"
    return re.compile(rf"\b(?:import[ \t]+{before}|from[ \t]+)(?:{names})\b".encode())


def script(text: str, filename: str = "bot.py") -> Program:
    """A program of one text."""
    return Program(filename, text.encode(errors="surrogatepass"))


def largest(limits: Limits) -> int:
    """Bytes of whatever may be handed in for a game with these limits."""
    return max(LARGEST_FILE, min(limits.bundle_bytes, bundle.LARGEST))


def is_too_large(program: Program, limits: Limits) -> bool:
    if program.is_bundle:
        return len(program.content) > limits.bundle_bytes
    language = BY_SUFFIX.get(PurePath(program.filename).suffix.lower())
    return language is not None and len(program.content) > language.largest


def problem_with(program: Program, limits: Limits) -> str:
    """Why what was handed in cannot be a bot for a game with these limits, whatever it does.

    Empty when it can. Every door asks here: the form, the API, the command and the gate.
    """
    if not program.is_bundle:
        return _unreadable_file(program.filename, program.content, what="the file")
    try:
        bundle.judged(program.content, limits)
        files = bundle.read(program.content)
        bundle.refuse_native_code(files)
    except BadBundle as error:
        return str(error)
    return _unreadable_file(files.entry, files.files[files.entry], what=f"'{files.entry}'")


def doubts(program: Program) -> str:
    """What may not work as its author expects, in a sentence; empty for most programs.

    Modules of the jail are loaded before a bundle's folder is looked through, and which of them
    are depends on what a bot imports.
    """
    if program.language is not PYTHON or not program.bundle:
        return ""
    known = {*sys.stdlib_module_names, *NOT_OF_THE_LIBRARY}
    names = {name: PurePath(name).parts[0].removesuffix(".py") for name in program.bundle.files}
    hidden = {
        f"'{name}'": module
        for name, module in names.items()
        if name.endswith(".py") and module in known
    }
    if not hidden:
        return ""
    imports = " or ".join(f"`import {module}`" for module in dict.fromkeys(hidden.values()))
    return (
        f"warning: {imports} may find another module than {' and '.join(hidden)},"
        " as the jail has its own: rename it"
    )


def _unreadable_file(name: str, content: bytes, what: str) -> str:
    language = BY_SUFFIX.get(PurePath(name).suffix.lower())
    if language is None:
        known = any_of((*BY_SUFFIX, SUFFIX))
        return f"a bot's file name ends in {known}, and '{name[:60]}' does not"
    if len(content) > language.largest:
        return f"{what} has {len(content):,} bytes; the most is {language.largest:,}"
    if not content.strip():
        return f"{what} is empty"
    if not language.is_text:
        return language.syntax_error(content)
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return f"{what} is not UTF-8 text: line {line} is not"
    return f"{what} holds a NUL character" if "\0" in text else ""
