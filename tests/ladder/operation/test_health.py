import json
import re
from datetime import timedelta

import pytest
import yaml
from django.utils import timezone

from ladder.models import Lock, Worker
from ladder.queries.replays import fresh_verdict
from tests.factories import make_match
from tests.local_play import play_and_finish
from tests.servers import ROOT

pytestmark = pytest.mark.django_db


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
