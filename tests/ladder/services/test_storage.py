"""Sources and replays, in folders and in the database."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.test import Client

from ladder.models import Bot, StoredFile
from ladder.queries.replays import fresh_verdict
from ladder.services.storage import MediaFiles
from tests.factories import make_bot, make_match
from tests.local_play import play_and_finish


@pytest.fixture
def in_database(settings: Any, db: None) -> Iterator[None]:
    settings.STORAGES = settings.STORAGES | {
        "default": {"BACKEND": "ladder.services.storage.DatabaseFiles"}
    }
    yield


def test_a_match_is_played_watched_and_verified_without_a_folder(
    in_database: None, tmp_path: Path, settings: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    one, other = make_bot(name="Miso"), make_bot(name="Shio")
    match = make_match(one, other, seed=7)
    assert play_and_finish(match)

    verdicts = [fresh_verdict(play) for play in match.plays.all()]
    answer = Client().get(f"/api/v1/matches/{match.pk}/plays/0/replay/?format=gzip")

    assert len(verdicts) == 2
    assert all(verdict.ok for verdict in verdicts)
    assert answer.content == bytes(StoredFile.objects.get(name=match.plays.first().replay).content)
    assert list(tmp_path.iterdir()) == []


def test_files_of_the_database_behave_as_those_of_a_folder(in_database: None) -> None:
    name = default_storage.save("stored/x", ContentFile(b"one"))
    assert default_storage.save("stored/x", ContentFile(b"other")) == name == "stored/x"

    with default_storage.open(name) as file:
        assert file.read() == b"other"
    assert default_storage.size(name) == 5
    assert default_storage.exists(name)
    default_storage.delete(name)
    assert not default_storage.exists(name)
    with pytest.raises(FileNotFoundError):
        default_storage.open(name)


def test_files_are_made_lasting_before_their_folder_and_it_only_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    files = MediaFiles(location=tmp_path)
    synced = []

    def sync(handle: int) -> None:
        synced.append(stat.S_ISDIR(os.fstat(handle).st_mode))

    monkeypatch.setattr(os, "fsync", sync)
    files.save_all({"replays/000/a": b"one", "replays/000/b": b"other"})

    new_folders = [True, True]
    assert synced == [*new_folders, False, False, True]
    found = {path.name: path.read_bytes() for path in (tmp_path / "replays/000").iterdir()}
    assert found == {"a": b"one", "b": b"other"}


def test_a_folder_is_taken_over_once(in_database: None, tmp_path: Path) -> None:
    (tmp_path / "replays").mkdir()
    (tmp_path / "replays" / "a.json.gz").write_bytes(b"a")
    (tmp_path / "replays" / ".draft-1").write_bytes(b"half")
    (tmp_path / "b.py").write_bytes(b"b")
    told = StringIO()

    call_command("take_media", tmp_path, stdout=told)
    call_command("take_media", tmp_path, stdout=told)

    assert {file.name: bytes(file.content) for file in StoredFile.objects.all()} == {
        "replays/a.json.gz": b"a",
        "b.py": b"b",
    }
    assert told.getvalue().splitlines()[0].startswith("2 of 3 files taken")
    assert told.getvalue().splitlines()[1].startswith("0 of 3")
    with pytest.raises(CommandError, match="is no folder"):
        call_command("take_media", tmp_path / "nowhere")


def test_a_source_is_read_from_the_database(in_database: None) -> None:
    bot: Bot = make_bot(name="Miso")
    version = bot.versions.get()

    assert StoredFile.objects.filter(name=version.source.name).exists()
    assert "def decide" in version.program().content.decode()
