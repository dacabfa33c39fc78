"""Where all that a jail can name lies: in memory.

The kernel remembers for disks which names were looked up in vain. A bot that looks names up in one
play and times the same look-ups in the next has a memory. On a tmpfs the kernel remembers no such
names, so the runtime and the bundles lie on one wherever this machine has one.

All workers of a machine share these folders, and what nobody used for long is removed.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sandbox.errors import SandboxError

PROJECT = Path(__file__).resolve().parent.parent
IN_MEMORY = (0x01021994, 0x858458F6)  # statfs: tmpfs (and devtmpfs), ramfs
WEEK = 7 * 86400
ROOM_MB = 400  # for the trees, Node, wasmtime and some bundles
NOT_EXECUTABLE = 8  # statvfs: mounted with noexec, so no interpreter can be started there
NOT_INDEPENDENT = (
    "plays are not independent of each other: a bot can find out in one play what it saw in another"
)


def place() -> Path:
    """The folder for the runtime: $LADLE_RUNTIME, else one in memory, else one on the disk."""
    if chosen := os.environ.get("LADLE_RUNTIME"):
        return Path(chosen)
    if sys.platform == "linux":
        for parent in _memory_folders():
            folder = parent / f"ladle-{os.geteuid()}"
            if (_is_ours(folder) and is_in_memory(folder)) or not _obstacle(parent):
                return folder
    own = on_disk() / "runtime"
    # Root's bots run under other user ids, so a project inside a private home will not do.
    is_root = sys.platform == "linux" and os.geteuid() == 0
    return own if not is_root or open_to_all(own) else Path("/var/lib/ladle/runtime")


def open_to_all(path: Path) -> bool:
    """Whether every user can reach the folder, or could once it is made."""
    there = [folder for folder in (path, *path.parents) if folder.exists()]
    return all(folder.stat().st_mode & 0o001 for folder in there)


def on_disk() -> Path:
    """The folder for what no jail can name, such as compiled modules."""
    if chosen := os.environ.get("LADLE_VAR"):
        return Path(chosen)
    if (PROJECT / "pyproject.toml").exists():
        return PROJECT / "var"
    # Installed as a package, not a checkout.
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path("/var/lib/ladle" if home.startswith("~") else f"{home}/ladle")


def make(folder: Path) -> None:
    """Make the folder, or see that nobody else can change what lies in it; SandboxError."""
    for missing in (*reversed(folder.parents), folder):
        if not missing.exists():
            # Root's bots run under other user ids. Nobody else has to read a user's.
            is_private = missing == folder and os.geteuid() != 0
            missing.mkdir(mode=0o700 if is_private else 0o755, exist_ok=True)
    if not _is_safe(folder, owners=(os.geteuid(), 0)):
        raise SandboxError(
            f"other users can change {folder}: remove it, or set LADLE_RUNTIME to another folder"
        )


def is_in_memory(path: Path) -> bool:
    """Whether the kernel keeps these files, and the names below, in memory only."""
    while not path.exists():
        path = path.parent
    if sys.platform != "linux":
        return False
    answer = ctypes.create_string_buffer(256)
    if ctypes.CDLL(None).statfs(os.fsencode(path), answer) != 0:
        return False
    return int.from_bytes(answer.raw[:8], sys.byteorder) in IN_MEMORY


def problem(folder: Path | None = None) -> str:
    """Why bots can remember what they saw on this machine, and what to do; empty when they cannot.

    Asked before each match, so it looks at two or three folders and builds nothing.
    """
    folder = folder or place()
    if is_in_memory(folder):
        return ""
    reasons = [f"{parent} {why}" for parent in _memory_folders() if (why := _obstacle(parent))]
    reason = f" ({'; '.join(reasons)})" if reasons and "LADLE_RUNTIME" not in os.environ else ""
    return (
        f"{NOT_INDEPENDENT}, because the bots' runtime is on a disk, in {folder}{reason}. Mount a"
        f" tmpfs of {ROOM_MB} MB without noexec and set LADLE_RUNTIME to a folder in it"
    )


def _memory_folders() -> Iterator[Path]:
    yield Path("/dev/shm")
    if session := os.environ.get("XDG_RUNTIME_DIR"):
        yield Path(session)
    if os.geteuid() == 0:
        yield Path("/run")


def _obstacle(parent: Path) -> str:
    """What keeps the runtime from lying there; empty when nothing does."""
    folder = parent / f"ladle-{os.geteuid()}"
    if not parent.is_dir() or not is_in_memory(parent):
        return "is not a tmpfs"
    about = os.statvfs(parent)
    free_mb = about.f_bavail * about.f_frsize >> 20
    if about.f_flag & NOT_EXECUTABLE:
        return "is mounted with noexec"
    if free_mb < ROOM_MB:
        return f"has {free_mb} MB free, and {ROOM_MB} are needed"
    if not os.access(parent, os.W_OK | os.X_OK):
        return "cannot be written to"
    if os.path.lexists(folder) and not _is_ours(folder):
        return f"has a folder {folder.name} that other users can change"
    return ""


def _is_ours(folder: Path) -> bool:
    return _is_safe(folder, owners=(os.geteuid(),))


def _is_safe(folder: Path, owners: tuple[int, ...]) -> bool:
    """A real folder, not a link, that none but these users can write to."""
    with suppress(OSError):
        about = folder.lstat()
        closed = not about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        return stat.S_ISDIR(about.st_mode) and about.st_uid in owners and closed
    return False


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """One worker at a time changes what lies there."""
    import fcntl  # not known everywhere, and bundles are read everywhere

    with open(folder / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def remove_unused(paths: Iterable[Path], seconds: float = WEEK) -> None:
    """Remove what is old; each use renews a path's time, and others come and go meanwhile."""
    oldest = time.time() - seconds
    for path in paths:
        with suppress(FileNotFoundError):
            if path.stat().st_mtime >= oldest:
                continue
            if path.is_dir():
                _remove_whole(path)
            else:
                path.unlink()


def _remove_whole(folder: Path) -> None:
    """Nobody sees half of it by its name, even if this process is killed on the way."""
    aside = Path(tempfile.mkdtemp(prefix=".old-", dir=folder.parent))
    folder.rename(aside)
    shutil.rmtree(aside, ignore_errors=True)
