"""A tab's Python beside CPython: the same plays, and how fast."""

import os
import subprocess

from tests.servers import BIN, ROOT


def in_a_tab(function: str, given: float) -> str:
    """What a function of plays.py tells under Pyodide."""
    return subprocess.run(
        [BIN / "node", "tests/tab/plays.mjs", function, str(given)],
        cwd=ROOT,
        env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
