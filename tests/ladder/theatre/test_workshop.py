"""A bot that is being written, tried in a tab."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.games import GAMES
from ladder.theatre.shim import Bot
from ladder.theatre.workshop import Workshop

BOARDS = [(slug, seats) for slug, game in GAMES.items() for seats in game.seats]


class Tried:
    """A workshop, and a bot that replies to it as the one in a tab's sandbox does."""

    def __init__(self, source: str, slug: str, seats: int) -> None:
        self._workshop = Workshop({"game": slug, "seats": seats, "rival": "greedy"})
        self._bot = Bot(source, "bot.py")

    def run(self, trial: str, given: int) -> dict[str, Any]:
        now = json.loads(json.dumps(getattr(self._workshop, trial)(given)))
        while "asked" in now:
            now = self._workshop.take(json.loads(self._bot.hear(**now["asked"])))
        done: dict[str, Any] = json.loads(json.dumps(now["done"]))
        return done


def shop(source: str, slug: str = "ramen_ramen", seats: int = 2) -> Tried:
    return Tried(source, slug, seats)


@pytest.mark.parametrize(("slug", "seats"), BOARDS)
def test_a_starter_plays_and_is_checked_on_every_board_and_its_decisions_are_told(slug, seats):
    starter = GAMES[slug].house_bots()["random"].read_text(encoding="utf-8")
    tried = shop(starter + "\nprint('loaded')\n", slug, seats)

    told = tried.run("play", 3)

    assert told["faults"] == []
    assert told["film"]["names"][told["seat"]].startswith("Your bot")
    assert told["inside"]["decisions"]
    assert told["inside"]["loading"] == "loaded\n"
    assert len(told["films"]) == seats
    assert tried.run("check", seats) == {"problem": ""}


def test_sets_add_up_to_a_win_rate_with_its_interval():
    tried = shop("def decide(view):\n    return view['legal'][0]\n")

    first, second = tried.run("set", 1), tried.run("set", 2)

    mean, low, high = second["win_rate"]
    assert (first["sets"], second["sets"]) == (1, 2)
    assert 0 <= low <= mean <= high <= 1
    assert second["even"] == 0.5


def test_alone_at_the_table_the_rival_plays_the_same_deal_alone():
    assert (
        shop("def decide(view):\n    return view['legal'][0]\n", seats=1).run("set", 1)["even"]
        == 0.5
    )


def test_prints_stand_at_their_decision_and_end_at_the_limit():
    told = shop("def decide(view):\n    print('x' * 9000)\n    return view['legal'][0]\n").run(
        "play", 1
    )

    printed = [one["printed"] for one in told["inside"]["decisions"]]
    assert [len(text) for text in printed[:4]] == [9001, 16384 - 9001, 0, 0]


def test_a_fault_is_told_where_it_happened_with_its_line():
    tried = shop("def decide(view):\n    return 1 / 0\n")

    told = tried.run("play", 1)

    fault = told["inside"]["decisions"][-1]["fault"]
    assert fault["sentence"] == "the bot raised ZeroDivisionError('division by zero')"
    assert 'File "bot.py", line 2, in decide' in fault["detail"]
    assert tried.run("check", 2) == {"problem": fault["sentence"]}
    assert tried.run("set", 1)["faults"] == {"crash": 2}


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("def decide(view:", "bot.py, line 1: '(' was never closed"),
        ("x = 1", "bot.py defines neither `decide(view)` nor a class `Bot` with it"),
        ("1 / 0", "the bot raised ZeroDivisionError('division by zero') while it was loaded"),
    ],
)
def test_a_bot_that_cannot_be_loaded_says_why(source, sentence):
    assert json.loads(Bot(source, "bot.py").check())["broken"] == sentence


def test_a_bot_is_loaded_anew_for_each_play_and_told_how_it_begins():
    tried = shop(
        "turns = []\n"
        "class Bot:\n"
        "    def start(self, info):\n"
        "        print('seat', info['seat'], 'of', info['seats'])\n"
        "    def decide(self, view):\n"
        "        turns.append(view['cpu_left_ms'])\n"
        "        print('turn', len(turns))\n"
        "        return view['legal'][0]\n"
    )

    first, second = tried.run("play", 1), tried.run("play", 1)

    assert first["inside"]["loading"] == f"seat {first['seat']} of 2\n"
    assert [one["inside"]["decisions"][0]["printed"] for one in (first, second)] == ["turn 1\n"] * 2


REPLIES = [
    ({"action": "?" * 1001}, "the action has 1001 characters; no action is that long"),
    ({"action": None}, "the bot returned null; an action is a text"),
    ({"action": {"a": 1}}, 'the bot returned {"a": 1}; an action is a text'),
    ({"action": "no such thing"}, "the answer to a 'play' is not an action of this game"),
    ({"raised": 7, "detail": []}, "the bot raised "),
    ({}, "the bot returned null; an action is a text"),
    ({"stopped": "the bot did not answer for 10 seconds", "kind": "timeout"}, "the bot did not"),
]


@pytest.mark.parametrize(("reply", "sentence"), REPLIES)
def test_whatever_a_bot_replies_the_play_ends_by_a_sentence(reply, sentence):
    workshop = Workshop({"game": "ramen_ramen", "seats": 2, "rival": "greedy"})
    assert "asked" in workshop.play(1)

    told = workshop.take(reply)

    assert told["done"]["faults"][0]["sentence"].startswith(sentence)
