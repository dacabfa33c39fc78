from __future__ import annotations

import gzip
import json

import pytest
from django.core.cache import cache
from django.test import Client

from engine.replay import read, verify
from ladder.boards import Board
from ladder.models import Match
from tests.factories import make_bot, make_match
from tests.ladder.theatre.conftest import Quitter
from tests.ladder.theatre.decoding import decoded
from tests.local_play import Dice, play_and_finish

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    bots = [make_bot(name="Miso"), make_bot(name="Shio")]
    made = make_match(*bots, seed=7)
    assert play_and_finish(made)
    return made


def address(match: Match, name: str = "") -> str:
    return f"/matches/{match.pk}/plays/0/{name}"


def test_the_page_shows_moves_result_and_files_to_those_without_javascript(match):
    page = Client().get(address(match)).content.decode()

    plain = page.partition("<noscript>")[2].partition("</noscript>")[0]
    play = match.plays.get(index=0)
    with play.replay.open("rb") as file:
        replay = read(file.read())
    first = next(entry for entry in replay.log if "action" in entry)
    assert first["action"].replace(">", "&gt;") in plain
    assert f"{play.points[0]} points, place {play.places[0]}" in plain
    assert "The table at the end" in plain
    assert f"{play.points[1]} point" in plain.partition("<pre")[2]
    assert address(match, "replay.json.gz") in page
    assert f"/matches/{match.pk}/replays.zip" in page


def test_the_film_is_the_play_and_never_changes(match):
    answer = Client().get(address(match, "frames.json"), headers={"Accept-Encoding": "gzip"})

    assert answer["Content-Encoding"] == "gzip"
    assert "immutable" in answer["Cache-Control"]
    told = json.loads(gzip.decompress(answer.content))
    assert sorted(told["names"]) == ["Miso", "Shio"]
    assert decoded(told)[-1]["view"]["points"] == match.plays.get(index=0).points


def test_a_browser_that_takes_no_gzip_gets_plain_json(match):
    answer = Client().get(address(match, "frames.json"))

    assert "Content-Encoding" not in answer
    assert answer.json()["game"] == "ramen_ramen"


def test_a_film_that_is_known_is_not_sent_again(match):
    tag = Client().get(address(match, "frames.json"))["ETag"]

    again = Client().get(address(match, "frames.json"), headers={"If-None-Match": tag})
    other = Client().get(address(match, "frames.json?view=0"), headers={"If-None-Match": tag})

    assert (again.status_code, again.content) == (304, b"")
    assert other.status_code == 200


def test_a_film_is_made_once_and_kept(match):
    first = Client().get(address(match, "frames.json")).content
    play = match.plays.get(index=0)
    play.replay.storage.delete(play.replay.name)

    assert Client().get(address(match, "frames.json")).content == first
    cache.clear()
    assert Client().get(address(match, "frames.json")).status_code == 404


def test_a_seats_film_holds_no_hand_of_another(match):
    told = Client().get(address(match, "frames.json?view=1")).json()

    hands = decoded(told)[0]["view"]["hands"]
    assert told["seat"] == 1
    assert set(hands[0]) == {"?"}
    assert "?" not in hands[1]


@pytest.mark.parametrize("view", ["2", "-1", "x", "99999999999999999999"])
def test_a_seat_that_is_not_there_is_not_found(match, view):
    assert Client().get(address(match, f"frames.json?view={view}")).status_code == 404


@pytest.mark.parametrize("name", ["", "frames.json", "position.json.gz?step=3"])
def test_only_reading_is_allowed(match, name):
    assert Client().post(address(match, name)).status_code == 405


def test_the_gates_private_plays_are_not_shown(match):
    Match.objects.filter(pk=match.pk).update(kind=Match.Kind.CHECK)

    for name in ("", "frames.json", "position.json.gz?step=3"):
        assert Client().get(address(match, name)).status_code == 404


def test_a_position_is_the_play_cut_after_the_step_and_its_luck(match):
    answer = Client().get(address(match, "position.json.gz?step=10"))

    position = read(answer.content)
    assert position.result is None
    assert len(position.log) >= 10
    assert [entry for entry in position.log[10:] if "action" in entry] == []
    assert f"step-{len(position.log)}.json.gz" in answer["Content-Disposition"]
    verify(match.board.rules, position)


def test_the_command_plays_on_from_a_position(match, ladle, tmp_path):
    file = tmp_path / "position.json.gz"
    file.write_bytes(Client().get(address(match, "position.json.gz?step=20")).content)
    goes_on = tmp_path / "on.json.gz"

    words = ["play", "ramen_ramen", "greedy", "random", "--in-process"]
    ran = ladle(*words, "--from", file, "--replay", goes_on)

    assert ran.code == 0, ran.err
    whole, start = read(goes_on.read_bytes()), read(file.read_bytes())
    assert whole.log[: len(start.log)] == start.log
    assert whole.result is not None


@pytest.mark.parametrize("step", ["", "x", "-1", "100000"])
def test_a_position_that_is_not_in_the_play_is_not_found(match, step):
    assert Client().get(address(match, f"position.json.gz?step={step}")).status_code == 404


def test_no_position_is_offered_after_a_fault(monkeypatch):
    monkeypatch.setattr("tests.local_play.Dice", lambda seed: (Quitter if seed % 2 else Dice)(seed))
    match = make_match(board=Board("potage_sauvage", 2), seed=8)
    assert play_and_finish(match)
    frames = Client().get(address(match, "frames.json")).json()["frames"]
    at = next(index for index, frame in enumerate(frames) if (frame["entry"] or {}).get("fault"))

    before = Client().get(address(match, f"position.json.gz?step={frames[at - 1]['step']}"))
    after = Client().get(address(match, f"position.json.gz?step={frames[at]['step']}"))

    assert before.status_code == 200
    assert after.status_code == 404


def test_a_play_of_older_rules_still_has_its_page(match, monkeypatch):
    monkeypatch.setattr(type(match.board.rules), "rules_version", 99)

    page = Client().get(address(match))
    film = Client().get(address(match, "frames.json"))

    assert "rules version" in page.content.decode()
    assert film.status_code == 409
