"""Whether this machine can confine bots; if not, one sentence on what to install or enable."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from functools import cache

from sandbox import seccomp
from sandbox.identity import plain_user


def missing() -> str | None:
    """What stands in the way of running bots safely, or None. Matches must not run without."""
    if sys.platform != "linux":
        return f"bots run on Linux only, and this is {platform.system()}"
    if platform.machine() not in seccomp.MACHINES:
        return f"bots cannot be confined on a {platform.machine()} processor"
    program = bwrap()
    if program is None:
        return "bubblewrap is missing: install the package `bubblewrap`, which brings `bwrap`"
    lack = _trial(program)
    if lack is not None:
        _trial.cache_clear()  # it may pass; only that all is well need not be found out again
    return lack


def bwrap() -> str | None:
    """Where bubblewrap is. Once found it is not looked for again: every start would pay for it."""
    path = os.pathsep.join(os.get_exec_path())
    if _found(path) is None:
        _found.cache_clear()
    return _found(path)


@cache
def _found(path: str) -> str | None:
    return shutil.which("bwrap", path=path)


@cache
def _trial(program: str) -> str | None:
    """Start the smallest jail and see."""
    words = [program, "--unshare-all", "--unshare-user", "--cap-drop", "ALL"]
    words += ["--cap-add", "CAP_SYS_ADMIN", "--ro-bind", "/", "/"]
    try:
        with plain_user():
            done = subprocess.run(
                [*words, "--", "/bin/true"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=20,
                env={},
                check=False,
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not start: {error}"
    if done.returncode == 0:
        return None
    said = done.stderr.strip().removeprefix("bwrap: ") or f"exit status {done.returncode}"
    if "Unknown option" in said:
        return f"bubblewrap is too old ({said}): version 0.5 or later is needed"
    return (
        f"bubblewrap may not make user namespaces here ({said}): set the sysctl"
        " kernel.unprivileged_userns_clone or user.max_user_namespaces, or the AppArmor or"
        " container profile that forbids it"
    )
