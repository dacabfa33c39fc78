"""Compiled modules on disk, so that each is compiled once on a machine.

What lies here was made in a jail from a stranger's file, and is as little trusted: it is opaque,
and loaded only where that stranger's bot runs anyway.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from sandbox.place import remove_unused
from sandbox.program import Program
from sandbox.wasm import engine


class KeptCode:
    """A program's place in the folder: by its content, and by the engine and its settings."""

    def __init__(self, folder: Path, program: Program) -> None:
        key = f"{engine.KEY} {os.uname().machine} {program.sha256}"
        self._path = folder / f"{hashlib.sha256(key.encode()).hexdigest()}.txt"

    def read(self) -> str | None:
        try:
            code = self._path.read_text("ascii")
            os.utime(self._path)
        except OSError:
            return None
        return code

    def write(self, code: str) -> None:
        """Put it there whole or not at all; without room on the disk, not at all."""
        folder = self._path.parent
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as draft:
                try:
                    draft.write(code)
                    draft.flush()
                    os.rename(draft.name, self._path)
                except OSError:
                    os.unlink(draft.name)
                    raise
            remove_unused(folder.iterdir())
