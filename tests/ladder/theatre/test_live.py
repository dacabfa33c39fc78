"""A play under way, as a tab runs it: people and bots, films that grow, and all of it again."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from engine.errors import BadReplay
from engine.games import GAMES
from engine.replay import read, verify
from ladder.theatre.film import parts
from ladder.theatre.live import LivePlay, source
from ladder.theatre.shim import Bot

BOARDS = [(slug, seats) for slug, game in GAMES.items() for seats in game.seats]


def setup_of(slug: str, seats: int, people: int = 1) -> dict[str, Any]:
    table: list[dict[str, str]] = [{"name": "Guest"} for _ in range(people)]
    table += [{"name": "House Greedy", "bot": "greedy"}] * (seats - people)
    return {"game": slug, "seed": 5, "seats": table}


def played(live: LivePlay) -> tuple[list[dict[str, Any]], dict[Any, list[dict[str, Any]]]]:
    """Play to the end with random moves of the people; every answer, and all films."""
    rng = Random(3)
    told = live.opening()
    given: list[dict[str, Any]] = []
    films = {viewer: list(frames) for viewer, frames in told["frames"]}
    while told["asked"]:
        if told["asked"].get("bot"):
            told = live.move()
        else:
            told = live.answer(rng.choice(told["asked"]["choices"])["action"])
        json.dumps(told)
        given.append(told["given"])
        for viewer, frames in told["frames"]:
            films[viewer] += frames
    assert told["result"]
    return given, films


def until_asked(live: LivePlay) -> dict[str, Any]:
    """The first question to a person."""
    told = live.opening()
    while told["asked"].get("bot"):
        told = live.move()
    return told["asked"]


@pytest.mark.parametrize(("slug", "seats"), BOARDS)
def test_a_play_with_a_person_is_an_ordinary_replay_filmed_as_it_grew(slug, seats):
    setup = setup_of(slug, seats)
    live = LivePlay(setup)

    given, films = played(live)

    replay = read(live.replay())
    verify(GAMES[slug], replay)
    assert [bool(player.sha256) for player in replay.players] == [False] + [True] * (seats - 1)
    for viewer, frames in films.items():
        told = list(parts(GAMES[slug], replay, viewer, reader=0))
        assert frames == [frame for frame in told if frame]
        assert any("You " in line for frame in frames for line in frame["said"])
    assert LivePlay(setup | {"given": given}).replay() == live.replay()


def test_answers_up_to_a_move_set_the_table_up_as_it_stood_there():
    setup = setup_of("ramen_ramen", 2)
    live = LivePlay(setup)
    given, films = played(live)

    again = LivePlay(setup | {"given": given[:6]}).opening()

    assert again["frames"] == [(0, films[0][:7])]
    assert again["asked"]["seat"] == films[0][7]["entry"]["seat"]


def test_two_people_with_secrets_have_films_of_their_own_and_no_film_shows_all():
    live = LivePlay(setup_of("potage_sauvage", 3, people=2))

    viewers = [viewer for viewer, _ in live.opening()["frames"]]

    assert viewers == [0, 1]


def test_a_move_against_the_rules_is_refused_with_a_reason_and_changes_nothing():
    live = LivePlay(setup_of("safranito", 2))
    asked = until_asked(live)

    unreadable = live.answer("soup")
    illegal = live.answer("t60 u500 >200,200 r100")
    before = live.replay()

    assert "soup" in unreadable["refused"]
    assert illegal["refused"] == "u is 500; it runs from -180 to 180"
    assert live.replay() == before
    assert "given" in live.answer(asked["choices"][0]["action"])


@pytest.mark.parametrize("slug", GAMES)
def test_the_strongest_house_bot_gives_a_hint_that_is_a_move(slug):
    live = LivePlay(setup_of(slug, 2))
    until_asked(live)

    hint = live.hint()

    assert (
        hint["bot"]
        == {
            "ramen_ramen": "House Chef",
            "hot_ramen": "House Wok",
            "safranito": "House Saffron",
            "potage_sauvage": "House Marmite",
        }[slug]
    )
    assert "given" in live.answer(hint["action"])


@pytest.mark.parametrize("slug", GAMES)
def test_a_guest_who_is_asked_by_lines_plays_as_it_would_beside_the_engine(slug):
    bot = Bot(GAMES[slug].house_bots()["greedy"].read_text(encoding="utf-8"), "bot.py")
    seats = [{"name": "Soup", "bot": "version-4", "version": 3, "sha256": "ab" * 32}]
    seats.append({"name": "House Greedy", "bot": "greedy"})
    live = LivePlay({"game": slug, "seed": 5, "seats": seats})
    seats[0] = seats[1]
    twin = LivePlay({"game": slug, "seed": 5, "seats": seats})

    told = json.loads(json.dumps(live.opening()))
    while told["asked"]:
        message = told["asked"]["message"]
        told = live.take(json.loads(bot.hear(**message))) if message else live.move()
    played(twin)

    replay, other = read(live.replay()), read(twin.replay())
    verify(GAMES[slug], replay)
    assert replay.log == other.log
    soup = replay.players[0]
    assert (soup.bot, soup.version, soup.sha256) == ("Soup", 3, "ab" * 32)


def test_a_guest_sees_its_own_view_and_nothing_else():
    seats = [{"name": "Soup", "bot": "version-4", "sha256": "ab"}, {"name": "Guest"}]
    live = LivePlay({"game": "potage_sauvage", "seed": 5, "seats": seats})

    told = live.opening()
    while not told["asked"].get("bot"):
        told = live.answer(told["asked"]["choices"][0]["action"])

    message = told["asked"]["message"]
    assert set(message) == {"player", "is_new", "start", "line"}
    assert set(json.loads(message["start"])) == {"type", "seat", "seats", "options", "luck"}
    line = json.loads(message["line"])
    assert line["view"]["seat"] == 0
    assert set(line) <= {"type", "id", "cpu_left_ms", "kind", "view", "events", "legal"}


def test_a_house_bot_in_javascript_is_a_guest_with_the_digest_of_its_file():
    seats = [{"name": "House Noodle", "bot": "noodle"}, {"name": "Guest"}]
    live = LivePlay({"game": "ramen_ramen", "seed": 5, "seats": seats})

    asked = live.opening()["asked"]

    text = source("ramen_ramen", "noodle")
    assert "function decide(view)" in text
    assert asked["message"]["player"] == 0
    assert read(live.replay()).players[0].sha256 == sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(("slug", "seats"), BOARDS)
def test_a_play_goes_on_from_a_step_of_a_replay_by_its_own_luck(slug: str, seats: int) -> None:
    first = LivePlay(setup_of(slug, seats))
    played(first)
    file = first.replay()
    before = read(file)
    step = len(before.log) // 2
    setup = setup_of(slug, seats) | {"seed": 0, "step": step}

    on = LivePlay(setup, file)
    played(on)

    after = read(on.replay())
    verify(GAMES[slug], after)
    assert after.seed == before.seed
    assert after.log[:step] == before.log[:step]
    assert after.result is not None


def test_a_play_does_not_go_on_without_a_seed_or_beyond_its_end() -> None:
    first = LivePlay(setup_of("ramen_ramen", 2))
    played(first)
    replay = read(first.replay())
    setup = setup_of("ramen_ramen", 2) | {"step": 0}

    with pytest.raises(BadReplay, match="no seed"):
        LivePlay(setup, replace(replay, seed=None).to_gzip())
    with pytest.raises(BadReplay, match="is not between"):
        LivePlay(setup | {"step": 9999}, first.replay())
