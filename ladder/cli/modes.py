"""How bots are to run here: confined if this machine can, else with a plain message."""

from __future__ import annotations

import platform
import sys

from ladder.cli.output import complain
from ladle.players import Mode


def choose_mode(*, in_process: bool, no_sandbox: bool) -> Mode:
    """What was asked for; the sandbox by default, and unconfined where there is none."""
    if in_process:
        return Mode.IN_PROCESS
    unconfined = Mode.CHILD if is_linux() else Mode.IN_PROCESS
    if no_sandbox:
        return unconfined
    problem = sandbox_problem()
    if problem is None:
        return Mode.SANDBOX
    complain(f"warning: the bots run unconfined and can do whatever you can: {problem}.")
    return unconfined


def is_linux() -> bool:
    """Whether bots can have processes of their own here: for now, that needs Linux."""
    return sys.platform == "linux"


def sandbox_problem() -> str | None:
    """Why bots cannot be confined here, or None."""
    if not is_linux():  # the sandbox cannot even be imported there
        return f"the sandbox needs Linux, and this is {platform.system()}"
    from sandbox.available import missing

    return missing()
