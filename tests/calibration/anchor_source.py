"""What a measurement of anchors rests on: the command, the bots, the rules."""

from __future__ import annotations

import hashlib
import io
import tokenize
from pathlib import Path
from typing import Any

from engine.game import Game

PLAYED_BY = ("house_play.py",)  # what decides who meets whom on which seeds
SKIPPED = {tokenize.COMMENT, tokenize.NL, tokenize.ENCODING}
BLOCKS = {tokenize.INDENT: "begin", tokenize.DEDENT: "end"}


def origin(game: Game) -> dict[str, Any]:
    """Hashes of the command and of the game's bots, and the version of the rules."""
    folder = Path(__file__).parent
    return {
        "command": digest(*(folder / name for name in PLAYED_BY)),
        "bots": {name: digest(path) for name, path in game.house_bots().items()},
        "rules_version": game.rules_version,
    }


def digest(*paths: Path) -> str:
    """A hash of programs that comments, docstrings and line breaks do not change."""
    told = hashlib.sha256()
    for path in paths:
        text = path.read_text(encoding="utf-8")
        told.update((_tokens(text) if path.suffix == ".py" else text).encode())
    return told.hexdigest()[:16]


def _tokens(text: str) -> str:
    tokens = [
        one
        for one in tokenize.generate_tokens(io.StringIO(text).readline)
        if one.type not in SKIPPED
    ]
    kept: list[str] = []
    starts_line = True
    for one, after in zip(tokens, [*tokens[1:], tokens[-1]], strict=True):
        is_docstring = (
            starts_line and one.type == tokenize.STRING and after.type == tokenize.NEWLINE
        )
        starts_line = one.type == tokenize.NEWLINE or one.type in BLOCKS
        if not is_docstring:
            kept.append(BLOCKS.get(one.type, one.string))
    # Without blanks, and with single braces, f-strings read the same in all versions of Python.
    return "".join(" ".join(kept).split()).replace("{{", "{").replace("}}", "}")
