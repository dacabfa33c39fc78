"""Where sources and replays lie: files named by what is in them, written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, Storage

from ladder.models import StoredFile
from ladder.operation.bundles import Bundles

NAMES_AT_ONCE = 500  # few enough for every database's limit of values in a query


class MediaFolder(FileSystemStorage):
    """A file appears by a rename, after its bytes are on the disk.

    So a full disk or a power cut leaves no half of one, and what is there by a name is never
    trusted to be right: writing it again replaces it.
    """

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name

    def save_all(self, contents: Mapping[str, bytes]) -> None:
        """Store files by their names; a folder that takes several is made lasting once."""
        folders = {self._write(name, [content]) for name, content in contents.items()}
        for folder in folders:
            _sync_folder(folder)

    def delete_all(self, names: Sequence[str]) -> None:
        for name in names:
            self.delete(name)

    def _save(self, name: str, content: File[bytes]) -> str:
        _sync_folder(self._write(name, content.chunks()))
        return name

    def _write(self, name: str, chunks: Iterable[bytes]) -> Path:
        """Make a file lasting; the folder it lies in, which may not be."""
        path = Path(self.path(name))
        _make_folder(path.parent)
        handle, draft = tempfile.mkstemp(prefix=".draft-", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                for chunk in chunks:
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(draft, self.file_permissions_mode or 0o644)
            os.replace(draft, path)
        except BaseException:
            os.unlink(draft)
            raise
        return path.parent


class MediaRows(Storage):
    """The same in the database, which every machine of a site reaches already."""

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name

    def save_all(self, contents: Mapping[str, bytes]) -> None:
        StoredFile.objects.bulk_create(
            [StoredFile(name=name, content=content) for name, content in contents.items()],
            update_conflicts=True,
            unique_fields=["name"],
            update_fields=["content", "written_at"],
        )

    def delete_all(self, names: Sequence[str]) -> None:
        for at in range(0, len(names), NAMES_AT_ONCE):
            StoredFile.objects.filter(name__in=names[at : at + NAMES_AT_ONCE]).delete()

    def _save(self, name: str, content: File[bytes]) -> str:
        self.save_all({name: b"".join(content.chunks())})
        return name

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        if mode != "rb":
            raise ValueError("files in the database are written whole, by save()")
        return ContentFile(bytes(self._found(name).content), name)

    def delete(self, name: str) -> None:
        StoredFile.objects.filter(name=name).delete()

    def exists(self, name: str) -> bool:
        return StoredFile.objects.filter(name=name).exists()

    def size(self, name: str) -> int:
        return len(self._found(name).content)

    def get_modified_time(self, name: str) -> datetime:
        return self._found(name).written_at

    def _found(self, name: str) -> StoredFile:
        found = StoredFile.objects.filter(name=name).first()
        if found is None:
            raise FileNotFoundError(name)
        return found


class MediaFiles(Bundles, MediaFolder):
    """In a folder."""


class DatabaseFiles(Bundles, MediaRows):
    """In the database."""


def _make_folder(folder: Path) -> None:
    """See that a folder is there, and lasts."""
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        _sync_folder(folder.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
