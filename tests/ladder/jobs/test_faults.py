"""Our own failures: what is sick rests, what failed is tried again, and no bot pays for it."""

from __future__ import annotations

import errno
import json
import os
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from ladder.jobs import worker
from ladder.models import Lock, Match, Release, Version, Worker
from ladder.operation import health, releases
from ladder.operation.bundles import file_of
from ladder.replays.referee import fresh_verdict
from ladder.services import bots, matches
from tests import servers
from tests.factories import make_bot, make_match
from tests.local_play import record_of
from tests.servers import PYTHON, ROOT, manage, product_environment, wait_until

pytestmark = pytest.mark.django_db


def claimed(match: Match) -> Match:
    found = Match.all_objects.filter(pk=match.pk).claim_next("one")
    assert found is not None
    return found


@pytest.mark.parametrize("is_allowed", [False, True])
def test_rated_play_stops_where_plays_are_not_independent(monkeypatch, settings, is_allowed):
    """Unless the operator allows it; checks of uploads go on."""
    settings.ALLOW_SHARED_CACHE = is_allowed
    monkeypatch.setenv("LADLE_RUNTIME", "/proc/on-a-disk")
    monkeypatch.setattr(worker.nudges, "served", lambda: [0, 1, 2, 3])
    performed = []
    monkeypatch.setattr(worker, "perform", lambda match: performed.append(match.kind) or "finished")
    monkeypatch.setattr(worker, "problem_here", lambda: "")
    ladder = make_match(kind=Match.Kind.LADDER)
    make_match(kind=Match.Kind.CHALLENGE)

    while worker.work_once():
        pass

    assert performed == ["challenge", "ladder"][: 1 + is_allowed]
    ladder.refresh_from_db()
    assert (ladder.status == Match.Status.QUEUED) is not is_allowed
    worker.send_heartbeat("", worker.notice())
    told = "goes on" if is_allowed else "is stopped"
    assert "Plays are not independent" in health.independence()
    assert f"Rated play {told}" in health.independence()


def replay_files() -> list[Path]:
    return [path for path in Path(default_storage.path("replays")).rglob("*") if path.is_file()]


def test_a_full_disk_leaves_no_file_and_the_next_attempt_stores_whole_ones(monkeypatch):
    match = make_match()
    known = set(replay_files()) if Path(default_storage.path("replays")).exists() else set()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            matches.finish(claimed(match), record_of(match))
    assert set(replay_files()) == known
    matches.fail(match_again := Match.all_objects.get(pk=match.pk), "full")
    Match.all_objects.filter(pk=match.pk).update(retry_at=None)

    assert matches.finish(claimed(match_again), record_of(match))
    assert all(fresh_verdict(play).ok for play in match.plays.all())


def test_an_empty_file_by_a_replays_name_is_written_anew():
    match = make_match()
    assert matches.finish(claimed(match), record_of(match))
    paths = {file_of(play.file) for play in match.plays.all()}
    twin = make_match()
    Match.all_objects.filter(pk=match.pk).update(
        status=Match.Status.QUEUED, finished_at=None, attempt=0
    )
    match.plays.all().delete()
    for path in paths:
        Path(default_storage.path(path)).write_bytes(b"")

    assert matches.finish(claimed(match), record_of(match))
    assert twin.pk != match.pk
    assert all(fresh_verdict(play).ok for play in match.plays.all())


def test_a_failed_match_rests_longer_each_time(settings):
    settings.MAX_ATTEMPTS = 9
    match = make_match()
    rests = []
    for _ in range(6):
        matches.fail(claimed(match), "no luck")
        match.refresh_from_db()
        rests.append(round((match.retry_at - timezone.now()).total_seconds()))
        assert Match.all_objects.claim_next("two") is None
        Match.all_objects.filter(pk=match.pk).update(retry_at=timezone.now() - timedelta(seconds=1))

    assert rests == [1, 5, 30, 120, 120, 120]


def test_a_sick_worker_rests_and_says_so(client, monkeypatch):
    queued = [make_match() for _ in range(8)]
    Worker.objects.create(name=worker._station, seen_at=timezone.now())
    monkeypatch.setattr(worker, "breaker", worker.Breaker())
    monkeypatch.setattr(worker.available, "missing", lambda: None)

    def broken(match: Match) -> None:
        raise OSError("the runtime is gone")

    monkeypatch.setattr(worker.runner, "play", broken)
    while worker.work_once():
        pass

    tried = Match.all_objects.filter(pk__in=[match.pk for match in queued], attempt__gt=0).count()
    assert tried == worker.Breaker.FAILURES
    assert not Match.all_objects.filter(status=Match.Status.VOID).exists()
    assert "3 matches in a row failed" in str(client.get("/readyz").json())
    assert "ladle_workers_failing 1.0" in client.get("/metrics").content.decode()


def test_an_upload_whose_check_broke_on_our_side_is_checked_again(settings, monkeypatch):
    settings.MAX_ATTEMPTS = 1
    monkeypatch.setattr(matches, "CHECK_PATIENCE", 1)
    bot = make_bot(with_version=False)
    content = b"def decide(view):\n    return view['legal'][0]\n"
    version, _ = bots.upload(bot=bot, filename="b.py", content=content)
    check = Match.all_objects.get(kind=Match.Kind.CHECK)
    matches.fail(claimed(check), "the disk is full")
    version.refresh_from_db()
    assert version.status == Version.Status.REJECTED

    again, is_new = bots.upload(bot=bot, filename="b.py", content=content)

    assert (again.pk, is_new, again.status) == (version.pk, False, Version.Status.CHECKING)
    assert Match.all_objects.due().filter(kind=Match.Kind.CHECK).count() == 1


def test_a_leader_whose_clock_was_ahead_does_not_lead_after_its_death():
    ahead = timezone.now() + timedelta(hours=2)
    Lock.objects.create(name="scheduler", holder="ahead", until=ahead)

    assert Lock.objects.take("scheduler", "right", timedelta(seconds=15))


def test_a_lease_given_by_a_clock_that_was_ahead_lapses():
    match = claimed(make_match())
    Match.all_objects.filter(pk=match.pk).update(lease_until=timezone.now() + timedelta(hours=2))

    assert matches.sweep() == 1


def test_a_worker_of_another_version_does_not_play(monkeypatch):
    make_match()
    Release.objects.create(pk=1, stamp="9.9.9-of-another-time")
    monkeypatch.setattr(worker.available, "missing", lambda: None)
    worker._mismatch.cache_clear()

    assert not worker.work_once()
    assert "the site is 9.9.9-of-another-time" in worker.problem_here()

    releases.record()
    worker._mismatch.cache_clear()
    assert worker.problem_here() == ""


def test_a_worker_behind_the_schema_does_not_play(monkeypatch):
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied)"
            " VALUES ('ladder', '9999_from_the_future', '2030-01-01')"
        )

    assert "ahead of this version" in releases.mismatch()


SLOW = """
from ladder.models import Bot
from tests.factories import make_bot, make_match
source = "import time\\ndef decide(view):\\n    time.sleep(0.3)\\n    return view['legal'][0]\\n"
print(make_match(make_bot(source=source), make_bot(source=source)).pk)
"""


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Of processes with a broker, as `make run` starts it."""
    made = product_environment(tmp_path / "var")
    with servers.private_redis(made):
        yield made


@pytest.mark.services
@pytest.mark.jail
def test_celerys_own_tools_show_the_match_that_is_played(tmp_path, environment):
    manage(environment, "migrate", "-v0")
    number = int(manage(environment, "shell", "-v0", "-c", SLOW))
    player = servers.worker(environment, tmp_path / "log")
    player.start()
    shown: dict[str, object] = {}

    def is_shown() -> bool:
        words = ["-A", "ladder.jobs.celery", "inspect", "active", "--json", "--timeout", "2"]
        done = subprocess.run(
            [PYTHON, "-m", "celery", *words],
            cwd=ROOT, env=environment, capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode:
            return False
        tasks = [task for some in json.loads(done.stdout).values() for task in some]
        shown.update(*(task["kwargs"] for task in tasks))
        return "match" in shown

    try:
        wait_until(is_shown, 60, lambda: (tmp_path / "log").read_text())
    finally:
        player.stop()

    assert (shown["match"], shown["board"], shown["attempt"]) == (number, "ramen_ramen/2", 1)


@pytest.mark.services
@pytest.mark.jail
def test_a_worker_may_serve_one_kind_of_work_alone(tmp_path, environment):
    manage(environment, "migrate", "-v0")
    manage(environment, "shell", "-v0", "-c", "from tests.factories import *; make_match()")
    upload = (
        "from tests.factories import *; from ladder.services import bots;"
        "bots.upload(bot=make_bot(make_user('late')), filename='b.py',"
        " content=b'def decide(view): return view[\\'legal\\'][0]')"
    )
    player = servers.worker(environment, tmp_path / "log", "-Q", "checks")
    player.start()
    statuses = (
        "from ladder.models import *;print(dict(Match.all_objects.values_list('kind', 'status')))"
    )
    try:
        manage(environment, "shell", "-v0", "-c", upload)
        finished = "{'check': 'finished', 'challenge': 'queued'}"
        wait_until(
            lambda: eval(manage(environment, "shell", "-v0", "-c", statuses)) == eval(finished),
            60,
            lambda: (tmp_path / "log").read_text(),
        )
    finally:
        player.stop()


def test_a_file_is_stored_under_the_very_name_asked_for():
    name = default_storage.save("stored/x", ContentFile(b"1"))
    assert default_storage.save("stored/x", ContentFile(b"2")) == name

    with default_storage.open(name) as file:
        assert file.read() == b"2"
