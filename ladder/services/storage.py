"""Where sources and replays lie: files named by what is in them, written whole or not at all."""

import os
import tempfile
from pathlib import Path

from django.core.files import File
from django.core.files.storage import FileSystemStorage


class MediaFiles(FileSystemStorage):
    """A file appears by a rename, after its bytes are on the disk.

    So a full disk or a power cut leaves no half of one, and what is there by a name is never
    trusted to be right: writing it again replaces it.
    """

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name

    def _save(self, name: str, content: File) -> str:
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(prefix=".draft-", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                for chunk in content.chunks():
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(draft, self.file_permissions_mode or 0o644)
            os.replace(draft, path)
        except BaseException:
            os.unlink(draft)
            raise
        _sync_folder(path.parent)
        return name


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
