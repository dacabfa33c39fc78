"""All replays of a match in one stored file, each read by the file's name and its place in it.

A play's row names `replays/000/5-0123456789abcdef.jsonl.xz#1`: the second line of that file. Plays
of a match say much the same, so together they take two thirds of what they take one by one.
Replays of earlier versions are files of their own and stay readable.
"""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.core.files import File
from django.core.files.base import ContentFile

MARK = "#"
PRESET = 3  # 6 saves a tenth more for four times the CPU; measured by tests/programs/replays


@lru_cache(maxsize=1)
def _unpacked(data: bytes) -> list[bytes]:
    """The replays of a bundle; those of one match are mostly read one after the other."""
    return lzma.decompress(data).split(b"\n")


def bundled(replays: Sequence[bytes]) -> bytes:
    """One file for several replays, each the JSON of one without a line end."""
    return lzma.compress(b"\n".join(replays), check=lzma.CHECK_CRC32, preset=PRESET)


def name_in(file: str, index: int) -> str:
    return f"{file}{MARK}{index}"


def file_of(name: str) -> str:
    """The stored file that a name is about."""
    return name.partition(MARK)[0]


class Bundles:
    """For a storage: names within bundles are opened as the gzipped replays that they stand for."""

    def open(self, name: str, mode: str = "rb") -> File[Any]:
        file, mark, index = name.partition(MARK)
        if not mark:
            opened: File[Any] = super().open(name, mode)  # type: ignore[misc]
            return opened
        if mode != "rb":
            raise ValueError("replays within a bundle are written together, by save_all()")
        with super().open(file) as whole:  # type: ignore[misc]
            data: bytes = whole.read()
        return ContentFile(_taken_out(data, int(index)), name)

    def exists(self, name: str) -> bool:
        return bool(super().exists(file_of(name)))  # type: ignore[misc]

    def delete(self, name: str) -> None:
        """Delete a file; of a bundle all of it."""
        super().delete(file_of(name))  # type: ignore[misc]

    def delete_all(self, names: Sequence[str]) -> None:
        files = list(dict.fromkeys(map(file_of, names)))
        super().delete_all(files)  # type: ignore[misc]


def _taken_out(data: bytes, index: int) -> bytes:
    """One replay as a `.json.gz`; the bytes as they are if the bundle is damaged."""
    try:
        return gzip.compress(_unpacked(data)[index], compresslevel=6, mtime=0)
    except (lzma.LZMAError, IndexError):
        return data
