"""The languages a bot may be written in. One file each, found in this folder; whoever asks, asks
here."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Sequence
from importlib import import_module
from pathlib import PurePath

from sandbox.errors import SandboxError
from sandbox.languages.javascript import JAVASCRIPT
from sandbox.languages.language import Language
from sandbox.languages.python import PYTHON
from sandbox.languages.webassembly import WEBASSEMBLY

__all__ = ["JAVASCRIPT", "LANGUAGES", "PYTHON", "WEBASSEMBLY", "Language", "of_file"]


def _found() -> tuple[Language, ...]:
    """The oldest first, then those of other files by name."""
    modules = [import_module(f"{__name__}.{file.name}") for file in pkgutil.iter_modules(__path__)]
    every = {one for module in modules for one in vars(module).values() if type(one) is Language}
    oldest = (PYTHON, JAVASCRIPT, WEBASSEMBLY)
    return (*oldest, *sorted(every.difference(oldest), key=lambda language: language.name))


LANGUAGES = _found()
BY_SUFFIX = {language.suffix: language for language in LANGUAGES}
LARGEST = max(language.largest for language in LANGUAGES)  # bytes of any file
LARGEST_TEXT = max(language.largest for language in LANGUAGES if language.is_text)
STARTERS = {suffix: one for language in LANGUAGES for suffix, one in language.starters.items()}


def of_file(filename: str) -> Language:
    """The language a file name stands for; SandboxError names the known endings."""
    language = BY_SUFFIX.get(PurePath(filename).suffix.lower())
    if language is None:
        raise SandboxError(
            f"'{filename[:60]}' is not a bot's file: its name must end in {', '.join(BY_SUFFIX)}"
        )
    return language


def names() -> str:
    """The languages, as a sentence has them."""
    return any_of([language.name for language in LANGUAGES])


def any_of(words: Sequence[str]) -> str:
    """Some words, as a sentence has them."""
    *others, last = words
    return f"{', '.join(others)} or {last}"


def recognised(text: str) -> Language | None:
    """The language a script is plainly written in, or None when its lines could be another's."""
    texts = [language for language in LANGUAGES if language.signs]
    found = {one: len(re.findall(one.signs, text, re.MULTILINE)) for one in texts}
    likely, second = sorted(texts, key=lambda one: found[one], reverse=True)[:2]
    return likely if found[likely] > 0 and found[likely] >= 2 * found[second] else None
