"""Tuning: a planted optimum is found, and the file keeps everything but its numbers."""

import json
import re

import pytest

from engine.games import GAMES
from ladle import Refusal
from ladle.progress import spark
from ladle.tune import declared, score, tune, with_values, working
from tests.ladder.cli.conftest import ladle, refused, write  # noqa: F401 - fixtures

GAME = GAMES["ramen_ramen"]
GREEDY = GAME.house_bots()["greedy"].read_text().replace("def decide(", "def greedy(")
# The further its numbers are from 0.7 and 3, the more often it plays at random.
PLANTED = (
    GREEDY
    + """
import random
X = 0.3  # tune 0 to 1
Y = 6  # tune 0 to 10


def decide(view):
    missed = abs(X - 0.7) + abs(Y - 3) / 10
    return random.choice(view["legal"]) if random.random() < missed else greedy(view)
"""
)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_planted_optimum_is_found_in_four_hundred_plays(seed):
    *_, last = tune(GAME, 2, PLANTED, steps=100, sets=2, seed=seed)

    assert last.values["X"] == pytest.approx(0.7, abs=0.1)
    assert last.values["Y"] == pytest.approx(3, abs=1)


def test_numbers_are_read_and_written_and_nothing_else_is_changed():
    source = "A = 1.5  # tune 0 to 4\nB = 7 # tune -10 to 10\nC = 3\nD = 2  # tuned by hand\n"

    found = declared(source)
    written = with_values(source, {"A": 0.123456, "B": -3.6})

    assert [(one.name, one.value, one.low, one.high) for one in found] == [
        ("A", 1.5, 0, 4),
        ("B", 7, -10, 10),
    ]
    assert written == source.replace("1.5", "0.1235").replace("= 7", "= -4")


def test_what_cannot_be_tuned_is_refused():
    with pytest.raises(Refusal, match="no number is declared"):
        declared("A = 1\n")
    with pytest.raises(Refusal, match="not within"):
        declared("A = 5  # tune 0 to 4\n")
    broken = "A = 1  # tune 0 to 4\ndef decide(view):\n    return 1 / 0\n"
    with pytest.raises(Refusal, match="the bot failed"):
        next(tune(GAME, 2, broken, steps=1, sets=1, seed=1))


@pytest.mark.parametrize("seats", [1, 3])
def test_a_planted_optimum_attracts_at_other_tables_than_for_two(seats):
    steps = list(tune(GAME, seats, PLANTED, steps=60, sets=1, seed=1))

    off = [abs(steps[at].values["X"] - 0.7) for at in (0, -1)]
    assert off[1] < off[0]


def test_with_rivals_a_set_is_the_difference_of_two_turns_against_them():
    first = "def decide(view):\n    return view['legal'][0]\n"
    last = "def decide(view):\n    return view['legal'][-1]\n"

    ahead = score(GAME, 3, [first, last], 1, rivals=[first, last])

    assert ahead == -score(GAME, 3, [last, first], 1, rivals=[first, last]) != 0
    assert score(GAME, 2, [first, last], 1) != score(GAME, 2, [first, last], 1, rivals=[first])


def test_more_processes_find_the_same_numbers():
    def found(scores):
        steps = tune(GAME, 2, PLANTED, steps=2, sets=2, seed=1, scores=scores)
        return [step.values for step in steps]

    with working(2) as scores:
        assert found(scores) == found(map)


def test_the_command_writes_the_new_bot_and_tries_it(ladle, refused, write, tmp_path):  # noqa: F811
    write("bot.py", PLANTED)
    words = ("tune", "bot.py", "--game", "ramen_ramen", "--steps", 20, "--seed", 1, "--trial", 2)

    told = json.loads(ladle(*words, "--json").out)

    written = (tmp_path / "bot_tuned.py").read_text()
    assert told["old"] == {"X": 0.3, "Y": 6}
    assert f"X = {told['new']['X']}  # tune 0 to 1" in written
    assert f"Y = {told['new']['Y']}  # tune 0 to 10" in written
    assert isinstance(told["new"]["Y"], int)
    assert 0 <= told["win_rate_low"] <= told["win_rate"] <= told["win_rate_high"] <= 1
    assert "bot_tuned.py exists" in refused(*words)
    assert (tmp_path / "bot_tuned.py").read_text() == written
    shown = ladle(*words, "--force").out
    assert "bot_tuned.py. Against" in shown
    assert re.search(rf"^ Y +6 +{told['new']['Y']} ", shown, re.MULTILINE)
    assert "old bot itself" in refused(*words, "-o", "bot.py")


def test_the_command_tunes_against_a_pool_of_rivals_at_a_larger_table(ladle, write, tmp_path):  # noqa: F811
    write("bot.py", PLANTED)
    write("rival.py", "def decide(view):\n    return view['legal'][-1]\n")
    words = ("tune", "bot.py", "--game", "ramen_ramen", "--steps", 3, "--sets", 2, "--seed", 1)
    words += ("--trial", 2, "--json", "--force")

    def told(*more):
        ran = ladle(*words, *more)
        assert ran.code == 0, ran.err
        return json.loads(ran.out)

    alone = told("--seats", 3)
    rivals = told("--seats", 3, "--against", "greedy", "--against", "rival.py")
    assert alone["seats"] == rivals["seats"] == 3
    assert alone["new"] != rivals["new"] != told("--seats", 3, "--against", "random")["new"]
    assert told("--against", "greedy")["new"] != told()["new"]  # at a table of two as well
    assert told("--seats", 3, "--jobs", 2)["new"] == alone["new"]
    assert 0 <= told("--seats", 1)["win_rate"] <= 1


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--against", "nobody"), "nobody"),
        (("--against", "box"), "box is not a single Python file: it cannot be a rival"),
        (("--seats", 99), "Ramen! Ramen! is for 1 to 4 seats, not 99."),
        (("--jobs", 0), "--jobs"),
    ],
)
def test_what_cannot_be_tuned_against_is_one_sentence(refused, write, tmp_path, more, sentence):  # noqa: F811
    write("bot.py", PLANTED)
    (tmp_path / "box").mkdir()
    write("box/bot.py", GREEDY)
    words = ("tune", "bot.py", "--game", "ramen_ramen", "--steps", 1, "--trial", 1)

    assert sentence in refused(*words, *more)
    assert not (tmp_path / "bot_tuned.py").exists()


def test_a_bundle_is_refused_with_what_can_be_tuned(refused, tmp_path, write):  # noqa: F811
    (tmp_path / "box").mkdir()
    write("box/bot.py", PLANTED)

    sentence = refused("tune", "box", "--game", "ramen_ramen")
    assert sentence == "box is not a single Python file: it cannot be tuned."


def test_a_chart_of_the_numbers_is_drawn_on_a_terminal_alone(ladle, write, monkeypatch):  # noqa: F811
    write("mine.py", PLANTED)
    words = ("tune", "mine.py", "--game", "ramen_ramen", "--steps", 2, "--sets", 1, "--trial", 1)

    quiet = ladle(*words, "--seed", 1)
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes it for a terminal
    shown = ladle(*words, "--seed", 1, "--force")

    assert quiet.err == ""
    assert "step 2 of 2" in shown.err
    assert set("▁▂▃▄▅▆▇█") & set(shown.err)


def test_a_line_of_blocks_goes_from_the_low_bound_to_the_high_one():
    assert spark([0, 5, 10], 0, 10) == "▁▅█"
    assert spark(list(range(100)), 0, 99, width=4) == "▃▄▆█"
    assert spark([], 0, 1) == ""


def test_bots_that_decide_alike_come_out_even_also_if_they_draw_lots():
    chance = "import random\ndef decide(view):\n    return random.choice(view['legal'])\n"
    seeds = range(20)

    assert all(score(GAME, 2, [chance, chance], seed) == 0 for seed in seeds)
    assert any(score(GAME, 2, [chance, chance], seed, duplicate=False) for seed in seeds)


def test_partners_play_for_one_side():
    first = "def decide(view):\n    return view['legal'][0]\n"
    last = "def decide(view):\n    return view['legal'][-1]\n"

    assert score(GAME, 4, [first, last], 1) == -score(GAME, 4, [last, first], 1) != 0


def test_a_number_with_a_fraction_stays_one_when_it_is_written():
    source = "A = 1.5  # tune 0 to 4\n"

    written = with_values(source, {"A": 2.0})

    assert not declared(written)[0].is_whole
