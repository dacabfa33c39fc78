"""Looking for a syntax error in a file before the gate runs it.

Nothing of it is run here. It is parsed in a process of its own, under limits, that has no part in
the site: should a text be made to break a parser, it breaks that process alone.
"""

from __future__ import annotations

import subprocess
import sys

SECONDS = 5
LIMITED = """
import os, resource as r, sys
for what, most in ((r.RLIMIT_CPU, 3), (r.RLIMIT_FSIZE, 0), (r.RLIMIT_CORE, 0)):
    r.setrlimit(what, (most, most))
"""


def parsed(content: bytes, program: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """What a program in Python says of the content it reads; nothing, if it does not end."""
    words = [sys.executable, "-I", "-S", "-c", LIMITED + program, *arguments]
    try:
        return subprocess.run(
            words, input=content, capture_output=True, timeout=SECONDS, env={}, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return subprocess.CompletedProcess(words, 1, b"", b"")  # the gate finds it
