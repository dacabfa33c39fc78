"""The private Redis of `make run`: Debian's redis-server on a socket that only its owner can open.

It holds messages and cached pages, nothing that must survive, so it writes nothing to the disk.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from pathlib import Path

LONGEST_PATH = 100  # bytes; the kernel allows 107 for the path of a socket
MEMORY = "64mb"  # of messages and cached pages; the oldest pages go first


def socket_path(var: Path) -> Path:
    """Where the private server of this folder listens."""
    path = var.resolve() / "redis.sock"
    if len(os.fsencode(path)) <= LONGEST_PATH:
        return path
    name = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    return Path(tempfile.gettempdir(), f"ladle-{os.getuid()}-{name}", "redis.sock")


def url(var: Path) -> str:
    """The address of the private server of this folder; empty when none was started."""
    path = socket_path(var)
    try:
        found = path.lstat()
    except OSError:
        return ""
    is_ours = found.st_uid in (os.getuid(), 0) and stat.S_ISSOCK(found.st_mode)
    return f"unix://{path}" if is_ours else ""


def command(var: Path) -> list[str]:
    """How to start it; makes the folder of its socket, for this user alone."""
    path = socket_path(var)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.parent.stat().st_uid != os.getuid():
        raise PermissionError(1, "another user owns this folder", str(path.parent))
    words = ["redis-server", "--port", "0", "--unixsocket", str(path), "--unixsocketperm", "600"]
    words += ["--save", "", "--appendonly", "no", "--dir", str(path.parent)]
    words += ["--maxmemory", MEMORY, "--maxmemory-policy", "volatile-lru"]
    return [*words, "--loglevel", "warning", "--logfile", str(path.with_suffix(".log"))]
