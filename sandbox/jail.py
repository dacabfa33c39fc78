"""The command line of a bubblewrap jail. Pure: paths and numbers in, a list of words out."""

from __future__ import annotations

from sandbox.languages import NODE, Language
from sandbox.runtime import Runtime

NOBODY = 65534  # the bot's user id as it sees itself
THREADS = 32
OPEN_FILES = 64
LAST_RESORT_CPU_S = 3600  # the real CPU limit is kept from outside, to the millisecond
MEGABYTE = 2**20


def command(
    language: Language,
    runtime: Runtime,
    *,
    bwrap: str,
    memory_mb: int,
    seccomp_fd: int,
    info_fd: int,
    block_fd: int,
) -> list[str]:
    """Words that start the language's shim in a jail, held back until `block_fd` is written."""
    environment = [
        word for name, value in language.environment for word in ("--setenv", name, value)
    ]
    return [
        bwrap,
        "--unshare-all",  # user, pid, net, ipc, uts, cgroup
        "--unshare-user",  # not merely "if possible"
        "--disable-userns",
        "--new-session",
        "--die-with-parent",
        "--as-pid-1",
        "--clearenv",
        *environment,
        *("--uid", str(NOBODY), "--gid", str(NOBODY)),
        *("--hostname", "bot"),
        *("--cap-drop", "ALL"),
        *("--ro-bind", str(runtime.base), "/"),
        *("--ro-bind", str(runtime.code), "/ladle"),
        *("--dev-bind", "/dev/null", "/dev/null"),
        *("--chdir", "/"),
        *("--seccomp", str(seccomp_fd)),
        *("--info-fd", str(info_fd)),
        *("--block-fd", str(block_fd)),
        "--",
        *inside(language, memory_mb=memory_mb, shim=language.jailed_shim),
    ]


def inside(language: Language, *, memory_mb: int, shim: str) -> list[str]:
    """The interpreter and its shim, as started within the jail."""
    heap = [f"--max-old-space-size={memory_mb * 3 // 4}"] if language.name == NODE.name else []
    return [language.interpreter, *language.arguments, *heap, shim, *language.shim_arguments]


def resource_limits(language: Language, *, memory_mb: int) -> dict[str, int]:
    """The kernel's limits on the bot's process, by the names that `prlimit` knows."""
    memory = memory_mb * MEGABYTE
    return {
        "data": memory,  # all private writable memory: heap, threads, mmap
        "as": memory + language.spare_address_mb * MEGABYTE,
        "stack": 8 * MEGABYTE,
        "nproc": THREADS,
        "nofile": OPEN_FILES,
        "sigpending": 64,
        "cpu": LAST_RESORT_CPU_S,
        "fsize": 0,
        "core": 0,
        "memlock": 0,
        "msgqueue": 0,
    }
