"""What an author hands in, as it is stored and played."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from dataclasses import dataclass
from pathlib import PurePath

from sandbox.languages import BY_SUFFIX, PYTHON, Language, endings, of_file


@dataclass(frozen=True, slots=True)
class Program:
    """A bot's file: its name, which tells its language, and its content."""

    filename: str
    content: bytes

    @property
    def language(self) -> Language:
        return of_file(self.filename)

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def on_the_wire(self) -> str:
        """The content as a text: itself, or in Base64 where it is none."""
        if self.language.is_text:
            return self.content.decode()
        return b64encode(self.content).decode()

    @property
    def modules(self) -> tuple[str, ...]:
        """What to load before it is forked: its language's, and what it seems to need of numpy."""
        numpy = ("numpy",) if self.language is PYTHON and b"numpy" in self.content else ()
        return self.language.modules + numpy


def script(text: str, filename: str = "bot.py") -> Program:
    """A program of one text."""
    return Program(filename, text.encode(errors="surrogatepass"))


def is_too_large(program: Program) -> bool:
    language = BY_SUFFIX.get(PurePath(program.filename).suffix.lower())
    return language is not None and len(program.content) > language.largest


def unreadable(program: Program) -> str:
    """Why a file cannot be a bot, whatever is in it; empty when it can.

    Every door asks here: the form, the API, the command and the gate.
    """
    language = BY_SUFFIX.get(PurePath(program.filename).suffix.lower())
    if language is None:
        return f"a bot's file name ends in {endings()}, and '{program.filename[:60]}' does not"
    if is_too_large(program):
        size, most = len(program.content), language.largest
        return f"the file has {size:,} bytes; the most is {most:,}"
    if not program.content.strip():
        return "the file is empty"
    if not language.is_text:
        return language.slip(program.content)
    try:
        text = program.content.decode()
    except UnicodeDecodeError as error:
        line = program.content.count(b"\n", 0, error.start) + 1
        return f"the file is not UTF-8 text: line {line} is not"
    return "the file holds a NUL character" if "\0" in text else ""
