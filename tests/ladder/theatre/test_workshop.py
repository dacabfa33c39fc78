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

    def __init__(
        self, source: str, slug: str, seats: int, files: dict[str, str], rival: str
    ) -> None:
        against = {"rival_name": "A stranger"} if rival else {"rival": "greedy"}
        self._workshop = Workshop({"game": slug, "seats": seats} | against)
        self._bot = Bot(source, "bot.py", files)
        self._rival = Bot(rival, "bot.py")

    def run(self, trial: str, given: int) -> dict[str, Any]:
        now = json.loads(json.dumps(getattr(self._workshop, trial)(given)))
        while "asked" in now:
            bot = self._rival if now["is_rival"] else self._bot
            now = self._workshop.take(json.loads(bot.hear(**now["asked"])))
        done: dict[str, Any] = json.loads(json.dumps(now["done"]))
        return done

    def close(self) -> None:
        self._bot.close()


def shop(
    source: str,
    slug: str = "ramen_ramen",
    seats: int = 2,
    *,
    files: dict[str, str] | None = None,
    rival: str = "",
) -> Tried:
    return Tried(source, slug, seats, files or {}, rival)


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
    assert tried.run("check", 2) == {"problem": fault["sentence"], "detail": fault["detail"]}
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


FIRST = "def decide(view):\n    return view['legal'][0]\n"
LAST = "def decide(view):\n    return view['legal'][-1]\n"


def test_a_bot_that_is_not_the_houses_is_asked_as_the_opponent_and_named_in_the_film():
    tried = shop(FIRST, seats=3, rival=LAST)

    told = tried.run("play", 3)

    names = told["film"]["names"]
    assert names[told["seat"]].startswith("Your bot")
    assert sum(name.startswith("A stranger") for name in names) == 2
    assert told["faults"] == []
    assert told["rival_fault"] == ""
    assert told["result"]["place"] in (1, 2, 3)
    assert len(told["result"]["points"]) == 3
    again = shop(FIRST, seats=3, rival=LAST).run("play", 3)
    assert again["result"] == told["result"]  # the seed decides


def test_an_opponent_that_fails_is_told_apart_from_a_fault_of_ones_own():
    told = shop(FIRST, rival="def decide(view):\n    1 / 0\n").run("play", 3)

    assert told["faults"] == []
    assert told["rival_fault"] == "the bot raised ZeroDivisionError('division by zero')"


def test_a_bot_of_several_files_imports_and_opens_them_and_each_play_loads_them_anew():
    source = (
        "import kitchen\nfrom pathlib import Path\nfrom pans.small import pick\n"
        "PLACE = int(Path('place.txt').read_text())\n"
        "kitchen.count += 1\nprint(kitchen.count)\n"
        "def decide(view):\n    return pick(view['legal'], PLACE)\n"
    )
    files = {
        "kitchen.py": "count = 0\n",
        "pans/small.py": "def pick(legal, place):\n    return legal[place]\n",
        "place.txt": "0",
    }
    tried = shop(source, files=files)

    assert tried.run("play", 3)["inside"]["loading"] == "1\n"
    told = tried.run("play", 3)
    assert told["inside"]["loading"] == "1\n"
    assert told["result"] == shop(FIRST).run("play", 3)["result"]
    tried.close()


def test_an_error_in_another_file_names_that_file_and_its_line():
    fails = {"kitchen.py": "def pick(legal):\n    return legal['x']\n"}
    source = "import kitchen\ndef decide(view):\n    return kitchen.pick(view['legal'])\n"
    tried = shop(source, files=fails)
    (fault,) = tried.run("play", 3)["faults"]
    tried.close()
    assert 'File "kitchen.py", line 2, in pick' in fault["detail"]

    bot = Bot(source, "bot.py", {"kitchen.py": "def pick(:\n"})
    broken = json.loads(bot.check())
    bot.close()
    assert 'File "kitchen.py", line 1' in broken["detail"]
