"""Backup and restore, and the doctor, on both databases as an operator runs them."""

from __future__ import annotations

import json
import shutil
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests import servers
from tests.servers import manage, product_environment, run_manage

SITE = """
from tests.factories import make_match
from tests.local_play import play_and_finish
for _ in range(3):
    play_and_finish(make_match())
"""
LOOK = """
from ladder.models import Match, Play
from ladder.replays.referee import fresh_verdict
print(Match.objects.finished().count(), all(fresh_verdict(p).ok for p in Play.objects.all()))
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def environment(request, tmp_path) -> dict[str, str]:
    with ExitStack() as stack:
        chosen = {}
        if request.param == "postgresql":
            server = stack.enter_context(servers.postgres(tmp_path / "postgres"))
            chosen["DATABASE_URL"] = f"postgresql://ladle@127.0.0.1:{server.port}/postgres"
        made = product_environment(tmp_path / "var", **chosen)
        manage(made, "migrate", "-v0")
        manage(made, "shell", "-v0", "-c", SITE)
        yield made


@pytest.mark.services
def test_a_restored_site_is_the_one_that_was_saved(environment, tmp_path):
    copy = tmp_path / "copy"
    said = manage(environment, "backup", str(copy))
    assert "matches 3, plays 6" in said
    # Then everything is lost, and something else is there.
    shutil.rmtree(Path(environment["LADLE_VAR"]) / "media")
    manage(
        environment,
        "shell",
        "-v0",
        "-c",
        "from ladder.models import *; Play.objects.all().delete()",
    )

    assert "plays 6" in manage(environment, "restore", str(copy))

    assert manage(environment, "shell", "-v0", "-c", LOOK) == "3 True\n"
    assert "0 differences" in manage(environment, "ratings", "--verify")


@pytest.mark.services
def test_a_backup_that_does_not_hold_what_was_saved_is_refused(environment, tmp_path):
    copy = tmp_path / "copy"
    manage(environment, "backup", str(copy))
    facts = json.loads((copy / "backup.json").read_text())
    for what in ("files", "plays"):
        (copy / "backup.json").write_text(json.dumps(facts | {what: facts[what] + 1}))

        refused = run_manage(environment, "restore", str(copy))

        assert refused.returncode == 1
        assert f"{facts[what]} {what} instead of {facts[what] + 1}" in refused.stderr


@pytest.mark.services
def test_nothing_is_restored_below_a_running_site(environment, tmp_path):
    manage(environment, "backup", str(tmp_path / "copy"))
    lead = "from ladder.models import *; from datetime import timedelta;"
    lead += "Lock.objects.take('scheduler', 'one', timedelta(seconds=15))"
    manage(environment, "shell", "-v0", "-c", lead)

    refused = run_manage(environment, "restore", str(tmp_path / "copy"))

    assert refused.returncode == 1
    assert "stop web, workers and scheduler first" in refused.stderr


def test_a_folder_that_is_no_backup_is_refused(tmp_path):
    environment = product_environment(tmp_path / "var")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()

    assert "is not a backup" in run_manage(environment, "restore", str(tmp_path / "other")).stderr
    assert "is not empty" in run_manage(environment, "backup", str(tmp_path / "other")).stderr


@pytest.mark.jail
def test_the_doctor_names_what_is_wrong_and_plays_in_the_sandbox(tmp_path):
    environment = product_environment(tmp_path / "var")
    manage(environment, "migrate", "-v0")

    done = run_manage(environment, "doctor")

    told = dict(line.split(None, 1) for line in done.stdout.splitlines())
    assert done.returncode == 1
    assert told["database"] == told["storage"] == told["sandbox"] == "ok"
    assert told["workers"] == "No worker has been heard of for a minute."
    assert f"2 of {len(told)} need your attention" in done.stderr
