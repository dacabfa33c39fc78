"""Plays in the browser that people keep on their page."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from engine.replay import packed, read
from ladder.models import KeptPlay, Match, Play, User
from ladder.theatre.live import LivePlay
from tests.factories import make_bot
from tests.ladder.web.conftest import signed_in


def played(name: str = "alice", bot: str | None = "greedy", seed: int = 7) -> bytes:
    """What a tab sends: one person, or with two bots nobody, at a table of two."""
    seats = [{"name": name}, {"name": f"House {bot}", "bot": bot}]
    play = LivePlay({"game": "ramen_ramen", "seed": seed, "seats": seats})
    news = play.opening()
    while news["asked"]:
        bots_turn = news["asked"].get("bot")
        news = play.move() if bots_turn else play.answer(news["asked"]["choices"][0]["action"])
    return play.replay()


def sent(client: Client, data: bytes):
    return client.post(reverse("keep-play"), data, content_type="application/gzip")


def with_players(data: bytes, **fields: str) -> bytes:
    """The same play, with something else said of everyone who sat there."""
    replay = read(data)
    return replace(replay, players=[replace(one, **fields) for one in replay.players]).to_gzip()


def test_a_play_is_kept_shown_on_its_players_page_and_removed(alice: User, bob: User) -> None:
    data = played()

    page = sent(signed_in(alice), data).json()["page"]

    body = Client().get(page).content.decode()
    assert "alice at Ramen! Ramen!" in body
    assert '<span class="badge">person</span>' in body
    assert '<span class="badge">house bot</span>' in body
    assert "Remove play" not in body
    assert page in Client().get(reverse("user", args=["alice"])).content.decode()
    film = Client().get(f"{page}frames.json").json()
    assert film["names"] == ["alice", "House greedy"]
    assert Client().get(f"{page}replay.json.gz").content == packed(read(data).to_json())
    assert (Match.objects.count(), Play.objects.count()) == (0, 0)

    assert signed_in(bob).post(f"{page}remove/").status_code == 404
    assert signed_in(alice).post(f"{page}remove/").status_code == 302
    assert Client().get(page).status_code == 404


def test_the_same_play_is_kept_once(alice: User) -> None:
    data = played()

    pages = {sent(signed_in(alice), data).json()["page"] for _ in range(2)}

    assert len(pages) == KeptPlay.objects.count() == 1


def test_a_stranger_and_a_false_play_are_refused_with_a_sentence(alice: User, settings) -> None:
    data = played()
    whole = json.loads(gzip.decompress(data))
    refusals = {
        "is not valid": packed(whole | {"result": whole["result"] | {"points": [99, 0]}}),
        "No person": with_players(data, sha256="0" * 64),
        "1 to 60 visible characters": with_players(data, bot="x" * 61),
        "visible": with_players(data, bot="a\0b"),
        "SHA-256": with_players(data, sha256="\0"),
        "not over": read(data).cut(5).to_gzip(),
    }

    assert sent(Client(), data).status_code == 401
    client = signed_in(alice)
    for words, forged in refusals.items():
        answer = sent(client, forged)
        assert 400 <= answer.status_code < 500
        assert words in answer.json()["problem"]
    assert sent(client, b"nonsense").status_code == 409
    settings.MAX_KEPT_PLAYS = 1
    assert sent(client, played(seed=8)).status_code == 200
    assert "reached the limit of" in sent(client, data).json()["problem"]
    assert KeptPlay.objects.count() == 1


@pytest.mark.django_db
def test_a_visitor_is_not_offered_to_keep_and_a_user_is(alice: User) -> None:
    address = reverse("play", args=["ramen_ramen"])

    assert reverse("keep-play") not in Client().get(address).content.decode().split("play-setup")[1]
    assert reverse("keep-play") in signed_in(alice).get(address).content.decode()


@pytest.mark.parametrize(("name", "marks"), [("alice", 0), ("bob", 1), ("Guest", 1)])
def test_who_cannot_be_known_to_have_played_is_marked(
    alice: User, bob: User, name: str, marks: int
) -> None:
    page = sent(signed_in(alice), played(name)).json()["page"]

    for path in (page, reverse("user", args=["alice"])):
        assert Client().get(path).content.decode().count(">unverified<") == marks


def test_a_program_under_another_bots_name_is_marked(alice: User) -> None:
    data = played()
    replay = read(data)
    chef = [replay.players[0], replace(replay.players[1], bot="House Chef")]

    page = sent(signed_in(alice), replace(replay, players=chef).to_gzip()).json()["page"]

    assert ">unverified<" in Client().get(page).content.decode()


@pytest.mark.parametrize("name", ["a1ice", "аlice", "bо b"])
def test_a_look_alike_of_somebody_cannot_be_kept(alice: User, bob: User, name: str) -> None:
    answer = sent(signed_in(bob), with_players(played(), bot=name))

    assert answer.status_code == 400
    assert "too similar to the user name" in answer.json()["problem"]


@pytest.mark.parametrize(("owner", "marks"), [("alice", 0), ("bob", 1)])
def test_a_bot_of_somebody_else_is_marked_though_its_source_is_named(
    alice: User, bob: User, owner: str, marks: int
) -> None:
    """Its moves may be made up, and every match page tells the hash of its source."""
    bot = make_bot({"alice": alice, "bob": bob}[owner], name="Wok")
    replay = read(played())
    wok = replace(replay.players[1], bot="Wok", sha256=bot.active_version.sha256)

    forged = replace(replay, players=[replay.players[0], wok]).to_gzip()
    page = sent(signed_in(alice), forged).json()["page"]

    assert Client().get(page).content.decode().count(">unverified<") == marks
