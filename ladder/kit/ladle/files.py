"""Files named on the command line, read with a sentence for each way that can fail."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine import replay as replays
from engine.errors import BadReplay
from engine.replay import ChangedReplay, Replay
from ladle.errors import Refusal


def read_bytes(path: Path, limit: int) -> bytes:
    """The content of a file of at most `limit` bytes."""
    if path.is_dir():
        raise Refusal(f"{path} is a folder, not a file.")
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except FileNotFoundError:
        raise Refusal(f"there is no file {path}.") from None
    except OSError as error:
        raise Refusal(f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > limit:
        raise Refusal(f"{path} is over {limit // 1024:,} KiB, which is too big.")
    return data


def read_replay(path: Path) -> Replay:
    """The replay in a `.json` or `.json.gz` file; ChangedReplay when its digest is wrong."""
    data = read_bytes(path, replays.MAX_BYTES)
    if not data:
        raise Refusal(f"{path} is empty.")
    try:
        return replays.read(data)
    except ChangedReplay:
        raise
    except BadReplay as error:
        raise Refusal(f"{path}: {error}.") from None


def lines(path: Path) -> Iterator[Any]:
    """The values in a file of JSON lines, gzipped or not, one at a time."""
    number = 0
    try:
        with path.open("rb") as file:
            is_packed = file.read(2) == b"\x1f\x8b"
        with (gzip.open if is_packed else open)(path, "rb") as file:
            while line := file.readline(replays.MAX_BYTES):
                yield json.loads(line)
                number += 1
    except FileNotFoundError:
        raise Refusal(f"there is no file {path}.") from None
    except (ValueError, RecursionError):
        raise Refusal(f"{path}, line {number + 1}: truncated or not JSON.") from None
    except (OSError, EOFError, zlib.error) as error:
        raise Refusal(f"{path} cannot be read: {error}.") from None


def write_bytes(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise Refusal(f"{path} cannot be written: {error.strerror}.") from None
