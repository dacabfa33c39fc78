import errno
import json
import re
from datetime import timedelta

import pytest
import yaml
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ladder.models import Lock, Worker
from ladder.operation import health
from ladder.operation.storage import DatabaseFiles
from ladder.replays.referee import fresh_verdict
from tests import servers
from tests.factories import make_match
from tests.local_play import play_and_finish
from tests.servers import ROOT

pytestmark = pytest.mark.django_db

ASK_READYZ = """
from django.test import Client
answer = Client().get("/readyz")
print(answer.status_code, *answer.json()["problems"])
"""


@pytest.fixture(autouse=True)
def nothing_is_kept():
    """What one test found of its storage is not told to the next."""
    health._storage.cache_clear()
    yield
    health._storage.cache_clear()


def test_healthz_answers_without_touching_the_database(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert client.get("/healthz").content == b"ok\n"


def test_readyz_says_what_is_not_ready(client):
    answer = client.get("/readyz")

    assert answer.status_code == 503
    told = " ".join(answer.json()["problems"])
    assert "No worker" in told
    assert "scheduler" in told


def test_readyz_is_content_with_a_worker_and_a_scheduler(client):
    Worker.objects.create(name="one", seen_at=timezone.now())
    assert Lock.objects.take("scheduler", "one", timedelta(seconds=15))

    assert client.get("/readyz").json() == {"ready": True, "problems": []}


def test_readyz_tells_why_no_worker_can_play(client):
    Worker.objects.create(name="one", seen_at=timezone.now(), problem="bubblewrap is missing")

    assert "bubblewrap is missing" in str(client.get("/readyz").json())


@pytest.mark.parametrize("media", ["database", ""])
def test_without_a_database_readyz_and_doctor_say_so_in_sentences(tmp_path, media):
    environment = servers.product_environment(
        tmp_path / "var",
        DATABASE_URL="postgresql://ladle@127.0.0.1:1/none",
        LADLE_MEDIA=media or str(tmp_path / "media"),
    )

    ready = servers.run_manage(environment, "shell", "-v0", "-c", ASK_READYZ)
    doctor = servers.run_manage(environment, "doctor")

    assert "503 The database does not answer" in ready.stdout
    assert "database      The database does not answer" in doctor.stdout
    assert ("takes no file" in doctor.stdout) == (media == "database")
    assert "Traceback" not in ready.stderr + doctor.stderr
    assert "need your attention" in doctor.stderr


def test_readyz_writes_nothing_however_often_it_is_asked(client, monkeypatch):
    monkeypatch.setattr(health, "default_storage", DatabaseFiles())
    monkeypatch.setattr(health.time, "monotonic", lambda: 1000.0)
    client.get("/readyz")

    with CaptureQueriesContext(connection) as asked:
        for _ in range(3):
            client.get("/readyz")

    assert asked.captured_queries
    said = " ".join(one["sql"] for one in asked.captured_queries)
    assert not re.search("INSERT|UPDATE|DELETE|SAVEPOINT", said)


def test_readyz_notices_after_a_while_that_no_file_can_be_written(client, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(health.time, "monotonic", lambda: now[0])
    assert "takes no file" not in str(client.get("/readyz").json())

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(health.default_storage, "save", full)
    now[0] += health.PROBE_SECONDS

    assert "takes no file: No space left" in str(client.get("/readyz").json())


def test_metrics_count_the_queue_and_can_be_closed_by_a_token(client, settings):
    make_match()

    told = client.get("/metrics").content.decode()

    assert 'ladle_open_matches{kind="challenge",status="queued"} 1.0' in told
    settings.METRICS_TOKEN = "hush"
    assert client.get("/metrics").status_code == 403
    assert client.get("/metrics", headers={"authorization": "Bearer husH"}).status_code == 403
    assert client.get("/metrics", headers={"authorization": "Bearer hush"}).status_code == 200


def test_a_lock_is_held_by_one_at_a_time():
    lease = timedelta(seconds=15)

    assert Lock.objects.take("scheduler", "one", lease)
    assert not Lock.objects.take("scheduler", "two", lease)
    assert Lock.objects.take("scheduler", "one", lease)
    Lock.objects.give_back("scheduler", "one")
    assert Lock.objects.take("scheduler", "two", lease)


def test_a_stored_replay_that_was_changed_is_found():
    match = make_match()
    play_and_finish(match)
    play = match.plays.first()
    assert fresh_verdict(play).ok

    other = match.plays.last()
    play.replay = other.replay

    assert "not the one that was recorded" in fresh_verdict(play).problem
    play.replay = "replays/none.json.gz"
    assert "missing" in fresh_verdict(play).problem


def test_alerts_and_dashboard_ask_only_for_metrics_that_are_there(client):
    told = client.get("/metrics").content.decode()
    known = set(re.findall(r"^# TYPE (\w+)", told, re.MULTILINE))
    folder = ROOT / "ladder" / "deploy"
    rules = yaml.safe_load((folder / "alerts.yml").read_text())["groups"][0]["rules"]
    panels = json.loads((folder / "grafana.json").read_text())["panels"]
    asked = [rule["expr"] for rule in rules]
    asked += [target["expr"] for panel in panels for target in panel["targets"]]

    assert all(rule["annotations"]["summary"] for rule in rules)
    assert set(re.findall(r"ladle_\w+", " ".join(asked))) <= known
