"""Sources and replays, in folders, in the database and in S3."""

from __future__ import annotations

import gzip
import os
import stat
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from botocore.config import Config
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.test import Client

from engine.replay import packed, read
from ladder.models import Bot, Match, Play, StoredFile
from ladder.operation import bundles, health
from ladder.operation.places import s3_options
from ladder.operation.s3 import S3Files
from ladder.operation.storage import MediaFiles
from ladder.replays.referee import fresh_verdict
from ladder.replays.stored import load
from ladder.services import matches
from tests import servers
from tests.factories import make_bot, make_match
from tests.local_play import play_and_finish, record_of


@pytest.fixture
def in_database(settings: Any, db: None) -> Iterator[None]:
    settings.STORAGES = settings.STORAGES | {
        "default": {"BACKEND": "ladder.operation.storage.DatabaseFiles"}
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
    assert read(answer.content).digest() == match.plays.first().digest
    (file,) = StoredFile.objects.filter(name__startswith="replays/")
    assert {bundles.file_of(play.file) for play in match.plays.all()} == {file.name}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.django_db
def test_replays_of_a_match_lie_in_one_file_and_each_is_read_as_if_it_were_alone() -> None:
    match = make_match(seed=7)
    claimed = Match.all_objects.claim_next("one")
    assert claimed is not None
    record = record_of(match)

    assert matches.finish(claimed, record)

    plays = list(match.plays.order_by("index"))
    (file,) = {bundles.file_of(play.file) for play in plays}
    alone = [packed(one.played.replay.to_json()) for one in record.plays]
    assert len(plays) == len(alone) == 2
    assert [load(play) for play in plays] == alone  # what is downloaded, byte by byte
    assert default_storage.size(file) < sum(map(len, alone))
    default_storage.delete_all([play.file for play in plays])  # type: ignore[attr-defined]
    assert not any(default_storage.exists(name) for name in [file, *(p.file for p in plays)])


@pytest.mark.django_db
def test_a_replay_in_a_file_of_its_own_is_read_where_it_lies() -> None:
    match = make_match()
    assert play_and_finish(match)
    play = match.plays.earliest("index")
    data = load(play)
    earlier = default_storage.save("replays/000/1-0-abc.json.gz", ContentFile(data))
    Play.objects.filter(pk=play.pk).update(replay=earlier)
    play.refresh_from_db()

    assert load(play) == data
    assert fresh_verdict(play).ok
    default_storage.delete(play.file)
    assert fresh_verdict(match.plays.latest("index")).ok  # the other's file is another


@pytest.mark.django_db
@pytest.mark.parametrize("damage", [b"", b"no archive", bundles.bundled([])])
def test_a_damaged_file_is_a_replay_that_does_not_verify(damage: bytes) -> None:
    match = make_match()
    assert play_and_finish(match)
    play = match.plays.latest("index")
    default_storage.save(bundles.file_of(play.file), ContentFile(damage))

    verdict = fresh_verdict(play)

    assert not verdict.ok
    assert "truncated or not JSON" in str(verdict.problem)


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

    call_command("import_media", tmp_path, stdout=told)
    call_command("import_media", tmp_path, stdout=told)

    assert {file.name: bytes(file.content) for file in StoredFile.objects.all()} == {
        "replays/a.json.gz": b"a",
        "b.py": b"b",
    }
    assert told.getvalue().splitlines()[0].startswith("2 of 3 files taken")
    assert told.getvalue().splitlines()[1].startswith("0 of 3")
    with pytest.raises(CommandError, match="is not a folder"):
        call_command("import_media", tmp_path / "nowhere")


def test_a_source_is_read_from_the_database(in_database: None) -> None:
    bot: Bot = make_bot(name="Miso")
    version = bot.versions.get()

    assert StoredFile.objects.filter(name=version.source.name).exists()
    assert "def decide" in version.program().content.decode()


@pytest.fixture(scope="module")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real S3 API with an empty bucket."""
    port = servers.free_port()
    argv = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    server = servers.Server(argv, port=port, log=tmp_path_factory.mktemp("s3") / "log")
    server.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.stop()


@pytest.fixture
def in_s3(
    s3: str, settings: Any, db: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, Any]]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "only for tests")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    options = s3_options("s3://ladle/media/", endpoint=s3)
    made = S3Files(**options)
    made.connection.create_bucket(Bucket="ladle")
    settings.STORAGES = settings.STORAGES | {
        "default": {"BACKEND": "ladder.operation.s3.S3Files", "OPTIONS": options}
    }
    yield options


@pytest.mark.services
def test_a_match_is_played_watched_and_verified_from_s3(
    in_s3: dict[str, Any], tmp_path: Path, settings: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    match = make_match(make_bot(name="Miso"), make_bot(name="Shio"), seed=7)
    assert play_and_finish(match)

    verdicts = [fresh_verdict(play) for play in match.plays.all()]
    answer = Client().get(f"/api/v1/matches/{match.pk}/plays/0/replay/?format=gzip")

    assert [verdict.ok for verdict in verdicts] == [True, True]
    assert gzip.decompress(answer.content)
    assert list(tmp_path.iterdir()) == []
    names = [play.replay.name for play in match.plays.all()]
    assert len({bundles.file_of(name) for name in names}) == 1
    bucket = S3Files(**in_s3).bucket
    stored = {one.key for one in bucket.objects.all()}
    assert {f"media/{bundles.file_of(name)}" for name in names} <= stored
    default_storage.delete_all(names)  # type: ignore[attr-defined]
    assert not any(default_storage.exists(name) for name in names)


@pytest.mark.services
def test_files_of_s3_behave_as_those_of_a_folder(in_s3: dict[str, Any]) -> None:
    name = default_storage.save("stored/x", ContentFile(b"one"))
    assert default_storage.save("stored/x", ContentFile(b"other")) == name == "stored/x"

    with default_storage.open(name) as file:
        assert file.read() == b"other"
    assert default_storage.size(name) == 5
    default_storage.delete(name)
    assert not default_storage.exists(name)
    with pytest.raises(FileNotFoundError):
        default_storage.open(name).read()


@pytest.mark.services
def test_a_storage_that_is_away_is_a_sentence_of_the_health_check(
    in_s3: dict[str, Any], settings: Any
) -> None:
    assert health.storage() == ""
    away = {"endpoint_url": f"http://127.0.0.1:{servers.free_port()}"}
    away["client_config"] = Config(retries={"total_max_attempts": 1}, connect_timeout=1)
    settings.STORAGES = settings.STORAGES | {
        "default": {"BACKEND": "ladder.operation.s3.S3Files", "OPTIONS": in_s3 | away}
    }

    assert "takes no file: the object storage does not answer" in health.storage()


def test_an_address_without_a_bucket_is_refused() -> None:
    with pytest.raises(SystemExit, match="write s3://BUCKET"):
        s3_options("s3:///media")


def test_a_file_in_the_database_is_replaced_by_one_statement(
    in_database: None, django_assert_num_queries: Any
) -> None:
    for content in (b"first", b"second"):
        with django_assert_num_queries(1):
            default_storage.save_all(  # type: ignore[attr-defined]
                {"replays/a": content, "replays/b": content + b"!"}
            )

    assert default_storage.open("replays/a").read() == b"second"
    assert StoredFile.objects.count() == 2
