"""Run as a program: the command as on another system, without what only Unix or Linux has.

Packages from elsewhere are loaded before, as they are: only the project's own modules are imported
again on the pretended system.

    python elsewhere.py SYSTEM              import every module of the kit
    python elsewhere.py SYSTEM VERB ...     run the command
    python elsewhere.py SYSTEM -            run a JSON list of commands from stdin, in this process
"""

from __future__ import annotations

import io
import json
import os
import platform
import select
import signal
import socket
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

OWN = ("engine", "sandbox", "ladder", "ladle")
KIT = ("ladle", "ladder.cli", "ladder.client", "ladder.contract", "ladder.theatre")
KIT += ("engine", "sandbox")
RUN_OR_REGISTER = ("ladder.cli.__main__", "ladle.examples", "ladle.rl.openspiel")
RUN_OR_REGISTER += ("sandbox.zygote",)  # the first program in a jail
NO_MODULE = (".tests", ".bots", ".golden")  # of a game
UNIX_ONLY = ("resource", "fcntl", "pwd", "grp", "termios", "tty", "pty", "syslog", "posix")
SYSTEMS = {"darwin": "Darwin", "win32": "Windows"}
LINUX_NAMES: list[tuple[Any, str]] = [
    *((os, name) for name in ("sched_getaffinity", "pidfd_open", "getresgid", "setresgid")),
    *((signal, name) for name in ("pidfd_send_signal",)),
]
UNIX_NAMES: list[tuple[Any, str]] = [
    *((os, name) for name in ("geteuid", "getuid", "getgid", "fork", "killpg", "sysconf")),
    *((os, name) for name in ("statvfs", "waitid", "getgroups", "set_blocking")),
    *((signal, name) for name in ("SIGKILL", "SIGALRM", "pthread_sigmask")),
    *((socket, name) for name in ("send_fds", "recv_fds", "AF_UNIX")),
    (select, "poll"),
    (time, "clock_gettime_ns"),
]


class Hidden:
    """Refuses to find modules that the pretended system does not have."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name in self._names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def modules() -> list[str]:
    names = []
    for package in KIT:
        names.append(package)
        found = walk_packages(import_module(package).__path__, f"{package}.")
        names += [
            one.name
            for one in found
            if not one.name.startswith(RUN_OR_REGISTER)
            and not any(part in one.name for part in NO_MODULE)
        ]
    return names


def pretend(system: str) -> None:
    for name in modules():  # and so all they need from elsewhere
        import_module(name)
    for name in [name for name in sys.modules if name.partition(".")[0] in OWN]:
        del sys.modules[name]
    sys.platform = system
    # The library's own, which on Windows ends a process without a signal's name.
    subprocess.Popen.kill = lambda process: process.send_signal(9)  # type: ignore[method-assign]
    platform.system = lambda: SYSTEMS[system]
    for place, name in LINUX_NAMES + (UNIX_NAMES if system == "win32" else []):
        delattr(place, name)
    if system == "win32":
        sys.meta_path.insert(0, Hidden(UNIX_ONLY))  # type: ignore[arg-type]
        for name in UNIX_ONLY:
            sys.modules.pop(name, None)


def main() -> None:
    _, system, *words = sys.argv
    if system != "linux":
        pretend(system)
    if not words:
        for name in modules():
            import_module(name)
        return
    if words == ["-"]:
        json.dump([answer(command) for command in json.load(sys.stdin)], sys.stdout)
        return
    sys.argv = ["ladle", *words]
    import_module("ladder.cli").main()


def answer(command: list[str]) -> tuple[int, str, str]:
    """The exit code of a command, and what it wrote to stdout and stderr."""
    sys.argv = ["ladle", *command]
    code, out, err = 0, io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            import_module("ladder.cli").main()
        except SystemExit as end:
            code = int(end.code or 0)
    return code, out.getvalue(), err.getvalue()


if __name__ == "__main__":
    main()
