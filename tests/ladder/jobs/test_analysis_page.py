"""The server's analysis of a play: asked for on its page, read as JSON."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from engine.analysis.analyst import Settings, analyst_for
from engine.games import GAMES
from ladder.jobs import analyses as jobs
from ladder.models import Match, Play
from tests.factories import make_match, make_user
from tests.local_play import play_and_finish


@pytest.fixture
def play(db: None) -> Play:
    match = make_match()
    play_and_finish(match)
    return match.plays.get(index=0)


@pytest.fixture
def client(db: None) -> Client:
    """Somebody who has signed in."""
    found = Client()
    found.force_login(make_user())
    return found


def address(match: Match) -> str:
    return reverse("analysis", args=[match.pk, 0])


def told(client: Client, match: Match) -> dict:
    """What the page of the play tells its script about the analysis."""
    page = client.get(reverse("theatre", args=[match.pk, 0])).content.decode()
    setup = page.split('id="theatre-setup" type="application/json">')[1].split("</script>")[0]
    return json.loads(setup)["analysis"]


def test_a_user_asks_sees_the_queue_and_reads_the_analysis(
    client: Client, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyst = analyst_for(GAMES["ramen_ramen"])
    monkeypatch.setattr(type(analyst), "budgets", {"standard": Settings(2, 4, 2)})
    monkeypatch.setattr(jobs, "_next_look", 0.0)
    assert told(client, play.match)["token"]
    assert client.get(address(play.match)).status_code == 404

    asked = client.post(address(play.match))

    assert asked.json() == {"status": "queued", "ahead": 0}
    assert told(Client(), play.match)["status"] == "queued"
    assert jobs.work_once(is_idle=True)
    read = Client().get(address(play.match))
    assert read["Content-Type"] == "application/json"
    assert read.json()["replay"] == play.digest
    assert told(Client(), play.match)["status"] == "done"


def test_strangers_read_and_do_not_ask(play: Play) -> None:
    refused = Client().post(address(play.match))

    assert refused.status_code == 401
    assert refused.json() == {"problem": "Sign in to ask for an analysis."}
    assert "token" not in told(Client(), play.match)


def test_the_quota_is_told_in_a_sentence(client: Client, play: Play, settings) -> None:
    settings.MAX_ANALYSES_PER_DAY = 0

    refused = client.post(address(play.match))

    assert refused.status_code == 429
    assert "limit of 0 server analyses a day" in refused.json()["problem"]
