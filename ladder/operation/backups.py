"""A copy of everything that cannot be made again: the database, and the folder of sources and
replays. Broker, cache, static files and the runtime can."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection, connections, transaction
from django.db.models import Model
from django.utils import timezone

from ladder.models import Lock, Match, Play, Version, Worker
from ladder.operation import releases
from ladder.queries import operation

SQLITE, DUMP = "ladle.sqlite3", "ladle.dump"
MEDIA = "media.tar.gz"
FACTS = "backup.json"
COUNTED: dict[str, type[Model]] = {"matches": Match, "plays": Play, "versions": Version}


class BackupError(Exception):
    """A sentence for the operator."""


def backup(folder: Path) -> dict[str, object]:
    """Copy everything into a new folder while the site runs; what is in it, in figures.

    The database comes first: replays are written before the rows that name them, so a later copy
    of the folder has every file that the database knows.
    """
    if folder.exists() and any(folder.iterdir()):
        raise BackupError(f"{folder} is not empty; name a new folder.")
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)  # it holds what the database holds
    made = {"made_at": timezone.now().isoformat(), "release": releases.stamp()}
    if connection.vendor == "sqlite":
        held = _backup_sqlite(folder / SQLITE)
    else:
        held = _backup_postgres(folder / DUMP)
    facts = {**held, "files": _backup_media(folder / MEDIA), **made}
    (folder / FACTS).write_text(json.dumps(facts, indent=1))
    return facts


def _backup_sqlite(path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(_sqlite_path())) as source, closing(sqlite3.connect(path)) as copy:
        source.backup(copy)
    return _rows_of_copy(path)


def _backup_postgres(path: Path) -> dict[str, int]:
    # Counted in the very snapshot that is dumped: the site goes on meanwhile.
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot = f"--snapshot={cursor.fetchone()[0]}"
        _run("pg_dump", "--format=custom", snapshot, f"--file={path}", _postgres_url())
        held = counts()
    _run("pg_restore", "--list", str(path))
    return held


def _backup_media(path: Path) -> int:
    """How many files there were; drafts are none yet, and one may be dropped while we look."""
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for file in sorted(settings.MEDIA_ROOT.rglob("*")):
            if not file.name.startswith(".draft-"):
                with suppress(FileNotFoundError):
                    archive.add(file, file.relative_to(settings.MEDIA_ROOT), recursive=False)
        return _files(archive)


def restore(folder: Path) -> dict[str, int]:
    """Put a backup in the place of what is there; every process of the site must be stopped.

    Refused when it does not hold what was counted when it was made. For PostgreSQL that is known
    only once its dump is restored.
    """
    if not (folder / FACTS).exists():
        raise BackupError(f"{folder} is not a backup: it has no {FACTS}.")
    facts = json.loads((folder / FACTS).read_text())
    with tarfile.open(folder / MEDIA) as archive:
        _compare(facts, {"files": _files(archive)})
    _require_rest()
    if connection.vendor == "sqlite":
        _compare(facts, _rows_of_copy(folder / SQLITE))
        _restore_sqlite(folder / SQLITE)
    else:
        options = ["--clean", "--if-exists", "--no-owner", "--single-transaction"]
        database = f"--dbname={_postgres_url()}"
        connections.close_all()
        _run("pg_restore", *options, "--exit-on-error", database, str(folder / DUMP))
    _compare(facts, counts())
    settings.MEDIA_ROOT.mkdir(parents=True, exist_ok=True)
    with tarfile.open(folder / MEDIA) as archive:
        # Debian's Python 3.11.2 has no filters yet; the archive is our own.
        safely: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        archive.extractall(settings.MEDIA_ROOT, **safely)
    # Whoever led or played when the backup was made does so no longer.
    Lock.objects.all().delete()
    Worker.objects.all().delete()
    return counts()


def counts() -> dict[str, int]:
    """Enough to see that a restored site is the one that was saved."""
    return {name: model._base_manager.count() for name, model in COUNTED.items()}


def _rows_of_copy(path: Path) -> dict[str, int]:
    """The same in a copy of SQLite's file, which must be sound."""
    with closing(sqlite3.connect(path)) as copy:
        if copy.execute("pragma integrity_check").fetchone() != ("ok",):
            raise BackupError("The copy of the database is damaged.")
        return {
            name: copy.execute(f"SELECT count(*) FROM {model._meta.db_table}").fetchone()[0]
            for name, model in COUNTED.items()
        }


def _files(archive: tarfile.TarFile) -> int:
    return sum(member.isfile() for member in archive.getmembers())


def _compare(facts: dict[str, object], found: dict[str, int]) -> None:
    wrong = [
        f"{n} {name} instead of {facts.get(name)}"
        for name, n in found.items()
        if n != facts.get(name)
    ]
    if wrong:
        raise BackupError(f"The backup does not match its manifest: {', '.join(wrong)}.")


def _require_rest() -> None:
    try:
        busy = operation.scheduler_leads() or operation.workers_alive()
    except DatabaseError:  # nothing there to disturb: an empty or broken one is replaced
        return
    if busy:
        raise BackupError("The site is running: stop web, workers and scheduler first.")


def _restore_sqlite(copy: Path) -> None:
    path = _sqlite_path()
    connections.close_all()
    draft = path.with_suffix(".restored")
    shutil.copyfile(copy, draft)
    for suffix in ("-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    os.replace(draft, path)


def _sqlite_path() -> Path:
    return Path(connection.settings_dict["NAME"])


def _postgres_url() -> str:
    return settings.DATABASE_URL


def _run(program: str, *words: str) -> None:
    found = shutil.which(program)
    if found is None:
        raise BackupError(f"{program} is missing: install the package postgresql-client.")
    done = subprocess.run([found, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise BackupError(f"{program} failed: {done.stderr.strip()[-500:]}")
