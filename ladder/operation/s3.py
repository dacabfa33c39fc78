"""Sources and replays as objects of an S3-compatible storage, for sites of several machines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from botocore.exceptions import BotoCoreError, ClientError
from django.core.files import File
from django.core.files.base import ContentFile
from storages.backends.s3 import S3Storage

from ladder.operation.bundles import Bundles

AT_ONCE = 8  # objects that are sent side by side
NAMES_AT_ONCE = 1000  # as many as one request may delete


class S3Objects(S3Storage):
    """An object appears whole or not at all; what goes wrong is an OSError, as with a disk."""

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name

    def save_all(self, contents: Mapping[str, bytes]) -> None:
        """Store files by their names; each is a request."""
        self.connection  # noqa: B018 - made once, before threads share it
        with ThreadPoolExecutor(min(AT_ONCE, len(contents) or 1)) as threads:
            sent = [
                threads.submit(self.save, name, ContentFile(content))
                for name, content in contents.items()
            ]
        for one in sent:
            one.result()

    def delete_all(self, names: Sequence[str]) -> None:
        keys = [{"Key": self._normalize_name(name)} for name in names]
        for at in range(0, len(keys), NAMES_AT_ONCE):
            with _as_os_errors():
                self.bucket.delete_objects(Delete={"Objects": keys[at : at + NAMES_AT_ONCE]})

    def _save(self, name: str, content: File[bytes]) -> str:
        with _as_os_errors():
            return str(super()._save(name, content))

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        with _as_os_errors():
            found: File[bytes] = super()._open(name, mode)
            return found

    def delete(self, name: str) -> None:
        with _as_os_errors():
            super().delete(name)

    def exists(self, name: str) -> bool:
        with _as_os_errors():
            return bool(super().exists(name))


class S3Files(Bundles, S3Objects):
    """In a bucket."""


@contextmanager
def _as_os_errors() -> Iterator[None]:
    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise OSError(f"the object storage does not answer correctly: {error}") from error
