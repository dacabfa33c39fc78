"""`ladle VERB ... --json` in a process of its own: what it prints cannot disturb the protocol."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from ladle.errors import Refusal

LONGEST_S = 600


def run(
    verb: str, *options: str, given: Sequence[str], fine: tuple[int, ...] = (0,)
) -> tuple[int, Any]:
    """The exit code and the answer of a verb; Refusal has its sentence.

    What an agent has given cannot be an option, such as the one that leaves the sandbox out.
    """
    command = [sys.executable, "-m", "ladle", verb, *options, "--json", "--", *given]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=LONGEST_S, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        raise Refusal(
            f"it took longer than {LONGEST_S} seconds and was stopped. Ask for fewer sets."
        ) from None
    if done.returncode not in fine:
        words = done.stderr.strip().splitlines()
        sentence = words[-1].removeprefix("ladle: ") if words else f"exit code {done.returncode}."
        raise Refusal(sentence)
    return done.returncode, json.loads(done.stdout) if done.stdout.strip() else None
