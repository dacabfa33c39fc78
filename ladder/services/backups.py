"""A copy of everything that cannot be made again: the database, and the folder of sources and
replays. Broker, cache, static files and the runtime can."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection, connections
from django.utils import timezone

from ladder.models import Lock, Match, Play, Version, Worker
from ladder.queries import operation
from ladder.services import releases

MEDIA = "media.tar.gz"
FACTS = "backup.json"


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
    facts = counts() | {"made_at": timezone.now().isoformat(), "release": releases.stamp()}
    if connection.vendor == "sqlite":
        with (
            closing(sqlite3.connect(_sqlite_path())) as source,
            closing(sqlite3.connect(folder / "ladle.sqlite3")) as copy,
        ):
            source.backup(copy)
            if copy.execute("pragma integrity_check").fetchone() != ("ok",):
                raise BackupError("The copy of the database is damaged.")
    else:
        _run("pg_dump", "--format=custom", f"--file={folder / 'ladle.dump'}", _postgres_url())
        _run("pg_restore", "--list", str(folder / "ladle.dump"))
    settings.MEDIA_ROOT.mkdir(parents=True, exist_ok=True)
    with tarfile.open(folder / MEDIA, "w:gz", compresslevel=1) as archive:
        archive.add(settings.MEDIA_ROOT, arcname=".")
    (folder / FACTS).write_text(json.dumps(facts, indent=1))
    return facts


def restore(folder: Path) -> dict[str, object]:
    """Put a backup in the place of what is there; every process of the site must be stopped."""
    if not (folder / FACTS).exists():
        raise BackupError(f"{folder} is no backup: it has no {FACTS}.")
    _require_rest()
    if connection.vendor == "sqlite":
        _restore_sqlite(folder / "ladle.sqlite3")
    else:
        options = ["--clean", "--if-exists", "--no-owner", "--single-transaction"]
        database = f"--dbname={_postgres_url()}"
        connections.close_all()
        _run("pg_restore", *options, "--exit-on-error", database, str(folder / "ladle.dump"))
    settings.MEDIA_ROOT.mkdir(parents=True, exist_ok=True)
    with tarfile.open(folder / MEDIA) as archive:
        # Debian's Python 3.11.2 has no filters yet; the archive is our own.
        safely: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        archive.extractall(settings.MEDIA_ROOT, **safely)
    # Whoever led or played when the backup was made does so no longer.
    Lock.objects.all().delete()
    Worker.objects.all().delete()
    return counts()


def counts() -> dict[str, object]:
    """Enough to see that a restored site is the one that was saved."""
    return {
        "matches": Match.everything.count(),
        "plays": Play.objects.count(),
        "versions": Version.objects.count(),
    }


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
