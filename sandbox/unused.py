"""What nobody used for a week is removed: trees, bundles and compiled modules alike."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

KEEP_DAYS = 7


def remove_unused(paths: Iterable[Path]) -> None:
    """Each use renews a path's time. Other workers come and go here while we look."""
    oldest = time.time() - KEEP_DAYS * 86400
    for path in paths:
        with suppress(FileNotFoundError):
            if path.stat().st_mtime >= oldest:
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()
