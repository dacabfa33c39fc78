"""Datasets: what they hold, when they are sealed, and that memory does not grow with them."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from datetime import timedelta
from itertools import count
from pathlib import Path

import msgspec
import pandas
import polars
import pyarrow.parquet
import pytest
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.utils import timezone

from engine.match import Answer, Fault
from engine.replay import read
from ladder.boards import Board
from ladder.contract.datasets import SAMPLE_ROWS, TABLES, Manifest
from ladder.jobs.datasets import Nightly
from ladder.models import Dataset, Lock, Match, Play, Progress, Tournament
from ladder.queries.values import midnight
from ladder.replays.stored import load
from ladder.services import datasets
from ladder.services.datasets.tables import Sample
from ladle.data import verify
from ladle.errors import Refusal
from tests.factories import make_match
from tests.ladder.datasets.conftest import BOARDS, noon, played
from tests.local_play import Dice

DUEL = BOARDS[0]
ROOT = Path(__file__).resolve().parents[3]


def folder_of(row: Dataset, where: Path) -> Path:
    """The files of a dataset under their names, as `ladle dataset pull` writes them."""
    folder = where / f"{row.game}-{row.seats}-{row.period}"
    folder.mkdir()
    for file in row.files:
        with default_storage.open(file["stored"]) as stored:
            (folder / file["name"]).write_bytes(stored.read())
    return folder


def test_a_day_is_sealed_by_board_and_every_play_in_it_executes_again(yesterday, tmp_path):
    made = datasets.seal_due()

    assert [(row.game, row.seats) for row in made if len(row.period) == 10] == sorted(
        (board.game, board.seats) for board in yesterday
    )
    for row in made:
        checked = verify(folder_of(row, tmp_path))
        assert row.is_sealed
        assert checked.plays == row.plays == row.replays > 0
        assert checked.decisions == row.decisions


def test_pandas_and_polars_read_the_tables_as_they_are_described(yesterday, tmp_path):
    row = next(row for row in datasets.seal_due() if (row.game, row.seats) == ("ramen_ramen", 2))
    folder, match = folder_of(row, tmp_path), yesterday[DUEL]

    frames = {name: pandas.read_parquet(folder / f"{name}.parquet") for name in TABLES}
    for name, columns in TABLES.items():
        assert list(frames[name]) == [column.name for column in columns]
        assert polars.read_parquet(folder / f"{name}.parquet").shape == frames[name].shape
    replay = read(load(match.plays.get(index=1)))
    decided = polars.read_parquet(folder / "decisions.parquet").filter(polars.col("play") == 1)
    assert decided["action"].to_list() == [e["action"] for e in replay.log if "action" in e]
    assert decided["cpu_us"].to_list() == replay.cpu_us
    assert frames["matches"]["seed"].tolist() == [4711]
    assert frames["plays"]["points"].tolist()[1].tolist() == list(replay.result.points)


def test_the_manifest_the_card_and_the_metadata_name_every_file(yesterday, tmp_path):
    row = next(row for row in datasets.seal_due() if len(row.period) == 10)
    folder = folder_of(row, tmp_path)

    manifest = msgspec.json.decode((folder / "manifest.json").read_bytes(), type=Manifest)
    assert {file.name for file in manifest.files} == {
        path.name for path in folder.iterdir() if path.name != "manifest.json"
    }
    assert (manifest.rules_versions, manifest.engine) == (row.rules_versions, row.engine)
    croissant = json.loads((folder / "croissant.json").read_text())
    hashes = {one["name"]: one["sha256"] for one in croissant["distribution"]}
    assert hashes == {file.name: file.sha256 for file in manifest.files if file.rows is not None}
    assert {one["name"] for one in croissant["recordSet"]} == set(TABLES)
    card = (folder / "README.md").read_text()
    assert all(f"data_files: {name}.parquet" in card for name in TABLES)


def test_a_month_has_all_replays_in_one_file(db, tmp_path):
    last = timezone.now().date().replace(day=1) - timedelta(days=1)
    bots = played(DUEL, at=midnight(last)).entries.order_by("slot")
    played(DUEL, *(entry.bot for entry in bots), at=midnight(last), seed=5)

    month = next(row for row in datasets.seal_due() if row.period == f"{last:%Y-%m}")

    folder = folder_of(month, tmp_path)
    assert (month.matches, month.plays, month.replays) == (2, 4, 4)
    assert verify(folder).plays == 4
    assert "replays.jsonl.zst" in {file["name"] for file in month.files}


def test_a_changed_action_is_found_though_all_hashes_fit(yesterday, tmp_path):
    """Who forges a dataset can compute its hashes anew, but not other plays of these seeds."""
    row = next(row for row in datasets.seal_due() if (row.game, row.seats) == ("ramen_ramen", 2))
    folder = folder_of(row, tmp_path)
    table = polars.read_parquet(folder / "decisions.parquet")
    swapped = table.with_columns(polars.col("action").reverse())
    swapped.write_parquet(folder / "decisions.parquet")
    manifest = json.loads((folder / "manifest.json").read_text())

    with pytest.raises(Refusal, match=r"decisions\.parquet: the SHA-256 differs"):
        verify(folder)
    for file in manifest["files"]:
        file["sha256"] = hashlib.sha256((folder / file["name"]).read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(Refusal, match="play 0 of match"):
        verify(folder)


def test_a_play_with_a_fault_executes_again(db, tmp_path, monkeypatch):
    """The autopilot's moves after a fault are rows too."""
    asked = count()

    def decide(player, question):
        if next(asked) == 3:
            return Fault("crash", "the bot raised ValueError")
        return Answer((question.legal or question.suggestions)[0], cpu_us=1)

    monkeypatch.setattr(Dice, "decide", decide)
    played(Board("potage_sauvage", 3))

    folder = folder_of(datasets.seal_due()[0], tmp_path)

    table = polars.read_parquet(folder / "decisions.parquet")
    assert table["fault"].drop_nulls().to_list() == ["crash"]
    assert table["auto"].sum() > 0
    assert verify(folder).plays == 3


def test_a_day_is_not_sealed_while_one_of_its_matches_runs(yesterday):
    running = make_match()
    assert Match.all_objects.filter(pk=running.pk).claim_next("worker")
    Match.all_objects.filter(pk=running.pk).update(started_at=noon())

    assert datasets.seal_due() == []

    Match.all_objects.filter(pk=running.pk).update(started_at=timezone.now())
    assert datasets.seal_due()
    assert datasets.seal_due() == [], "once"


def test_today_can_be_made_as_it_stands_and_is_replaced(db):
    first = played(DUEL, at=timezone.now())
    today = timezone.now().date()

    (open_one,) = datasets.make_day(today)
    assert not open_one.is_sealed
    bots = [entry.bot for entry in first.entries.order_by("slot")]
    played(DUEL, *bots, at=timezone.now(), seed=6)
    (again,) = datasets.make_day(today)

    assert (again.pk, again.matches) == (open_one.pk, 2)
    before = {file["stored"] for file in open_one.files}
    now = {file["stored"] for file in again.files}
    assert not any(default_storage.exists(name) for name in before - now)
    assert all(default_storage.exists(name) for name in now)


def test_nothing_hidden_is_in_a_dataset(yesterday):
    """No match of a private tournament, none that waits, and no evidence of faults."""
    alone = yesterday[DUEL]
    cup = Tournament.objects.create(
        name="Secret",
        is_public=False,
        game=DUEL.game,
        seats=2,
        format="swiss",
        organiser=alone.entries.first().bot.owner,
    )
    pairing = cup.pairings.create(
        round=1, table=1, label="", drawn=[], drawn_at_step=0, entrants=[]
    )
    Match.objects.filter(pk=alone.pk).update(pairing=pairing, kind="tournament", number=1)
    make_match(kind="ladder")

    assert DUEL not in {Board(row.game, row.seats) for row in datasets.seal_due()}
    columns = {column.name for table in TABLES.values() for column in table}
    assert not columns & {"owner", "detail", "printed", "why", "created_by", "worker"}


def test_a_replay_that_was_dropped_is_counted_as_missing(yesterday, tmp_path):
    Play.objects.filter(match=yesterday[DUEL], index=0).update(replay="")

    row = next(row for row in datasets.seal_due() if (row.game, row.seats) == ("ramen_ramen", 2))

    assert (row.plays, row.replays, row.missing_replays) == (2, 1, 1)
    assert verify(folder_of(row, tmp_path)).plays == 1


def test_a_process_that_died_makes_the_same_files_again(yesterday, monkeypatch):
    def die(**_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Progress.objects, "update_or_create", die)
        with pytest.raises(KeyboardInterrupt):
            datasets.seal_due()
    before = {row.period + row.game: row.files for row in Dataset.objects.all()}
    assert before

    datasets.seal_due()

    assert {row.period + row.game: row.files for row in Dataset.objects.all()} == before


def test_two_processes_do_not_make_datasets_at_once(yesterday):
    assert Lock.objects.take("datasets", "another", timedelta(minutes=1))

    with pytest.raises(CommandError, match="Another process is making datasets"):
        call_command("datasets")


def test_the_command_tells_what_it_made(yesterday, capsys):
    call_command("datasets")
    told = capsys.readouterr().out
    assert "ramen_ramen/2 of" in told and "sealed" in told

    call_command("datasets")
    assert "Nothing to do" in capsys.readouterr().out
    with pytest.raises(CommandError, match="is not a date"):
        call_command("datasets", day="yesterday")


def test_the_scheduler_starts_the_command_when_a_day_is_over(yesterday, monkeypatch):
    started = []

    class Process:
        def __init__(self, command, **_):
            started.append(command[1:])

        def poll(self):
            return None

    monkeypatch.setattr("ladder.jobs.datasets.subprocess.Popen", Process)
    monkeypatch.setattr("ladder.jobs.datasets.LOOK_S", 0.0)
    nightly = Nightly()

    nightly.turn()
    nightly.turn()

    assert started == [[str(ROOT / "manage.py"), "datasets"]], "once, while it runs"


def test_a_sample_has_1000_rows_of_all_and_is_the_same_every_time(tmp_path):
    def drawn() -> list[int]:
        sample = Sample("ramen_ramen/2 2026-11-17")
        for n in range(20_000):
            sample.add((n, 0, 0, 0, "", "", False, None, None))
        path = tmp_path / "sample.parquet"
        assert sample.write(path, "decisions") == SAMPLE_ROWS
        return polars.read_parquet(path)["match"].to_list()

    rows = drawn()
    assert rows == sorted(set(rows)) == drawn()
    assert 8_500 < sum(rows) / len(rows) < 11_500, "from the whole table"


MEMORY = """
import resource, sys
from pathlib import Path
import django
django.setup()
from ladder.services.datasets.tables import Rows
rows = Rows(Path(sys.argv[1]), "decisions")
def add(count):
    for n in range(count):
        rows.add((n, n % 2, n % 50, n % 3, "choose", f"take {n * 7919 % 1000003}", False, None, n))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
small = add(100_000)
large = add(1_000_000)
rows.close()
print(small, large)
"""


def test_memory_does_not_grow_with_the_rows(tmp_path):
    told = subprocess.run(
        [sys.executable, "-c", MEMORY, str(tmp_path / "rows.parquet")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"},
    )
    assert told.returncode == 0, told.stderr
    small, large = map(int, told.stdout.split())

    assert large - small < 15_000, f"{small} kB for 100,000 rows, {large} kB for 1,100,000"
    assert pyarrow.parquet.ParquetFile(tmp_path / "rows.parquet").metadata.num_rows == 1_100_000
