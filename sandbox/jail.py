"""The command line of a bubblewrap jail. Pure: paths and numbers in, a list of words out."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

from sandbox.errors import SandboxError
from sandbox.languages import PYTHON, Language
from sandbox.place import PROJECT
from sandbox.runtime import Runtime

NOBODY = 65534  # the bot's user id as it sees itself
THREADS = 32
OPEN_FILES = 64
LAST_RESORT_CPU_S = 3600  # the real CPU limit is kept from outside, to the millisecond
MEGABYTE = 2**20
ZYGOTE = "/ladle/sandbox/zygote.pyc"
BUNDLE = "/bot"  # where a bot of several files finds them


def command(
    runtime: Runtime, *, bwrap: str, seccomp_fd: int, folder: Path | None = None
) -> list[str]:
    """Words that start a zygote in a jail; what it forks gives up the capabilities it needs."""
    environment = [word for name, value in PYTHON.environment for word in ("--setenv", name, value)]
    return [
        bwrap,
        "--unshare-all",  # user, pid, net, ipc, uts, cgroup
        "--unshare-user",  # not merely "if possible"
        "--new-session",
        "--die-with-parent",
        "--as-pid-1",
        "--clearenv",
        *environment,
        *("--uid", str(NOBODY), "--gid", str(NOBODY)),
        *("--hostname", "bot"),
        *("--cap-drop", "ALL"),
        *("--cap-add", "CAP_SYS_ADMIN"),  # for a pid namespace per child
        *("--cap-add", "CAP_SETPCAP"),  # for taking both away from the child
        *("--ro-bind", str(runtime.base), "/"),
        *("--ro-bind", str(runtime.code), "/ladle"),
        *("--dev-bind", "/dev/null", "/dev/null"),
        *(("--ro-bind", str(folder), BUNDLE) if folder else ()),
        *("--chdir", BUNDLE if folder else "/"),
        *("--seccomp", str(seccomp_fd)),
        "--",
        *(PYTHON.interpreter, *PYTHON.arguments, ZYGOTE),
    ]


def inside(language: Language, *, memory_mb: int, shim: str) -> list[str]:
    """The interpreter and its shim, as started where no zygote can be forked."""
    heap = [language.heap_argument.format(memory_mb * 3 // 4)] if language.heap_argument else []
    return [language.interpreter, *language.arguments, *heap, shim]


OF_WINDOWS = ("SYSTEMROOT", "TEMP")


def unconfined(language: Language, *, memory_mb: int) -> tuple[list[str], dict[str, str]]:
    """The same without a jail, by what this machine has, and its environment; SandboxError."""
    brought = _brought(language)
    here = replace(language, interpreter=brought if language.is_executed else sys.executable)
    shim = Path(__file__).parent / language.shim
    packages = (str(PROJECT), *_packages())
    environment = {"PYTHONPATH": os.pathsep.join(packages), "LADLE_BROUGHT": brought}
    # Windows starts no program without the first, and finds no folder for files without the second.
    environment |= {name: os.environ[name] for name in OF_WINDOWS if name in os.environ}
    words = inside(here, memory_mb=memory_mb, shim=str(shim))
    return words, dict(language.environment) | environment


def _brought(language: Language) -> str:
    """Where what runs the language lies on this machine; empty for Python itself."""
    if language.dependency is None:
        return ""
    path = language.dependency.path()
    if path is None:
        raise SandboxError(language.missing)
    return str(path)


def _packages() -> list[str]:
    """Where installed packages are, numpy among them; the interpreter starts without them."""
    return [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]


def resource_limits(language: Language, *, memory_mb: int) -> dict[int, int]:
    """The kernel's limits on the bot's process, by their numbers."""
    import resource  # not known everywhere, and words are made everywhere

    memory = memory_mb * MEGABYTE
    return {
        resource.RLIMIT_DATA: memory,  # all private writable memory: heap, threads, mmap
        resource.RLIMIT_AS: memory + language.spare_address_mb * MEGABYTE,
        resource.RLIMIT_STACK: 8 * MEGABYTE,
        resource.RLIMIT_NPROC: THREADS,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_SIGPENDING: 64,
        resource.RLIMIT_CPU: LAST_RESORT_CPU_S,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }
