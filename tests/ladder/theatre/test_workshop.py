"""A bot that is being written, tried in a tab."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.games import GAMES
from ladder.theatre.workshop import Workshop

BOARDS = [(slug, seats) for slug, game in GAMES.items() for seats in game.seats]


def shop(source: str, slug: str = "ramen_ramen", seats: int = 2) -> Workshop:
    return Workshop({"game": slug, "seats": seats, "source": source, "rival": "greedy"})


@pytest.mark.parametrize(("slug", "seats"), BOARDS)
def test_a_starter_plays_and_is_checked_on_every_board_and_its_decisions_are_told(slug, seats):
    starter = GAMES[slug].house_bots()["random"].read_text(encoding="utf-8")
    tried = shop(starter + "\nprint('loaded')\n", slug, seats)

    told: dict[str, Any] = json.loads(json.dumps(tried.play(3)))

    assert told["faults"] == []
    assert told["film"]["names"][told["seat"]].startswith("Your bot")
    assert told["inside"]["decisions"]
    assert told["inside"]["loading"] == "loaded\n"
    assert len(told["films"]) == seats
    assert tried.check(seats) == {"problem": ""}


def test_sets_add_up_to_a_win_rate_with_its_interval():
    tried = shop("def decide(view):\n    return view['legal'][0]\n")

    first, second = tried.set(1), tried.set(2)

    mean, low, high = second["win_rate"]
    assert (first["sets"], second["sets"]) == (1, 2)
    assert 0 <= low <= mean <= high <= 1
    assert second["even"] == 0.5


def test_alone_at_the_table_the_rival_plays_the_same_deal_alone():
    assert shop("def decide(view):\n    return view['legal'][0]\n", seats=1).set(1)["even"] == 0.5


def test_prints_stand_at_their_decision_and_end_at_the_limit():
    told = shop("def decide(view):\n    print('x' * 9000)\n    return view['legal'][0]\n").play(1)

    printed = [one["printed"] for one in told["inside"]["decisions"]]
    assert [len(text) for text in printed[:4]] == [9001, 16384 - 9001, 0, 0]


def test_a_fault_is_told_where_it_happened_with_its_line():
    tried = shop("def decide(view):\n    return 1 / 0\n")

    told = tried.play(1)

    fault = told["inside"]["decisions"][-1]["fault"]
    assert fault["sentence"] == "the bot raised ZeroDivisionError('division by zero')"
    assert 'File "bot.py", line 2, in decide' in fault["detail"]
    assert tried.check(2) == {"problem": fault["sentence"]}
    assert tried.set(1)["faults"] == {"crash": 2}


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("def decide(view:", "bot.py, line 1: '(' was never closed"),
        ("x = 1", "bot.py defines neither `decide(view)` nor a class `Bot` with it"),
        ("1 / 0", "the bot raised ZeroDivisionError('division by zero') while it was loaded"),
    ],
)
def test_a_bot_that_cannot_be_loaded_says_why(source, sentence):
    assert shop(source).play(1)["broken"] == sentence
    assert shop(source).set(1)["broken"] == sentence
    assert shop(source).check(2)["broken"] == sentence
