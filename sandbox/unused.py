"""Folders that all workers of a machine share: what nobody used for a week is removed."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

KEEP_DAYS = 7


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """One worker at a time changes what lies there."""
    import fcntl  # not known everywhere, and bundles are read everywhere

    with open(folder / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def remove_unused(paths: Iterable[Path]) -> None:
    """Remove what is old; each use renews a path's time, and others come and go meanwhile."""
    oldest = time.time() - KEEP_DAYS * 86400
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
