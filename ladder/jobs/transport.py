"""The embedded broker: Celery's messages as files in a folder, for one machine without Redis.

kombu's own transport writes a message in place, so a reader may meet half of it, and the worker
dies of the JSON error. Here a file appears whole, by a rename, and what cannot be read is dropped:
a message is only a nudge, which the scheduler repeats.
"""

import fcntl
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty
from typing import Any

import structlog
from kombu.transport import filesystem
from kombu.utils.json import dumps, loads

log = structlog.get_logger(__name__)

Binding = filesystem.exchange_queue_t


class Channel(filesystem.Channel):
    """kombu's channel with whole files and tolerant reads."""

    def get_table(self, exchange: str) -> list[Binding]:
        with suppress(FileNotFoundError):
            if (table := _read(self._exchange_file(exchange))) is not None:
                return [Binding(*row) for row in table]
        return []

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        binding = Binding(routing_key or "", pattern or "", queue or "")
        with self._locked(exchange):
            table = self.get_table(exchange)
            if binding not in table:
                _write(self._exchange_file(exchange), [binding, *table])

    def _delete(
        self, queue: str, exchange: str, routing_key: str, pattern: str, *args: Any, **kwargs: Any
    ) -> None:
        self._purge(queue)
        binding = Binding(routing_key or "", pattern or "", queue or "")
        with self._locked(exchange):
            table = self.get_table(exchange)
            if binding in table:
                table.remove(binding)
                _write(self._exchange_file(exchange), table)

    # kombu's own classes disagree on the name of the second argument.
    def _put(  # type: ignore[override]
        self, queue: str, payload: dict[str, Any], **kwargs: Any
    ) -> None:
        name = f"{time.monotonic_ns():020}_{uuid.uuid4()}.{queue}.msg"
        _write(Path(self.data_folder_out, name), payload)

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        for path in sorted(Path(self.data_folder_in).glob(f"*.{queue}.msg")):
            taken = path.with_name(f".{path.name}.{os.getpid()}")
            try:
                path.rename(taken)
            except FileNotFoundError:  # another reader was quicker
                continue
            message = _read(taken)
            taken.unlink()
            if message is not None:
                return message
        raise Empty

    @contextmanager
    def _locked(self, exchange: str) -> Iterator[None]:
        Path(self.control_folder).mkdir(parents=True, exist_ok=True)
        with open(f"{self._exchange_file(exchange)}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


class Transport(filesystem.Transport):
    """`ladle://`, as ladder.jobs.celery registers it."""

    Channel = Channel


def _read(path: Path) -> Any:
    try:
        return loads(path.read_bytes())
    except ValueError as error:
        log.warning("broker file dropped", name=path.name, error=str(error))
        return None


def _write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{uuid.uuid4()}.draft")
    try:
        draft.write_text(dumps(content))
        draft.rename(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
