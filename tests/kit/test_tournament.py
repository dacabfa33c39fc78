"""`ladle tournament run`: a tournament at home is one the site would have held."""

import json

import pytest

from ladder.tournaments import FORMATS
from ladder.tournaments.record import BadRecord, verify
from tests.ladder.cli.conftest import ladle, refused, write  # noqa: F401 - fixtures

FIRST = "def decide(view):\n    return view['legal'][0]\n"
CRASH = "def decide(view):\n    raise RuntimeError('no soup')\n"
RUN = ("tournament", "run")


@pytest.mark.parametrize("name", FORMATS)
def test_the_record_of_every_format_can_be_followed(ladle, write, name):  # noqa: F811
    write("mine.py", FIRST)
    game, seats = ("ramen_ramen", 2) if FORMATS[name].fits(2) else ("potage_sauvage", 3)
    bots = ("mine.py", "greedy", "random", "random", "random")
    words = ("--format", name, "--seats", seats, "--seed", 5, "--in-process", "--json")

    ran = ladle(*RUN, game, *bots, *words)

    record = json.loads(ran.out)
    assert ran.code == 0
    assert record["status"] == "finished"
    assert "5 entrants" in verify(record)
    assert json.loads(ladle(*RUN, game, *bots, *words).out) == record
    record["standings"][0]["points"] = "99"
    with pytest.raises(BadRecord):
        verify(record)


def test_the_better_bot_wins_and_the_table_says_why(ladle, write):  # noqa: F811
    write("mine.py", FIRST)
    words = ("--sets", 3, "--seed", 1, "--in-process", "--record", "cup.json")

    ran = ladle(*RUN, "ramen_ramen", "mine.py", "greedy", *words)

    first = next(line for line in ran.out.splitlines() if "1  " in line[:8])
    assert "greedy" in first
    assert "ahead of seed 1 on points" in " ".join(ran.out.split())
    assert ladle("verify", "--tournament", "cup.json").code == 0


@pytest.mark.jail
def test_two_jobs_in_the_sandbox_play_the_same_tournament(ladle, write):  # noqa: F811
    write("mine.py", FIRST)
    words = (*RUN, "ramen_ramen", "mine.py", "greedy", "--seed", 5, "--json")

    assert ladle(*words, "--jobs", 2).out == ladle(*words, "--in-process").out


def test_a_fault_of_ones_own_is_told_and_is_exit_code_3(ladle, write):  # noqa: F811
    write("crash.py", CRASH)

    ran = ladle(*RUN, "ramen_ramen", "crash.py", "random", "--in-process")

    assert ran.code == 3
    assert "At fault: crash, 2 crash." in ran.out


def test_what_cannot_be_is_refused_with_a_sentence(refused):  # noqa: F811
    two = ("ramen_ramen", "greedy", "random")
    for words, sentence in (
        ((*two, "--format", "sweepstake"), "the formats are round_robin"),
        ((*two, "--format", "pods"), "is not for tables of 2 sides"),
        ((*two, "--seats", 9), "is for 1 to 4 seats, not 9"),
        ((*two, "--option", "cycles=9"), "is from 1 to 4"),
        ((*two, "--option", "soup=9"), "has no option"),
        ((*two, "--record", "nowhere/cup.json"), "there is no folder"),
        (("ramen_ramen", "greedy"), "needs 2 bots at least"),
    ):
        assert sentence in refused(*RUN, *words)
