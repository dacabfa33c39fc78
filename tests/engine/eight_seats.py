"""Run by test_fifth_game.py in a copy of the project that has the toy game, at eight seats."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from engine.games import GAMES, MAX_SEATS
from ladder.boards import Board
from ladder.jobs import worker
from ladder.models import Match, Rating, User, Version
from ladder.services import bots as services
from ladder.services import scheduling, tournaments
from ladder.services.rating import fitting
from ladder.tournaments.record import verify
from tests.factories import make_bot, make_user
from tests.local_play import play_and_finish

pytestmark = pytest.mark.django_db(transaction=True)
EIGHT = Board("toy", 8)
LAST = "def decide(view):\n    return view['legal'][-1]\n"
SOURCE = GAMES["toy"].house_bots()["random"].read_text(encoding="utf-8")


@pytest.fixture
def client():
    client = Client()
    client.force_login(make_user("alice"))
    return client


def post(client, path, **fields):
    return client.post(f"/api/v1/{path}", json.dumps(fields), content_type="application/json")


def test_the_gate_accepts_a_bot_that_came_by_the_api_and_one_by_the_form(client):
    made = post(client, "bots/", game="toy", name="Eighth", seat_counts=[8])
    assert made.status_code == 201, made.content
    bot = made.json()["id"]
    assert post(client, f"bots/{bot}/versions/", filename="b.py", source=SOURCE).status_code == 201
    form = {"name": "By hand", "game": "toy", "seat_counts": [8], "pasted": LAST}
    assert client.post("/upload/", form).status_code == 302

    while worker.work_once():
        pass

    assert set(Version.objects.values_list("status", flat=True)) == {"accepted"}
    assert Rating.objects.on(EIGHT).listed().count() == 2


def test_eight_bots_meet_on_the_ladder_and_are_shown_everywhere(client):
    bots = [make_bot(game="toy", seat_counts=[8]) for _ in range(8)]
    for bot in bots:
        services.activate(version=bot.active_version)
    scheduling.fill_queue()
    match = Match.objects.waiting().filter(game="toy", seats=8).first()
    assert match is not None and match.entries.count() == 8
    for one in Match.objects.waiting():
        assert play_and_finish(one)
    assert fitting.rate_ready_ticks()

    board = client.get("/boards/toy/8/").content.decode()
    assert all(bot.name in board for bot in bots)
    ladder = [
        row["bot"]["name"]
        for part in ("true", "false")
        for row in client.get(f"/api/v1/boards/toy/8/ladder/?provisional={part}").json()["results"]
    ]
    assert sorted(ladder) == sorted(bot.name for bot in bots)
    assert client.get("/api/v1/matches/?seats=8").json()["results"]
    assert client.get("/api/v1/matches/?seats=9").status_code == 400
    assert f"#{match.pk}" in client.get("/matches/?seats=8").content.decode()
    for path in ("/", "/games/toy/", "/styleguide/", f"/matches/{match.pk}/"):
        assert client.get(path).status_code == 200, path
    assert client.get(f"/bots/{bots[0].pk}/?seats=8").status_code == 200
    theatre = f"/matches/{match.pk}/plays/7/"
    assert client.get(theatre).status_code == 200
    assert client.get(f"{theatre}frames.json?view=7").status_code == 200
    assert client.get(f"/matches/{match.pk}/verify/").context["is_sound"]


def test_a_tournament_of_eight_at_a_table_is_entered_and_played_to_its_end(client):
    asked = {"game": "toy", "seats": 8, "format": "pods", "name": "Octet", "max_entrants": 16}
    assert MAX_SEATS == 8

    made = post(client, "tournaments/", **asked)

    assert made.status_code == 201, made.content
    path = f"tournaments/{made.json()['id']}/"
    alice = User.objects.get(username="alice")
    for number in range(10):  # two of them have a bye each round
        bot = make_bot(alice, game="toy", seat_counts=[8], name=f"Eater {number}")
        entered = post(client, f"{path}entrants/", bot=bot.pk)
        assert entered.status_code == 201, entered.content
    assert post(client, f"{path}start/").status_code == 200
    gone = client.get(f"/api/v1/{path}entrants/").json()[0]["bot"]
    assert post(client, f"{path}entrants/{gone}/withdraw/").status_code == 200
    for _ in range(20):
        tournaments.advance_all()
        for match in Match.objects.waiting():
            assert match.entries.count() == 8
            assert play_and_finish(match)
    assert client.get(f"/api/v1/{path}").json()["status"] == "finished"
    assert client.get(f"/{path}").status_code == 200
    assert verify(client.get(f"/api/v1/{path}record/").json())


def test_nobody_can_ask_for_groups_where_a_table_cannot_shrink(client):
    asked = {"game": "toy", "seats": 8, "format": "groups", "name": "Octet", "max_entrants": 16}

    assert post(client, "tournaments/", **asked).json()["code"] == "format_does_not_fit"
    formats = client.get("/api/v1/boards/toy/8/formats/").json()
    assert [one["name"] for one in formats] == ["pods"]
